/** A hypothesis in full, and the rivals in short. */

import { count, el, folded, prose } from "../dom.js";
import { siteUrl } from "../site.js";
import { evidenceList } from "./evidence.js";
import { fixParts, look, part } from "./fix.js";
import { placesOf } from "./places.js";
import { percent } from "./words.js";

const QUALITY = {
  variant: "the message is worded a little differently than known",
  partial: "the message is damaged or cut off in the paste",
};

/** The address of an entry's page, at the cause where one is named. */
export function entryUrl(path, cause) {
  const url = siteUrl(path);
  if (cause) url.hash = `cause-${cause}`;
  return url.href;
}

/**
 * The same, with what its message said and the value to set: they fill the commands of the page. Nothing else of the
 * paste goes along, and what stands behind a number sign stays in the browser.
 */
export function filledUrl({ path, cause, evidence, fix }) {
  const said = Object.assign({}, ...evidence.map((each) => each.captures), fix?.set ? { value: fix.set.value } : {});
  const url = new URL(entryUrl(path, cause));
  const filled = new URLSearchParams(said).toString();
  if (filled) url.hash = `${url.hash.slice(1)}&${filled}`;
  return url.href;
}

/** The best hypothesis: short answer, how to be sure, the fix, what not to do. */
export function best(hypothesis, isSure) {
  const linked = placesOf(hypothesis.path);
  return el(
    "article",
    { class: "fb-best" },
    hypothesis.cause_title ? el("h3", {}, prose(hypothesis.cause_title)) : null,
    badges(hypothesis),
    el("p", { class: "fb-short" }, prose(hypothesis.summary, linked)),
    part("Be sure", look(hypothesis.confirm, "the command that confirms it", linked)),
    fixParts(hypothesis.fix, isSure, linked),
    el(
      "p",
      { class: "fb-more" },
      el("a", { href: filledUrl(hypothesis) }, "Everything on this failure"),
    ),
  );
}

function badges(hypothesis) {
  const badge = (kind, text) => el("span", { class: `fb-badge fb-badge--${kind}` }, text);
  return el(
    "p",
    { class: "fb-badges" },
    hypothesis.kind ? badge(hypothesis.kind, hypothesis.kind) : null,
    badge(hypothesis.status, hypothesis.status === "reviewed" ? "reviewed" : `${hypothesis.status}: read with care`),
    hypothesis.applies === "yes" ? badge("applies", "your version is affected") : null,
    hypothesis.applies === "no" ? badge("outside", "your version is outside the known range") : null,
    hypothesis.fixed_in ? badge("fixed", `fixed in ${hypothesis.fixed_in}`) : null,
    QUALITY[hypothesis.quality] ? badge("quality", QUALITY[hypothesis.quality]) : null,
  );
}

/** Why the best one is believed. */
export function why(hypothesis, lines) {
  if (!hypothesis.evidence.length) return null;
  return el(
    "section",
    { class: "fb-aside" },
    el("h4", {}, "Why"),
    el("p", { class: "fb-aside__key" }, "What speaks for it (+) and against it (−), by weight"),
    evidenceList(hypothesis.evidence, lines),
  );
}

/** All hypotheses with their confidence; those after the first open to their reasons and fix. */
export function rivals(hypotheses, lines) {
  if (hypotheses.length < 2) return null;
  return el(
    "section",
    { class: "fb-aside" },
    el("h4", {}, "What else it could be"),
    el("ul", { class: "fb-rivals fb-plain" }, hypotheses.map((each, at) => rival(each, at === 0, lines))),
  );
}

/** What was thought of and not believed, for a failure that no entry explains. */
export function doubted(hypotheses, lines) {
  if (!hypotheses.length) return null;
  return folded(
    `${count(hypotheses.length, "entry", "entries")} considered and not believed`,
    el("ul", { class: "fb-rivals fb-plain" }, hypotheses.map((each) => rival(each, false, lines))),
  );
}

function rival(hypothesis, isBest, lines) {
  const name = hypothesis.cause_title ?? hypothesis.title;
  const head = [
    el("span", { class: "fb-rival__confidence" }, percent(hypothesis.confidence)),
    el("span", { class: "fb-rival__name" }, prose(name)),
    el("span", { class: "fb-rival__bar", "aria-hidden": "true" }, bar(hypothesis.confidence)),
  ];
  if (isBest) return el("li", { class: "fb-rival fb-rival--best" }, el("div", { class: "fb-rival__head" }, head));
  return el(
    "li",
    { class: "fb-rival" },
    el(
      "details",
      {},
      el("summary", { class: "fb-rival__head" }, head),
      el(
        "div",
        { class: "fb-rival__body" },
        el("p", {}, prose(hypothesis.summary)),
        hypothesis.evidence.length ? evidenceList(hypothesis.evidence, lines) : null,
        hypothesis.fix ? el("p", {}, el("strong", {}, "Fix: "), prose(hypothesis.fix.summary, placesOf(hypothesis.path))) : null,
        el("p", {}, el("a", { href: entryUrl(hypothesis.path, hypothesis.cause) }, hypothesis.title)),
      ),
    ),
  );
}

function bar(confidence) {
  const filled = el("span", {});
  filled.style.inlineSize = `${Math.round(confidence * 100)}%`;
  return filled;
}
