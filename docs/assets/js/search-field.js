/** The site's search field takes pastes too: a traceback in it opens the diagnosis, words stay a word search. */

import { el } from "./dom.js";
import { handOver } from "./handover.js";
import { siteUrl } from "./site.js";

const NAMED_ERROR = /\b[\w.:]*(?:Error|Exception|Failure)\b\s*:\s*\S/;
const LONG = 70; // nobody types this much to find a page; error lines are longer

/** Whether a text is a paste and no words to search for. */
export function isPaste(text) {
  const trimmed = text.trim();
  return /[\r\n]/.test(trimmed) || NAMED_ERROR.test(trimmed) || (trimmed.length >= LONG && /\s/.test(trimmed));
}

/**
 * Watch the search field. `open` takes the paste on the home page itself; elsewhere it is handed over.
 * A field would drop the line ends, so the clipboard is read before it does.
 */
export function watchSearchField(open) {
  const field = document.querySelector('[data-md-component="search-query"]');
  if (!field) return;
  field.placeholder = "Search, or paste an error";
  field.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isPaste(text)) return;
    event.preventDefault();
    diagnose(field, text, open);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !isPaste(field.value)) return;
    event.preventDefault();
    event.stopPropagation();
    diagnose(field, field.value, open);
  }, { capture: true });
  field.addEventListener("input", () => note(field)?.remove());
}

function diagnose(field, text, open) {
  note(field)?.remove();
  if (open) {
    leaveSearch(field);
    open(text);
  } else if (handOver(text)) {
    leaveSearch(field);
  } else {
    sayThatItStays(field);
  }
}

const found = (field) => field.closest(".md-search").querySelector(".md-search__scrollwrap");
const note = (field) => found(field).querySelector(".fb-search-note");

/** The paste could not travel: what is in the field stays there, and the person is told the way. */
function sayThatItStays(field) {
  found(field).prepend(
    el(
      "p",
      { class: "fb-search-note", role: "alert" },
      "There is no room in this tab to carry your paste to another page. ",
      el("a", { href: siteUrl("./").href }, "Open the diagnosis page"),
      " and paste it there.",
    ),
  );
}

function leaveSearch(field) {
  field.value = "";
  field.blur();
  const toggle = document.getElementById("__search");
  if (toggle?.checked) toggle.click();
}
