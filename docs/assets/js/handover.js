/** A paste on its way to the home page. It travels in this tab's storage, never in an address. */

import { siteUrl } from "./site.js";

const KEY = "faultbook:paste";

/** Go to the home page with a paste. False when the tab's storage has no room for it. */
export function handOver(text) {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    return false;
  }
  location.assign(siteUrl("./"));
  return true;
}

/** The paste that another page handed over, once. */
export function takeOver() {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text;
  } catch {
    return null;
  }
}
