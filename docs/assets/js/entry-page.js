/** Entry pages: placeholders in templates and commands are marked. The page is complete without it. */

import { el } from "./dom.js";

const TEMPLATE_SLOT = /((?<!\\)\{[a-z_][a-z0-9_]*(?::[a-z?]+)?\})/;
const COMMAND_SLOT = /(@[a-z][a-z0-9_]*@)/;

/** Mark the placeholders of all blocks of code. */
export function markSlots() {
  for (const [selector, slot] of [
    [".fb-template code", TEMPLATE_SLOT],
    [".fb-command code, :is(p, li) > code", COMMAND_SLOT],
  ]) {
    for (const code of document.querySelectorAll(selector)) markIn(code, slot);
  }
}

function markIn(code, slot) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (slot.test(walker.currentNode.data)) found.push(walker.currentNode);
  for (const node of found) {
    const parts = node.data.split(slot);
    node.replaceWith(...parts.map((part, at) => (at % 2 ? el("mark", { class: "fb-slot" }, part) : part)));
  }
}
