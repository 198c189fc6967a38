/** When there is no answer: what went wrong, and what the person can do. */

import { el } from "../dom.js";
import { siteUrl } from "../site.js";

/** A file that was not read. */
export function refusedView(sentence) {
  return el("div", { class: "fb-notice", role: "alert" }, el("h2", {}, "Not a log"), el("p", {}, sentence));
}

/**
 * @param {Error & {stage?: string}} error from a matcher
 * @param {Function|null} useServer asks the server instead; null where no server answers
 */
export function problemView(error, useServer) {
  const title = error.stage === "load" ? "The matcher could not be started" : "The matcher stopped at this paste";
  return el(
    "div",
    { class: "fb-notice", role: "alert" },
    el("h2", {}, title),
    el("p", {}, `The reason given: ${error.message.replace(/[.]$/, "")}.`),
    useServer
      ? [
          el("p", {}, "Nothing has been sent. The server that this page came from can answer instead, if you like."),
          el(
            "button",
            { type: "button", class: "fb-button fb-button--main", on: { click: useServer } },
            `Send the paste to ${siteUrl("./").host}`,
          ),
        ]
      : el("p", {}, "Try another browser, or run ", el("code", {}, "kb match FILE"), " on your machine."),
  );
}
