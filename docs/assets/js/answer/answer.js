/** A whole answer: the verdict in words, then each failure. */

import { count, el, prose } from "../dom.js";
import { siteUrl } from "../site.js";
import { failureView } from "./failure.js";
import { entryUrl, filledUrl } from "./hypothesis.js";
import { proposeView } from "./propose.js";
import { shareView } from "./share.js";
import { certainty, KINDS, percent, reportWords } from "./words.js";

/**
 * @param {object} diagnosis in the wire form
 * @param {string[]} lines of the paste
 * @param {{answers: object[], onAnswer: Function, onUndo: Function, redact: Function}} page
 * @returns {{view: HTMLElement[], spoken: string}} what to show, and the verdict for the live region
 */
export function answerView(diagnosis, lines, page) {
  const verdict = verdictWords(diagnosis);
  const several = diagnosis.failures.length > 1;
  const failures = diagnosis.failures.map((failure, at) =>
    failureView(failure, lines, {
      ...page,
      heading: several ? headingOf(failure, at + 1, diagnosis.failures.length, isBelieved(failure, diagnosis)) : null,
      isSure: diagnosis.verdict === "match",
      isBelieved: isBelieved(failure, diagnosis),
    }),
  );
  const view = [
    banner(diagnosis, verdict),
    unused(diagnosis.given_problems),
    ...failures,
    related(diagnosis.related),
    proposeView(diagnosis, lines, page.redact),
    shareView(diagnosis),
  ];
  return { view: view.filter(Boolean), spoken: verdict.spoken };
}

/**
 * Whether a failure's first hypothesis is an answer and no mere thought. Where several failures share a paste the
 * verdict is that of the best; each of the others must at least be likelier than not.
 */
function isBelieved({ hypotheses: [first] }, { verdict, failures }) {
  return Boolean(first) && verdict !== "no_match" && (failures.length === 1 || first.entry_confidence >= 0.5);
}

function headingOf(failure, number, all, believed) {
  const [first] = failure.hypotheses;
  const title = believed ? el("a", { href: filledUrl(first) }, first.title) : "not a failure we know";
  return [`Failure ${number} of ${all}: `, title];
}

function banner(diagnosis, verdict) {
  const read = [count(diagnosis.input.lines, "line"), ...reportWords(diagnosis.report)];
  return el(
    "header",
    { class: `fb-verdict fb-verdict--${diagnosis.verdict}` },
    el("p", { class: "fb-kicker" }, verdict.kicker),
    el("h2", {}, verdict.href ? el("a", { href: verdict.href }, verdict.title) : verdict.title),
    verdict.more ? el("p", {}, verdict.more) : null,
    diagnosis.input.truncated ? el("p", {}, "The paste was too long to read in full: its middle was left out.") : null,
    el("ul", { class: "fb-chips fb-plain", "aria-label": "Read from the paste" }, read.map((each) => el("li", {}, each))),
  );
}

function verdictWords({ verdict, best, failures }) {
  if (verdict === "no_match") return noMatch(failures);
  const chosen = failures.flatMap((failure) => failure.hypotheses).find(
    (each) => each.entry === best.entry && each.cause === best.cause,
  );
  const title = chosen?.title ?? best.entry;
  const href = chosen ? filledUrl(chosen) : entryUrl(best.path, best.cause);
  const rivals = failures.find((failure) => failure.hypotheses.includes(chosen))?.hypotheses.length ?? 1;
  if (failures.some((failure) => failure.need && failure.hypotheses.includes(chosen))) {
    const more = "This is what the first error left behind. Find that error: below is where to look.";
    return { kicker: "Consequence only", title, href, more, spoken: `A consequence only: ${title}. ${more}` };
  }
  if (verdict === "ambiguous") {
    const more = `${count(rivals, "explanation")} fit. One check decides between them.`;
    return { kicker: `Likeliest, ${percent(best.confidence)}`, title, href, more, spoken: `Not certain. Likeliest: ${title}. ${more}` };
  }
  const sure = `${certainty(best.confidence)} this, ${percent(best.confidence)}`;
  return { kicker: sure, title, href, more: "", spoken: `${sure}: ${title}` };
}

function noMatch(failures) {
  if (!failures.length) {
    const more = "No error, exit code or kernel message that says that something failed. Paste more of the log, from before it stopped.";
    return { kicker: "No match", title: "Nothing failed in this paste", more, spoken: `Nothing failed in this paste. ${more}` };
  }
  if (failures.every((failure) => failure.handled)) {
    const more = "The error was caught and the program went on. If a job did fail, paste more of its log.";
    return { kicker: "No match", title: "An error that was handled", more, spoken: `An error that was handled. ${more}` };
  }
  const kind = failures[0].initiating.kind;
  const more = `No entry explains it${KINDS[kind] ? `; it looks like ${KINDS[kind]}` : ""}. Below is what failed first: begin there.`;
  return { kicker: "No match", title: "Not a failure we know", more, spoken: `Not a failure we know. ${more}` };
}

/** What the person gave beside the paste and the matcher could not use. */
function unused(problems) {
  if (!problems?.length) return null;
  return el("ul", { class: "fb-notice fb-plain", role: "status" }, problems.map((each) => el("li", {}, each)));
}

function related(items) {
  if (!items.length) return null;
  return el(
    "section",
    { class: "fb-related" },
    el("h3", {}, "Related only"),
    el("p", {}, "These are not it, but they are about the same thing."),
    el(
      "ul",
      {},
      items.map((each) => el("li", {}, el("a", { href: siteUrl(each.path).href }, each.title), ": ", prose(each.why))),
    ),
  );
}
