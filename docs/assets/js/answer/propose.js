/** A failure that nobody has written down yet: a form at the repository, filled in, and shown before anything leaves. */

import { el, folded } from "../dom.js";
import { takenOutView } from "./taken-out.js";

const CONTEXT = 200; // lines read before those that are shown: a key or a cookie may begin there
const AROUND = 12; // lines before the first error, where versions and warnings stand
const AFTER = 4;
const WIDEST = 240; // characters of a line
const LONGEST = 7500; // characters of an address; forges refuse longer ones

/**
 * Where the site knows its repository: the box with the text, and the link that takes it there.
 *
 * @param {(text: string) => Promise<string>} redact takes secrets out; fails where it cannot
 */
export function proposeView(diagnosis, lines, redact) {
  const repository = document.getElementById("diagnosis")?.dataset.repository;
  if (!repository || diagnosis.verdict !== "no_match" || !diagnosis.failures.length) return null;
  const form = proposalForm(repository);
  const told = el("p", { role: "status" }, "Taking secrets out …");
  const view = folded(
    "Propose an entry",
    el("p", {}, "This is what the form will hold, and all of it. Nothing leaves this page before you open the form."),
    told,
    form.view,
  );
  view.addEventListener("toggle", () => fill(form, told, diagnosis, lines, redact), { once: true });
  return view;
}

/** Put the text without its secrets into the form, and say what was taken out. */
async function fill(form, told, { failures: [{ initiating }], report }, lines, redact) {
  const at = initiating.line - 1;
  const from = Math.max(0, at - AROUND);
  const readFrom = Math.max(0, from - CONTEXT);
  const before = lines.slice(readFrom, at + 1 + AFTER);
  const shown = (part) => part.slice(from - readFrom);
  let after = before;
  try {
    after = (await redact(before.join("\n"))).split("\n");
    told.textContent =
      "Tokens, passwords, keys, addresses and user names were taken out where they have a known form. Read the rest, " +
      "take out what must not be public, and say what it turned out to be.";
    told.after(takenOutView(shown(before), shown(after)));
  } catch {
    told.textContent =
      "Secrets could not be looked for in this page. Take names, hosts and secrets out yourself, " +
      "and say what it turned out to be.";
  }
  form.fill(`New failure: ${after[at - readFrom].trim().slice(0, 90)}`, bodyOf(shown(after), report.versions));
}

/** Title, text and the link that holds both as they stand. `fill` sets them; before, the link leads nowhere. */
function proposalForm(repository) {
  const props = { class: "fb-propose__text", spellcheck: "false" };
  const title = el("input", { ...props, type: "text", "aria-label": "Its title" });
  const text = el("textarea", { ...props, rows: "14", "aria-label": "What is sent" });
  const open = el("a", { class: "fb-button fb-button--main", rel: "noopener" }, "Open the form");
  const tooLong = el("p", { class: "fb-notice", role: "status", hidden: true }, "Too long for an address: shorten it.");
  const update = () => {
    const address = addressOf(repository, title.value, text.value);
    tooLong.hidden = address.length <= LONGEST;
    if (tooLong.hidden) open.href = address;
    else open.removeAttribute("href");
  };
  for (const field of [title, text]) field.addEventListener("input", update);
  const fillIn = (name, body) => {
    [title.value, text.value] = [name, body];
    update();
  };
  return { view: el("div", {}, title, text, tooLong, el("p", {}, open)), fill: fillIn };
}

function bodyOf(part, versions) {
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
