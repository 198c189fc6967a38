/** The fields of a request's form: its parameters, and its body in each of the media types it may have. */

import { el, prose } from "../dom.js";

/** @returns {{view: Node, values: () => {name: string, in: string, value: string}[]}} */
export function parameterFields({ parameters = [], operationId }) {
  const fields = parameters.map((parameter) => ({ parameter, control: controlOf(parameter) }));
  const view = fields.map(({ parameter, control }) => labelled(control, `${operationId}-${parameter.name}`, parameter.name, parameter.description, parameter.required));
  const values = () => fields.map(({ parameter, control }) => ({ name: parameter.name, in: parameter.in, value: control.value }));
  return { view: el("div", { class: "api-fields" }, view), values };
}

function controlOf({ schema, required }) {
  const choices = schema.enum ?? schema.anyOf?.find((each) => each.enum)?.enum;
  if (choices) return el("select", {}, el("option", { value: "" }, "(none)"), choices.map((each) => el("option", {}, each)));
  const control = el("input", { type: "text", spellcheck: "false", required, placeholder: schema.default ?? schema.examples?.[0] });
  if (required) control.value = schema.examples?.[0] ?? "";
  return control;
}

/** @returns {{view: Node|null, value: () => {media: string, text: string, file: File|null}|null}} */
export function bodyFields({ requestBody, operationId }) {
  if (!requestBody) return { view: null, value: () => null };
  const kinds = Object.entries(requestBody.content);
  const media = el("select", {}, kinds.map(([name]) => el("option", {}, name)));
  const text = el("textarea", { rows: "8", spellcheck: "false" });
  const file = el("input", { type: "file" });
  const rows = [labelled(text, `${operationId}-body`, "Body"), labelled(file, `${operationId}-file`, "File")];
  const follow = () => {
    const isFile = media.value === "multipart/form-data";
    [rows[0].hidden, rows[1].hidden] = [isFile, !isFile];
    text.value = exampleText(requestBody.content[media.value]);
  };
  media.addEventListener("input", follow);
  follow();
  return {
    view: el("div", { class: "api-fields" }, labelled(media, `${operationId}-media`, "Media type"), rows),
    value: () => ({ media: media.value, text: text.value, file: file.files[0] ?? null }),
  };
}

function exampleText({ example }) {
  return typeof example === "string" ? example : JSON.stringify(example ?? {}, null, 2);
}

function labelled(control, id, name, says, required) {
  control.id = id;
  return el(
    "div",
    { class: "api-field" },
    el("label", { for: id }, el("code", {}, name), required ? " (needed)" : ""),
    control,
    says ? el("small", {}, prose(says)) : null,
  );
}
