/** The fix: what to set, in which form, how to verify it, and what not to do. */

import { command } from "../command.js";
import { copyButton } from "../copy.js";
import { el, prose } from "../dom.js";
import { tabs } from "../tabs.js";
import { FORMS } from "./words.js";

/** Something to run or look at, and what one sees. Null where there is nothing. `linked` as in `prose`. */
export function look(value, what, linked) {
  if (!value) return null;
  return [
    value.look ? el("p", {}, prose(value.look, linked)) : null,
    value.run ? command(value.run, what) : null,
    value.see ? el("p", { class: "fb-see" }, el("strong", {}, "You see "), prose(value.see, linked)) : null,
  ];
}

/** A titled part; nothing where its body is empty. */
export function part(title, body, kind = "") {
  const filled = [body].flat(Infinity).filter(Boolean);
  if (!filled.length) return null;
  return el("section", { class: `fb-part ${kind}` }, el("h4", {}, title), filled);
}

/** All of a fix. Its title says when it is a fix only if the hypothesis is right. `linked` as in `prose`. */
export function fixParts(fix, isSure, linked) {
  if (!fix) return [];
  const items = (kind, texts) =>
    texts.length ? el(kind, {}, texts.map((text) => el("li", {}, prose(text, linked)))) : null;
  return [
    part(
      isSure ? "Fix" : "Fix, if this is it",
      [
        fix.set ? setValue(fix.set) : null,
        el("p", {}, prose(fix.summary, linked)),
        change(fix.change),
        items("ol", fix.steps),
        forms(fix.forms),
        // The same command often stands as a form and as the command to run: once is enough.
        fix.commands.filter((each) => !Object.values(fix.forms).includes(each)).map((each) => command(each, "the command of the fix")),
      ],
      "fb-part--fix",
    ),
    part("Verify", look(fix.verify, "the command that verifies the fix", linked)),
    part("Go on from here", fix.resume ? el("p", {}, prose(fix.resume, linked)) : null),
    part("Do not", items("ul", fix.avoid), "fb-part--avoid"),
    part("Risk", fix.risk ? el("p", {}, prose(fix.risk, linked)) : null, "fb-part--risk"),
  ];
}

function setValue({ parameter, value }) {
  return el(
    "p",
    { class: "fb-set" },
    el("span", { class: "fb-set__name" }, parameter),
    el("span", { class: "fb-set__value" }, value),
  );
}

/** What to change in the person's own command, manifest or call, line by line. */
function change(own) {
  if (!own) return null;
  const marked = (kind, texts, said) =>
    texts.map((text) => el(kind, { "aria-label": `${said}: ${text}` }, `${kind === "del" ? "-" : "+"} ${text}\n`));
  const { same, before, after, rest } = apart(own.before.split("\n"), own.after.split("\n"));
  return el(
    "figure",
    { class: "fb-change" },
    el("figcaption", {}, `Your own, from line ${own.line}`),
    el(
      "div",
      { class: "fb-code" },
      el(
        "pre",
        { tabindex: "0" },
        el("code", {}, same.map(plain), marked("del", before, "old"), marked("ins", after, "new"), rest.map(plain)),
      ),
      copyButton(own.after, "your own command, changed"),
    ),
  );
}

const plain = (text) => `  ${text}\n`;

/** The lines that differ, and those before and behind them that do not. */
function apart(before, after) {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    same: before.slice(0, head),
    before: before.slice(head, before.length - tail),
    after: after.slice(head, after.length - tail),
    rest: before.slice(before.length - tail),
  };
}

function forms(values) {
  const pages = Object.entries(values).map(([form, text]) => ({
    name: FORMS[form] ?? form,
    body: command(text, `the fix for ${FORMS[form] ?? form}`),
  }));
  return pages.length ? tabs("The fix in other forms", pages) : null;
}
