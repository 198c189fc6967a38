/** The values that commands need: a field for each, and every command on the page follows it. */

import { el } from "./dom.js";

const PLACEHOLDER = /^@([a-z][a-z0-9_]*)@$/;
// What an address may fill in. Anybody can write a link, and what stands in a command is run by whoever copies it:
// nothing that a shell reads as more than a word.
const WORD = /^[\w.:/+=,-]{1,120}$/;

/** Turn the examples of the table into fields, and take what the address brings along. */
export function startFillIn() {
  const fields = new Map();
  for (const code of document.querySelectorAll("td:first-child > code")) {
    const name = PLACEHOLDER.exec(code.textContent)?.[1];
    if (!name) continue;
    fields.set(name, fieldIn(code.closest("tr").cells, name));
    code.closest("tbody").classList.add("fb-fields");
  }
  const take = () => takeFromAddress(fields);
  addEventListener("hashchange", take);
  take();
}

function fieldIn([, label, example], name) {
  const slots = [...document.querySelectorAll("mark.fb-slot")].filter((slot) => slot.textContent === `@${name}@`);
  const field = el("input", {
    class: "fb-field",
    type: "text",
    "aria-label": label.textContent,
    placeholder: example?.textContent.trim() || false,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    on: { input: () => fill(slots, name, field.value.trim()) },
  });
  example?.replaceChildren(field);
  return field;
}

function fill(slots, name, value) {
  for (const slot of slots) {
    slot.textContent = value || `@${name}@`;
    slot.classList.toggle("fb-slot--filled", Boolean(value));
  }
}

/** `#cause-x&rank=64`: where to go, and what the message said. */
function takeFromAddress(fields) {
  const [place, ...pairs] = location.hash.slice(1).split("&");
  for (const [name, value] of new URLSearchParams(pairs.join("&"))) {
    const field = fields.get(name);
    if (field && WORD.test(value)) {
      field.value = value;
      field.dispatchEvent(new Event("input"));
    }
  }
  if (pairs.length) document.getElementById(place)?.scrollIntoView();
}
