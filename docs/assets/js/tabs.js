/** Tabs as the ARIA pattern has them: arrow keys move, only the chosen tab is in the tab order. */

import { el } from "./dom.js";

let made = 0;

/**
 * @param {string} label what the tabs are about, for screen readers
 * @param {Array<{name: string, body: Node}>} pages
 * @returns {HTMLElement} the page alone where there is one
 */
export function tabs(label, pages) {
  made += 1;
  const group = `fb-tabs-${made}`;
  const buttons = pages.map(({ name }, at) =>
    el("button", { type: "button", role: "tab", id: `${group}-tab-${at}`, "aria-controls": `${group}-page-${at}` }, name),
  );
  const panels = pages.map(({ body }, at) =>
    el("div", { role: "tabpanel", id: `${group}-page-${at}`, "aria-labelledby": `${group}-tab-${at}` }, body),
  );
  const choose = (chosen, focus) => {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === chosen));
      button.tabIndex = at === chosen ? 0 : -1;
      panels[at].hidden = at !== chosen;
    });
    if (focus) buttons[chosen].focus();
  };
  buttons.forEach((button, at) => {
    button.addEventListener("click", () => choose(at, false));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: pages.length - 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      choose((step + pages.length) % pages.length, true);
    });
  });
  choose(0, false);
  return el("div", { class: "fb-tabs" }, el("div", { role: "tablist", "aria-label": label }, buttons), panels);
}
