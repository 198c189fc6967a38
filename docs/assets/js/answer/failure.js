/** One failure of an answer: what started it, the best hypothesis, its rivals, and what only followed. */

import { command } from "../command.js";
import { count, el, folded, prose } from "../dom.js";
import { answered, nextCheck } from "./check.js";
import { best, doubted, rivals, why } from "./hypothesis.js";
import { surroundings } from "./paste-view.js";
import { BECAUSE, processWords } from "./words.js";

/**
 * @param {object} failure of the answer
 * @param {string[]} lines of the paste
 * @param {{heading: Node[]|null, isSure: boolean, isBelieved: boolean, answers: object[], onAnswer: Function, onUndo: Function}} page
 */
export function failureView(failure, lines, page) {
  const first = page.isBelieved ? failure.hypotheses[0] : null;
  const aside = [
    first ? rivals(failure.hypotheses, lines) : null,
    first ? why(first, lines) : null,
    alsoTrue(failure.also_true),
  ].filter(Boolean);
  const tail = [ranks(failure), first ? null : doubted(failure.hypotheses, lines), followed(failure.secondary)];
  return el(
    "section",
    { class: "fb-failure" },
    page.heading ? el("h2", { class: "fb-failure__heading" }, page.heading) : null,
    started(failure, lines),
    failure.need ? need(failure.need) : null,
    columns(first ? best(first, page.isSure) : null, checks(failure, page), aside, !page.isSure),
    tail,
  );
}

function checks(failure, page) {
  const next = failure.next_check ? nextCheck(failure.next_check, page.onAnswer) : null;
  const given = answered(page.answers, page.onUndo);
  return next || given ? el("div", { class: "fb-checks" }, given, next) : null;
}

/** The answer beside its reasons. Where nothing is certain the check is read first, before any fix. */
function columns(main, check, aside, checkFirst) {
  const side = aside.length ? el("div", { class: "fb-side" }, aside) : null;
  const parts = (checkFirst ? [check, main, side] : [main, check, side]).filter(Boolean);
  if (!parts.length) return null;
  return el("div", { class: check || side ? "fb-columns" : "fb-column" }, parts);
}

function started(failure, lines) {
  const { initiating, hypotheses, secondary } = failure;
  const marks = new Map();
  for (const each of hypotheses[0]?.evidence ?? []) {
    if (each.line === null || each.start === null) continue;
    marks.set(each.line, [...(marks.get(each.line) ?? []), each]);
  }
  const what = [
    `line ${initiating.line.toLocaleString("en")}`,
    initiating.type,
    processWords(initiating.process),
    initiating.time,
    hypotheses.length ? null : initiating.kind,
  ].filter(Boolean);
  const title = failure.handled
    ? "Raised here, and handled"
    : failure.need
      ? "All the paste shows: a consequence"
      : "It started here";
  return el(
    "div",
    { class: "fb-started" },
    el("h3", { class: "fb-started__title" }, title, el("span", {}, what.join(" · "))),
    surroundings(lines, initiating.line, marks, new Set(secondary.map((each) => each.line))),
  );
}

function need({ look, run }) {
  return el(
    "section",
    { class: "fb-need" },
    el("h4", {}, "The error before it is what counts"),
    el("p", {}, prose(look)),
    run ? command(run, "the command that finds it") : null,
    el("p", {}, "Then paste what you find."),
  );
}

function alsoTrue(items) {
  if (!items.length) return null;
  return el(
    "section",
    { class: "fb-aside" },
    el("h4", {}, "Also true"),
    el("ul", {}, items.map((each) => el("li", {}, prose(each)))),
  );
}

function followed(secondary) {
  if (!secondary.length) return null;
  return folded(
    `${count(secondary.length, "error")} that only followed`,
    el(
      "div",
      { class: "fb-lines fb-lines--plain" },
      secondary.map((each) =>
        el(
          "div",
          { class: "fb-line" },
          el("span", { class: "fb-line__number" }, String(each.line)),
          el("code", {}, each.text.slice(0, 400)),
          el("span", { class: "fb-line__note" }, [BECAUSE[each.because], processWords(each.process)].filter(Boolean).join(" · ")),
        ),
      ),
    ),
  );
}

function ranks({ ranks: rows, silent_ranks: silent }) {
  if (!rows.length && !silent.length) return null;
  const parts = { initiating: "started it", secondary: "followed", silent: "says nothing" };
  const shown = [
    ...rows,
    ...silent
      .filter((rank) => !rows.some((row) => row.rank === rank))
      .map((rank) => ({ rank, host: null, line: null, text: null, time: null, part: "silent" })),
  ];
  return el(
    "section",
    { class: "fb-ranks" },
    el("h4", {}, `${count(shown.length, "rank")}`),
    el(
      "div",
      { class: "fb-ranks__scroll", tabindex: "0", role: "region", "aria-label": "Ranks" },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, ["Rank", "Part", "Line", "Time", "First error"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, shown.map((row) => rankRow(row, parts))),
      ),
    ),
  );
}

function rankRow(row, parts) {
  return el(
    "tr",
    { class: `fb-rank--${row.part}` },
    el("th", { scope: "row" }, row.host ? `${row.rank} · ${row.host}` : row.rank),
    el("td", { class: "fb-nowrap" }, parts[row.part] ?? row.part),
    el("td", {}, row.line === null ? "" : String(row.line)),
    el("td", { class: "fb-nowrap" }, row.time ?? ""),
    el("td", {}, el("code", {}, (row.text ?? "").slice(0, 200))),
  );
}
