/** Boxes that stay ticked on this device, until somebody unticks them all. */

import { el } from "./dom.js";

/** Start the checklist of the page, if it has one. */
export function startChecklist() {
  const list = document.querySelector(".task-list");
  if (!list) return;
  const key = `faultbook:ticked:${location.pathname}`;
  const steps = [...list.querySelectorAll("input[type=checkbox]")].map((box) => ({
    box,
    // A step is known by its words, so that a new one above it does not move the ticks.
    words: (box.closest("p") ?? box.parentElement).textContent.trim(),
  }));
  const reset = el("button", { type: "button", class: "fb-button fb-button--quiet fb-reset", hidden: true }, "Untick all");
  const show = () => {
    reset.hidden = !steps.some(({ box }) => box.checked);
  };
  const save = () => {
    store(key, steps.filter(({ box }) => box.checked).map(({ words }) => words));
    show();
  };
  const ticked = new Set(stored(key));
  for (const { box, words } of steps) {
    box.setAttribute("aria-label", words);
    box.checked = ticked.has(words);
    box.addEventListener("change", save);
  }
  reset.addEventListener("click", () => {
    for (const { box } of steps) box.checked = false;
    steps[0].box.focus(); // the button goes away
    save();
  });
  list.after(reset);
  show();
}

function stored(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]");
  } catch {
    return []; // no storage here, or somebody else's text in it
  }
}

function store(key, words) {
  try {
    if (words.length) localStorage.setItem(key, JSON.stringify(words));
    else localStorage.removeItem(key);
  } catch {
    // The ticks last as long as the page.
  }
}
