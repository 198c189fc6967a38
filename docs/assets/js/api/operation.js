/** One request of the API: what it does, a form to try it, and what may come back. */

import { copyButton } from "../copy.js";
import { el, prose } from "../dom.js";
import { bodyFields, parameterFields } from "./fields.js";
import { curl, requestOf } from "./request.js";
import { tableView, typeWords } from "./schema.js";

const LONGEST = 100_000; // characters of an answer that are shown

export function operationView(operation) {
  const { path, method, summary, description = "", responses } = operation;
  return el(
    "details",
    { class: "api-operation", id: operation.operationId, "data-path": path },
    el(
      "summary",
      {},
      el("h3", {}, el("span", { class: `api-method api-method--${method}` }, method.toUpperCase()), " ", el("code", {}, path), " ", el("span", { class: "api-says" }, summary)),
    ),
    description.split("\n\n").map((part) => el("p", {}, prose(part))),
    formView(operation),
    el("h4", {}, "What may come back"),
    answersView(responses, summary),
  );
}

function formView(operation) {
  const parameters = parameterFields(operation);
  const body = bodyFields(operation);
  const answer = el("div", { class: "api-answer" });
  const command = el("div", { class: "api-command" });
  const form = el(
    "form",
    { "aria-label": operation.summary },
    parameters.view,
    body.view,
    command,
    el("button", { type: "submit", class: "api-send" }, "Send"),
    answer,
  );
  const request = () => requestOf(operation, parameters.values(), body.value());
  const show = () => {
    const line = curl(request());
    command.replaceChildren(el("pre", { tabindex: "0", role: "region", "aria-label": `Command: ${operation.summary}` }, el("code", {}, line)), copyButton(line, "command"));
  };
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(request(), answer, operation.summary);
  });
  show();
  return form;
}

async function send({ address, options }, answer, label) {
  const told = el("p", { role: "status" }, "Waiting for the answer …");
  answer.replaceChildren(told);
  const begin = performance.now();
  try {
    const response = await fetch(address, options);
    const text = await response.text();
    const took = Math.round(performance.now() - begin);
    told.replaceChildren(el("strong", {}, `${response.status} ${response.statusText}`), ` after ${took} ms, ${response.headers.get("content-type") ?? "without a body"}`);
    if (text) answer.append(el("pre", { tabindex: "0", role: "region", "aria-label": `Answer: ${label}` }, el("code", {}, shortened(indented(text)))));
  } catch (error) {
    told.textContent = `No answer: ${error.message}`;
  }
}

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function shortened(text) {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… and ${(text.length - LONGEST).toLocaleString("en")} characters more` : text;
}

function answersView(responses, summary) {
  const rows = Object.entries(responses)
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([status, { description, content = {} }]) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, status),
        el("td", {}, prose(description)),
        el("td", {}, Object.entries(content).map(([media, { schema }]) => el("div", {}, el("code", {}, media), " ", typeWords(schema)))),
      ),
    );
  const head = el("tr", {}, ["Status", "When", "Form"].map((each) => el("th", { scope: "col" }, each)));
  return tableView(`Answers: ${summary}`, head, rows);
}
