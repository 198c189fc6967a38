/** After an answer in the page: keep what it took, so that the next one needs no network. */

import { siteUrl } from "./site.js";

/** `more` are the addresses that the matcher's worker loaded. Where the browser keeps nothing, nothing happens. */
export async function keepForOffline(more) {
  if (!("serviceWorker" in navigator)) return; // on plain http there is none
  try {
    await navigator.serviceWorker.register(siteUrl("sw.js"));
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const keep = [location.href.split("#")[0], ...loaded, ...more].filter((each) => each.startsWith(siteUrl("./").href));
    active.postMessage({ keep: [...new Set(keep)] });
  } catch {
    // Answers go on as before, with the network.
  }
}
