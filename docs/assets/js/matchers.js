/** The two ways to an answer: the matcher in this page, and the API of the server that the page came from. */

import { siteUrl } from "./site.js";

/** `stage` is "load" when the matcher never came up, "match" when it failed on this paste. */
export class MatcherError extends Error {
  constructor(message, stage) {
    super(message);
    this.stage = stage;
  }
}

/** The matcher in a worker of this page. The worker starts with the first call; nothing is loaded before. */
export class PageMatcher {
  #worker = null;
  #waiting = new Map();
  #calls = 0;
  #onProgress;

  constructor(onProgress) {
    this.#onProgress = onProgress;
  }

  /** Begin to load, so that the answer comes sooner. Failing shows when an answer is asked for. */
  warm() {
    this.#call({}).catch(() => {});
  }

  /** The diagnosis of a paste. */
  async match(text, given) {
    return JSON.parse(await this.#call({ text, given }));
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
    this.#worker = new Worker(new URL("matcher-worker.js", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }) => this.#receive(data));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      for (const { reject } of this.#waiting.values()) reject(new MatcherError("its worker did not start", "load"));
      this.#waiting.clear();
      this.#worker = null;
    });
    return this.#worker;
  }

  #receive({ id, progress, answer, failed, stage }) {
    if (progress !== undefined) {
      this.#onProgress(progress);
      return;
    }
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failed === undefined) resolve(answer);
    else reject(new MatcherError(failed, stage));
  }
}

/** The API on this site's own server. */
export class ServerMatcher {
  /** Nothing to load. */
  warm() {}

  /** Whether there is one. */
  async answers() {
    try {
      return (await fetch(siteUrl("healthz"))).ok;
    } catch {
      return false;
    }
  }

  /** The diagnosis of a paste. */
  async match(text, given) {
    let response;
    try {
      response = await fetch(siteUrl("api/match"), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text, given }),
      });
    } catch {
      throw new MatcherError("the server cannot be reached", "load");
    }
    if (response.ok) return response.json();
    const body = await response.json().catch(() => ({}));
    const detail = body.detail ?? `the server answered ${response.status}`;
    throw new MatcherError(detail, "match");
  }
}
