/** The switch "Only on this device": whether this page answers, or the server that it came from. */

import { siteUrl } from "./site.js";

const KEY = "faultbook:answered-by";
const HERE = "Your paste stays in this tab: the matcher itself is loaded into the page and nothing is uploaded.";

/**
 * On until somebody turns it off, which lasts on this device. Where no server answers it goes back on; none is asked
 * before.
 * @param {(name: string) => HTMLElement} part elements of the page by name
 * @param {() => Promise<boolean>} serverAnswers
 */
export function deviceSwitch(part, serverAnswers) {
  const box = part("here");
  let isOn = !stored();
  const show = (sentence) => {
    box.checked = isOn;
    part("privacy").textContent = sentence;
  };
  const set = (on) => {
    isOn = on;
    store(on);
    show(on ? HERE : `Your paste is sent to ${siteUrl("./").host}, which answers and does not keep it.`);
  };
  box.addEventListener("change", async () => {
    if (box.checked) return set(true);
    const found = await serverAnswers();
    if (box.checked) return; // turned on again meanwhile
    if (found) set(false);
    else show("No server answers at this address, so your paste stays in this tab.");
  });
  box.disabled = false;
  if (!isOn) set(false);
  return {
    isOn: () => isOn,
    turnOff: () => set(false),
  };
}

function stored() {
  try {
    return localStorage.getItem(KEY) === "server";
  } catch {
    return false;
  }
}

function store(isOn) {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "server");
  } catch {
    // The choice lasts as long as the page.
  }
}
