/**
 * Keeps what was used for when there is no network. The network is always asked first, so nobody reads an old page
 * or is answered by an old matcher while a newer one can be had. Registered by assets/js/keep.js after an answer.
 */

const KEPT = "faultbook";

addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url);
  if (request.method !== "GET" || path.origin !== location.origin || isDynamic(path.pathname)) return;
  event.respondWith(networkFirst(request));
});

/** {keep: addresses that the page and its matcher loaded}: they were loaded before this script was there. */
addEventListener("message", (event) => {
  if (Array.isArray(event.data?.keep)) event.waitUntil(keep(event.data.keep));
});

/** What a server works out anew for each request. */
function isDynamic(path) {
  const inside = path.slice(new URL(registration.scope).pathname.length);
  return /^(api\/(?!errors\/[^/]+\.json$)|mcp|healthz|readyz|metrics)/.test(inside);
}

/** The matcher's files but its manifest. A newer one has another name, so an address means the same for ever. */
function isNamedByContents(address) {
  return address.includes("/assets/matcher/") && !address.endsWith("/manifest.json");
}

async function networkFirst(request) {
  const cache = await caches.open(KEPT);
  try {
    const response = await fetch(request, request.mode === "navigate" ? { cache: "no-cache" } : {});
    if (isNamedByContents(request.url)) return response; // large, and kept after the answer
    if (response.ok && response.type === "basic") cache.put(request, response.clone()).catch(() => {}); // no room
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

async function keep(addresses) {
  const cache = await caches.open(KEPT);
  const wanted = new Set(addresses);
  const kept = new Set((await cache.keys()).map(({ url }) => url).filter(isNamedByContents));
  // Files of an older matcher are never asked for again.
  if (addresses.some(isNamedByContents)) {
    for (const url of kept) if (!wanted.has(url)) await cache.delete(url);
  }
  const missing = addresses.filter((address) => !kept.has(address));
  await Promise.allSettled(missing.map((address) => cache.add(address)));
}
