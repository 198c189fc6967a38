/** An answer shows a part of an entry. Where its text names another part, that becomes a link to the entry's page. */

import { el } from "../dom.js";
import { siteUrl } from "../site.js";

// As authors write them, and as the sections of entry pages are called.
const PLACES = /\b(Prevention)\b|\b(the tables?)\b(?: above| below)?/g;
const ANCHORS = [null, "prevention", "tables"]; // by the group of the expression

/** For the text of an entry: a function from plain text to its pieces, with links among them. */
export function placesOf(path) {
  return (text) => {
    const pieces = [];
    let at = 0;
    for (const found of text.matchAll(PLACES)) {
      const group = found[1] === undefined ? 2 : 1;
      const url = siteUrl(path);
      url.hash = ANCHORS[group];
      pieces.push(text.slice(at, found.index), el("a", { href: url.href }, found[group]));
      at = found.index + found[0].length;
    }
    return [...pieces, text.slice(at)];
  };
}
