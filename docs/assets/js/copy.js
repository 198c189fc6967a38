/** Buttons that copy. */

import { el } from "./dom.js";

/** A button that copies `text` and says so for a moment. `what` completes its label for screen readers. */
export function copyButton(text, what, shown = "Copy") {
  const button = el("button", { type: "button", class: "fb-copy", "aria-label": `Copy ${what}` }, shown);
  button.addEventListener("click", async () => {
    const done = await copy(text);
    button.textContent = done ? "Copied" : "Press Ctrl + C";
    setTimeout(() => {
      button.textContent = shown;
    }, 1800);
  });
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text); // no clipboard on plain http: select it in a field and ask the browser
  }
}

function copyOldWay(text) {
  const field = el("textarea", { class: "fb-visually-hidden", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
