/** The person's own text, with line numbers and what matters in it marked. */

import { el } from "../dom.js";
import { pieces } from "../lines.js";

const BEFORE = 4;
const AFTER = 3;
const STEP = 20;
const LONGEST = 1200; // units of one line that are drawn; logs hold lines of megabytes

/** One line with its marks ({start, end} in code points). */
export function markedLine(text, marks) {
  return pieces(text, marks).map((piece) => {
    const shown = piece.text.length > LONGEST ? `${piece.text.slice(0, LONGEST)} …` : piece.text;
    return piece.marked ? el("mark", { class: "fb-found" }, shown) : shown;
  });
}

/**
 * A line in its surroundings, with buttons that show more of them.
 * @param {string[]} lines the whole paste
 * @param {number} focus the line to mark, from 1
 * @param {Map<number, Array<{start: number, end: number}>>} marks by line
 * @param {Set<number>} dimmed lines that only followed
 */
export function surroundings(lines, focus, marks, dimmed) {
  let first = Math.max(1, focus - BEFORE);
  let last = Math.min(lines.length, focus + AFTER);
  const rows = el("div", { class: "fb-lines__rows" });
  const up = el("button", { type: "button", class: "fb-lines__more" });
  const down = el("button", { type: "button", class: "fb-lines__more" });

  const row = (number) =>
    el(
      "div",
      {
        class: `fb-line${number === focus ? " fb-line--start" : ""}${dimmed.has(number) ? " fb-line--dim" : ""}`,
        "data-line": number,
      },
      el("span", { class: "fb-line__number" }, String(number)),
      el("code", {}, markedLine(lines[number - 1], marks.get(number) ?? [])),
    );
  const label = () => {
    up.hidden = first === 1;
    down.hidden = last === lines.length;
    up.textContent = `${Math.min(STEP, first - 1)} more above`;
    down.textContent = `${Math.min(STEP, lines.length - last)} more below`;
  };
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => row(from + at));

  up.addEventListener("click", () => {
    const from = Math.max(1, first - STEP);
    rows.prepend(...range(from, first - 1));
    first = from;
    label();
  });
  down.addEventListener("click", () => {
    const to = Math.min(lines.length, last + STEP);
    rows.append(...range(last + 1, to));
    last = to;
    label();
  });
  rows.append(...range(first, last));
  label();
  return el("div", { class: "fb-lines", role: "group", "aria-label": `Line ${focus} of your paste` }, up, rows, down);
}
