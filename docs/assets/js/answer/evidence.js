/** Why a hypothesis is believed: one reason a row, with its line of the paste. */

import { el, prose } from "../dom.js";
import { markedLine } from "./paste-view.js";

const SHOWN = 240; // code points of a line that a reason quotes

/** All reasons, heaviest first. A line is quoted once, however many reasons it gives. */
export function evidenceList(evidence, lines) {
  const sorted = [...evidence].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const quoted = new Set();
  const captured = new Set();
  return el(
    "ul",
    { class: "fb-evidence fb-plain" },
    sorted.map((each) => {
      const isNew = each.line !== null && !quoted.has(each.line);
      quoted.add(each.line);
      const captures = Object.entries(each.captures)
        .map(([name, value]) => `${name} = ${value}`)
        .filter((words) => !captured.has(words));
      captures.forEach((words) => captured.add(words));
      return reason(each, isNew ? lines[each.line - 1] : null, captures);
    }),
  );
}

function reason(each, quote, captures) {
  const weight = `${each.for ? "+" : "−"}${Math.abs(each.weight).toFixed(1)}`;
  const where = each.line === null ? null : el("span", { class: "fb-evidence__line" }, `line ${each.line}`);
  const marks = each.start === null ? [] : [{ start: each.start, end: each.end }];
  return el(
    "li",
    { class: each.for ? "fb-evidence--for" : "fb-evidence--against" },
    el(
      "span",
      { class: "fb-evidence__weight", title: "Weight in this answer: above zero speaks for it, below against it" },
      weight,
    ),
    el(
      "div",
      {},
      el("p", {}, prose(each.note), where ? " " : null, where),
      quote === null || quote === undefined ? null : el("code", { class: "fb-evidence__text" }, around(quote, marks)),
      captures.length ? el("p", { class: "fb-evidence__captures" }, captures.join(", ")) : null,
    ),
  );
}

/** The marked part of a long line with a little before it. */
function around(text, marks) {
  const points = Array.from(text);
  const start = marks[0]?.start ?? 0;
  const from = points.length > 160 && start > 40 ? start - 24 : 0;
  const shown = points.slice(from, from + SHOWN).join("");
  const moved = marks.map(({ start: a, end: b }) => ({ start: a - from, end: Math.min(b - from, SHOWN) }));
  return [from ? "… " : null, markedLine(shown, moved), points.length > from + SHOWN ? " …" : null];
}
