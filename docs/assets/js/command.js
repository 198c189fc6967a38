/** Commands and code to copy. */

import { copyButton } from "./copy.js";
import { el } from "./dom.js";

/** A block of code with a copy button. `what` says what is copied. */
export function command(text, what = "the command") {
  return el(
    "div",
    { class: "fb-code" },
    el("pre", { tabindex: "0" }, el("code", {}, text)),
    copyButton(text, what),
  );
}
