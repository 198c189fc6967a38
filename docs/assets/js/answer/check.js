/** The one check that separates what is still possible: a question whose outcomes are buttons. */

import { command } from "../command.js";
import { el, prose } from "../dom.js";

/**
 * @param {object} check `next_check` of the answer
 * @param {(answer: {check: string, question: string, outcome: string, see: string}) => void} onAnswer
 */
export function nextCheck(check, onAnswer) {
  const id = `fb-check-${check.id}`;
  return el(
    "section",
    { class: "fb-check", "aria-labelledby": id },
    el("p", { class: "fb-kicker" }, "The check that tells them apart"),
    el("h4", { id }, prose(check.question)),
    check.look ? el("p", {}, prose(check.look)) : null,
    check.run ? command(check.run, "the command of the check") : null,
    el("p", { class: "fb-check__ask" }, "What do you see?"),
    el(
      "div",
      { class: "fb-check__outcomes" },
      check.outcomes.map((outcome) =>
        el(
          "button",
          {
            type: "button",
            class: "fb-outcome",
            on: {
              click: () =>
                onAnswer({ check: check.id, question: check.question, outcome: outcome.id, see: outcome.see }),
            },
          },
          prose(outcome.see),
        ),
      ),
    ),
  );
}

/** What has been answered so far, each with its undo. */
export function answered(answers, onUndo) {
  if (!answers.length) return null;
  return el(
    "ul",
    { class: "fb-answered fb-plain", "aria-label": "Checks you have answered" },
    answers.map((each) =>
      el(
        "li",
        {},
        el("span", {}, prose(each.question), " ", el("strong", {}, prose(each.see))),
        el(
          "button",
          { type: "button", class: "fb-button fb-button--quiet", on: { click: () => onUndo(each.check) } },
          "Undo",
        ),
      ),
    ),
  );
}
