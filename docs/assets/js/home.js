/** The diagnosis page: takes a paste, asks a matcher, shows the answer, and asks again when a check is answered. */

import { answerView } from "./answer/answer.js";
import { count, el } from "./dom.js";
import { takeOver } from "./handover.js";
import { splitLines } from "./lines.js";
import { PageMatcher, ServerMatcher } from "./matchers.js";
import { pasteBox } from "./paste-box.js";
import { siteUrl } from "./site.js";

/** Bring the page to life. Returns a function that diagnoses a text, for the search field. */
export function startHome(root) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const progress = part("progress");
  const answer = part("answer");
  const about = document.querySelector('[data-part="about"]');
  const inPage = root.dataset.inBrowser === "yes";
  let matcher = inPage ? new PageMatcher((text) => say(text)) : new ServerMatcher();
  let paste = "";
  let answers = []; // of checks, in the order in which they were given
  let asked = 0; // only the latest question may draw

  const box = pasteBox(part, { onGo: (text) => diagnose(text), onClear: clear, onTouch: () => matcher.warm?.() });

  function say(text) {
    progress.textContent = text;
    progress.classList.toggle("fb-progress--busy", Boolean(text));
  }

  function diagnose(text) {
    paste = text.toWellFormed ? text.toWellFormed() : text; // half a character would not survive JSON
    answers = [];
    return ask();
  }

  async function ask() {
    asked += 1;
    const mine = asked;
    say(`Reading ${count(splitLines(paste).length, "line")} …`);
    box.busy(true);
    const outcomes = Object.fromEntries(answers.map((each) => [each.check, each.outcome]));
    try {
      const diagnosis = await matcher.match(paste, { outcomes });
      if (mine === asked) draw(diagnosis);
    } catch (error) {
      if (mine === asked) await drawProblem(error);
    } finally {
      if (mine === asked) box.busy(false);
    }
  }

  function draw(diagnosis) {
    const { view, spoken } = answerView(diagnosis, splitLines(paste), {
      answers,
      onAnswer: (given) => {
        answers = [...answers.filter((each) => each.check !== given.check), given];
        ask();
      },
      onUndo: (check) => {
        answers = answers.filter((each) => each.check !== check);
        ask();
      },
    });
    show(view);
    say(spoken);
    progress.classList.remove("fb-progress--busy");
    progress.classList.add("fb-visually-hidden");
  }

  function show(nodes) {
    answer.replaceChildren(...nodes);
    answer.hidden = false;
    root.classList.add("fb-home--answered");
    about.hidden = true;
    answer.focus({ preventScroll: true });
    answer.scrollIntoView({ block: "start", behavior: "instant" });
  }

  async function drawProblem(error) {
    say("");
    const server = new ServerMatcher();
    const canAskServer = inPage && matcher instanceof PageMatcher && (await server.answers());
    const why = error?.stage === "load" ? "The matcher could not be loaded into this page" : "The matcher stopped";
    show([
      el(
        "div",
        { class: "fb-notice", role: "alert" },
        el("h2", {}, why),
        el("p", {}, `${error?.message ?? error}. Nothing of your paste has left this tab.`),
        canAskServer
          ? el(
              "button",
              { type: "button", class: "fb-button fb-button--main", on: { click: useServer } },
              `Send the paste to ${siteUrl("./").host} instead`,
            )
          : el("p", {}, "Try another browser, or run ", el("code", {}, "kb match FILE"), " on your machine."),
      ),
    ]);
  }

  function useServer() {
    matcher = new ServerMatcher();
    part("privacy").textContent = "You chose the server: pastes are sent to it, it answers and does not keep them.";
    ask();
  }

  function clear() {
    asked += 1;
    answers = [];
    answer.replaceChildren();
    answer.hidden = true;
    about.hidden = false;
    root.classList.remove("fb-home--answered");
    say("");
  }

  for (const button of root.querySelectorAll("[data-trial]")) {
    button.addEventListener("click", async () => {
      const text = await (await fetch(siteUrl(button.dataset.trial))).text();
      box.fill(text);
      diagnose(text);
    });
  }

  const open = (text) => {
    box.fill(text);
    return diagnose(text);
  };
  const handed = takeOver();
  if (handed) open(handed);
  return open;
}
