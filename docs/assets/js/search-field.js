/** The site's search field takes pastes too: a traceback in it opens the diagnosis, words stay a word search. */

import { handOver } from "./handover.js";

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
    leaveSearch(field);
    if (open) open(text);
    else if (!handOver(text)) field.placeholder = "Too large for here: paste it on the home page";
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !isPaste(field.value)) return;
    event.preventDefault();
    event.stopPropagation();
    const text = field.value;
    leaveSearch(field);
    if (open) open(text);
    else handOver(text);
  }, { capture: true });
}

function leaveSearch(field) {
  field.value = "";
  field.blur();
  const toggle = document.getElementById("__search");
  if (toggle?.checked) toggle.click();
}
