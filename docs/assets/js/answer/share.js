/** An answer to take along: as Markdown for an issue or a chat, as JSON for a program. */

import { copyButton } from "../copy.js";
import { el } from "../dom.js";
import { entryUrl } from "./hypothesis.js";
import { percent, processWords } from "./words.js";

/** The two buttons below an answer. */
export function shareView(diagnosis) {
  return el(
    "p",
    { class: "fb-share" },
    copyButton(asMarkdown(diagnosis), "as Markdown", "Copy as Markdown"),
    copyButton(JSON.stringify(diagnosis, null, 2), "as JSON", "Copy as JSON"),
  );
}

/** The answer in short. What comes from the paste is indented, so that nothing in it becomes markup. */
export function asMarkdown({ verdict, failures, related }) {
  const parts = failures.flatMap((failure) => failureParts(failure, verdict));
  const also = related.map((each) => `- ${link(each.title, each.path)}`);
  if (!failures.length) parts.push("Faultbook: nothing failed in this paste.");
  if (also.length) parts.push(`Related only:\n\n${also.join("\n")}`);
  return `${parts.join("\n\n")}\n`;
}

function failureParts({ initiating, hypotheses: [first, ...rivals], next_check: check }, verdict) {
  const known = first && verdict !== "no_match";
  const who = processWords(initiating.process);
  return [
    known ? `**${link(first.title, first.path, first.cause)}** (${percent(first.confidence)})` : "**Not a failure that Faultbook knows**",
    `Failed first, line ${initiating.line}${who ? ` (${who})` : ""}:`,
    indented(initiating.text),
    ...(known ? fixParts(first) : []),
    known && rivals.length ? `Or it could be: ${rivals.map((each) => `${link(each.title, each.path, each.cause)} (${percent(each.confidence)})`).join("; ")}` : "",
    known && check?.look ? `To decide: ${check.look}` : "",
    known && check?.run ? indented(check.run) : "",
  ].filter(Boolean);
}

function fixParts({ cause_title: cause, confirm, fix }) {
  const [form] = Object.values(fix?.forms ?? {});
  return [
    cause ? `Cause: ${cause}` : "",
    confirm?.run ? `Be sure:\n\n${indented(confirm.run)}` : "",
    fix ? `Fix: ${fix.summary}` : "",
    form ? indented(form) : "",
  ];
}

function link(title, path, cause) {
  return `[${title.replace(/[[\]\\]/g, "\\$&")}](${entryUrl(path, cause)})`;
}

function indented(text) {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}
