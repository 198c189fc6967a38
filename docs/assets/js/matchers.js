/** The two ways to an answer: the matcher in this page, and the API of the server that the page came from. */

import { siteUrl } from "./site.js";

const GRACE = 400; // ms that an older paste may still take before its worker is ended

/** `stage`: "load" when the matcher never came up, "match" when it failed on this paste, else "superseded". */
export class MatcherError extends Error {
  constructor(message, stage) {
    super(message);
    this.stage = stage;
  }
}

const superseded = () => new MatcherError("a newer paste was asked for", "superseded");
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * The matcher in a worker of this page. The worker starts with the first call; nothing is loaded before.
 *
 * Only the newest paste counts. A worker cannot be interrupted, so one that is still busy with an older paste is
 * ended and a new one started: that takes about a second, a log of 20 MB may take a minute.
 */
export class PageMatcher {
  loaded = []; // addresses of what the worker loaded
  #worker = null;
  #waiting = new Map();
  #calls = 0;
  #running = null; // the call that the worker is busy with, once it is loaded
  #newest = 0;
  #onProgress;

  constructor(onProgress) {
    this.#onProgress = onProgress;
  }

  /** Begin to load, so that the answer comes sooner. Failing shows when an answer is asked for. */
  warm() {
    this.#call({}).catch(() => {});
  }

  /** The diagnosis of a paste. Fails with `MatcherError` of stage "superseded" where a newer one was asked for. */
  async match(text, given) {
    this.#newest += 1;
    const mine = this.#newest;
    // A small paste is answered sooner than a new worker starts.
    if (this.#running) await Promise.race([this.#running.catch(() => {}), pause(GRACE)]);
    this.#checkIsNewest(mine);
    if (this.#running) this.#end();
    await this.#call({});
    this.#checkIsNewest(mine);
    const running = this.#call({ text, given });
    this.#running = running;
    try {
      return JSON.parse(await running);
    } finally {
      if (this.#running === running) this.#running = null;
    }
  }

  /** A text without its secrets. */
  redact(text) {
    return this.#call({ redact: text });
  }

  /** Forget what was asked. */
  stop() {
    this.#newest += 1;
    if (this.#running) this.#end();
  }

  #checkIsNewest(mine) {
    if (mine !== this.#newest) throw superseded();
  }

  /** End the worker with all that it was asked. */
  #end() {
    this.#worker.terminate();
    this.#running = null;
    this.#fail(superseded());
  }

  #fail(error) {
    const calls = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#worker = null;
    for (const { reject } of calls) reject(error);
  }

  #call(message) {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#start().postMessage({ id, ...message });
    });
  }

  #start() {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("matcher-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#fail(new MatcherError("its worker did not start", "load"));
    });
    this.#worker = worker;
    return worker;
  }

  #receive({ id, progress, loaded, answer, failed, stage }) {
    if (progress !== undefined) {
      this.#onProgress(progress);
      return;
    }
    if (loaded !== undefined) {
      this.loaded = loaded;
      return;
    }
    const call = this.#waiting.get(id);
    if (!call) return; // of a worker that was ended
    const { resolve, reject } = call;
    this.#waiting.delete(id);
    if (failed === undefined) resolve(answer);
    else reject(new MatcherError(failed, stage));
  }
}

/** The API on this site's own server. */
export class ServerMatcher {
  #asking = new AbortController();

  /** Nothing to load. */
  warm() {}

  /** Forget what was asked. */
  stop() {
    this.#asking.abort();
  }

  /** Whether there is one. */
  async answers() {
    try {
      return (await fetch(siteUrl("healthz"))).ok;
    } catch {
      return false;
    }
  }

  /** The diagnosis of a paste. Fails as PageMatcher's does where a newer one was asked for. */
  async match(text, given) {
    this.stop();
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    let response;
    try {
      response = await fetch(siteUrl("api/match"), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text, given }),
        signal,
      });
    } catch {
      if (signal.aborted) throw superseded();
      throw new MatcherError("the server cannot be reached", "load");
    }
    if (response.ok) return response.json();
    const body = await response.json().catch(() => ({}));
    const detail = body.detail ?? `the server answered ${response.status}`;
    throw new MatcherError(detail, "match");
  }
}
