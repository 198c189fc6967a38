/** What was found, in the form in which Material draws results: titles and texts are HTML, marked where found. */

import { chunks, words } from "./words.js";

const BEFORE = 6; // words of a text that are shown before the first one found
const SHOWN = 32;

/** @param {{entry: object, score: number, words: string[], typed: string[]}} found by WordSearch */
export function entryItem({ entry, score, words: found, typed }, query) {
  const isFound = new Set(found);
  return {
    location: entry.path,
    title: marked(entry.title, isFound),
    text: `<p>${teaser(entry.summary, isFound)}</p>`,
    score,
    terms: terms(query, new Set(typed)),
  };
}

/**
 * Pages that are no entries and whose title has every word that was typed, or begins one with it.
 * @param {Array<{location: string, title: string, text: string}>} docs as the generator indexed them, in HTML
 */
export function pageItems(docs, query) {
  const asked = chunks(query).map((chunk) => chunk.words[0]).filter(Boolean);
  return docs
    .filter((doc) => !doc.location.includes("#"))
    .filter((doc) => {
      const own = words(plain(doc.title));
      return asked.length && asked.every((word) => own.some((each) => each.startsWith(word)));
    })
    .map((doc) => ({ ...doc, title: doc.title, text: "", score: 1000, terms: {} }));
}

/** Each thing typed, and whether something was found by it; Material names the others as missing. */
function terms(query, typed) {
  const asked = chunks(query).filter((chunk) => chunk.words.length);
  return Object.fromEntries(asked.map((chunk) => [chunk.text, chunk.words.some((word) => typed.has(word))]));
}

/** The text as HTML, with what was found in marks. */
function marked(text, isFound) {
  let at = 0;
  let html = "";
  const source = text.normalize("NFKC");
  for (const chunk of chunks(source)) {
    if (!chunk.words.some((word) => isFound.has(word))) continue;
    const name = chunk.text.replace(/[.:!?]+$/, ""); // the end of a sentence is no part of it
    html += `${escaped(source.slice(at, chunk.at))}<mark data-md-highlight>${escaped(name)}</mark>`;
    at = chunk.at + name.length;
  }
  return html + escaped(source.slice(at));
}

/** The part of a text around the first thing found in it. */
function teaser(text, isFound) {
  const parts = text.split(" ");
  const first = parts.findIndex((part) => words(part).some((word) => isFound.has(word)));
  const from = Math.max(0, Math.min(first - BEFORE, parts.length - SHOWN));
  const shown = parts.slice(from, from + SHOWN).join(" ");
  const [before, after] = [from > 0 ? "… " : "", from + SHOWN < parts.length ? " …" : ""];
  return `${before}${marked(shown, isFound)}${after}`;
}

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

/** The text of a title in HTML. */
function plain(html) {
  return html.replace(/<[^>]*>/g, " ").replace(/&[a-z#0-9]+;/g, " ");
}
