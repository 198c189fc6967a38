/** A failure that nobody has written down yet: a form at the repository, filled in, and shown before anything leaves. */

import { el, folded } from "../dom.js";

const AROUND = 12; // lines before the first error, where versions and warnings stand
const AFTER = 4;
const WIDEST = 240; // characters of a line
const LONGEST = 7500; // characters of an address; forges refuse longer ones

/** Where the site knows its repository: the box with the text, and the link that takes it there. */
export function proposeView({ failures, verdict, report }, lines) {
  const repository = document.getElementById("diagnosis")?.dataset.repository;
  if (!repository || verdict !== "no_match" || !failures.length) return null;
  const { initiating } = failures[0];
  const title = el("input", { class: "fb-propose__text", type: "text", spellcheck: "false", "aria-label": "Its title" });
  title.value = `New failure: ${initiating.text.trim().slice(0, 90)}`;
  const text = el("textarea", { class: "fb-propose__text", rows: "14", spellcheck: "false", "aria-label": "What is sent" });
  text.value = bodyOf(initiating, lines, report.versions);
  const open = el("a", { class: "fb-button fb-button--main", rel: "noopener" }, "Open the form");
  const tooLong = el("p", { class: "fb-notice", role: "status", hidden: true }, "Too long for an address: shorten it.");
  const update = () => {
    const address = addressOf(repository, title.value, text.value);
    tooLong.hidden = address.length <= LONGEST;
    if (tooLong.hidden) open.href = address;
    else open.removeAttribute("href");
  };
  for (const field of [title, text]) field.addEventListener("input", update);
  update();
  return folded(
    "Propose an entry",
    el(
      "p",
      {},
      "This is what the form will hold, and all of it. Take out names, hosts and secrets, and say what it turned out to be. ",
      "Nothing leaves this page before you open the form.",
    ),
    title,
    text,
    tooLong,
    el("p", {}, open),
  );
}

function bodyOf({ line }, lines, versions) {
  const part = lines.slice(Math.max(0, line - 1 - AROUND), line + AFTER);
  const known = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    "What it was, and what helped:\n\n",
    known.length ? `Versions: ${known.join(", ")}\n\n` : "",
    "The first error and the lines around it:\n\n",
    part.map((each) => `    ${each.slice(0, WIDEST)}`).join("\n"),
    "\n",
  ].join("");
}

function addressOf(repository, title, body) {
  const query = new URLSearchParams({ title, body });
  return `${repository.replace(/\/+$/, "")}/issues/new?${query}`;
}
