/**
 * The matcher in its own thread. Messages in: {id, text, given} to match, {id, redact} with a text to take secrets out
 * of, {id} to warm up. Messages out: {id, answer}, {id, failed, stage}, {progress} or {loaded}. No message out holds
 * text of the paste except the answer.
 */

import { boot } from "./matcher-boot.js";

const FILES = new URL("../matcher/", import.meta.url);
let starting = null;
const passedOver = new Set(); // addresses that were asked for and not taken

async function get(name, cache = "default") {
  const response = await fetch(new URL(name, FILES), { cache });
  if (!response.ok) throw new Error(`${name} answered ${response.status}`);
  return response;
}

/**
 * A large file, compressed on the way. Most hosts compress no archive, and some nothing at all: there it comes from
 * its compressed sibling, which every build has.
 */
async function getLarge(name) {
  const plain = await get(name).catch(() => null); // without a network the sibling alone may be kept
  if (plain?.headers.has("Content-Encoding")) return plain;
  plain?.body.cancel();
  passedOver.add(new URL(name, FILES).href);
  const packed = await get(`${name}.gz`);
  if (packed.headers.has("Content-Encoding")) return packed; // the browser has opened it
  return new Response(packed.body.pipeThrough(new DecompressionStream("gzip")));
}

const bytes = async (response) => new Uint8Array(await (await response).arrayBuffer());

async function start() {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  postMessage({ progress: "Loading the matcher into this page (once; later from the cache) …" });
  // The manifest names every other file by its contents, so only it has to be asked for anew.
  const names = await (await get("manifest.json", "no-cache")).json();
  const folder = new URL(names.pyodide, FILES);
  const [matcher, library] = [names.matcher, names.library].map((name) => bytes(getLarge(name)));
  const index = getLarge(names.index).then((response) => response.text());
  for (const part of [matcher, library, index]) part.catch(() => {}); // told where it is awaited
  const { loadPyodide } = await import(new URL("pyodide.mjs", folder));
  const options = {
    indexURL: folder.href,
    stdLibURL: new URL(names.nothing, FILES).href, // it asks for one in any case; ours comes with the matcher
    lockFileContents: names.lock, // names no package, so none can be fetched from elsewhere
  };
  const python = await boot(loadPyodide, { matcher, library, index, options });
  postMessage({ progress: "" });
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  postMessage({ loaded: loaded.filter((each) => !passedOver.has(each)) });
  return python;
}

/** What a person may read of an error: for one in Python its kind and place, never its text. */
function words(error) {
  const text = String(error?.message ?? error);
  if (error?.name !== "PythonError") return text;
  return /MatcherFailed: (.*)/.exec(text)?.[1] ?? error.type ?? "an error in the matcher";
}

/** What a message asks for. */
function answerTo({ text, given, redact }, python) {
  if (redact !== undefined) return python.redact(redact);
  return text === undefined ? null : python.match(text, JSON.stringify(given));
}

addEventListener("message", async ({ data }) => {
  const { id } = data;
  let python;
  try {
    starting ??= start();
    python = await starting;
  } catch (error) {
    starting = null; // the next message tries again
    postMessage({ id, failed: words(error), stage: "load" });
    return;
  }
  try {
    postMessage({ id, answer: answerTo(data, python) });
  } catch (error) {
    postMessage({ id, failed: words(error), stage: "match" });
  }
});
