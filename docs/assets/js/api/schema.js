/** JSON Schema in words: types as links to what they name, and the fields of an object as a table. */

import { el, prose } from "../dom.js";

/** @returns {(Node|string)[]} a type in words, such as `list of Fix or null` */
export function typeWords(schema) {
  if (!schema) return ["anything"];
  if (schema.$ref) return [schemaLink(schema.$ref.split("/").pop())];
  if (schema.anyOf) return schema.anyOf.flatMap((each, at) => (at ? [" or ", ...typeWords(each)] : typeWords(each)));
  if (schema.enum) return schema.enum.flatMap((each, at) => [at ? ", " : "one of ", el("code", {}, String(each))]);
  if ("const" in schema) return [el("code", {}, String(schema.const))];
  if (schema.type === "array") return schema.items ? ["list of ", ...typeWords(schema.items)] : ["list"];
  if (typeof schema.additionalProperties === "object") return ["map of ", ...typeWords(schema.additionalProperties)];
  return [schema.title && schema.type === "object" ? schema.title : (schema.type ?? "anything")];
}

function schemaLink(name) {
  return el("a", { href: `#schema-${name}` }, name);
}

/** The fields of an object: name, type, what it says. */
export function fieldsView({ properties, required = [], ...rest }, name) {
  if (!properties) return el("p", {}, typeWords(rest));
  const rows = Object.entries(properties).map(([field, schema]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("code", {}, field)),
      el("td", {}, typeWords(schema), required.includes(field) ? "" : el("span", { class: "api-soft" }, " (may be absent)")),
      el("td", {}, prose(schema.description ?? "")),
    ),
  );
  const head = el("tr", {}, ["Field", "Type", "Meaning"].map((each) => el("th", { scope: "col" }, each)));
  return tableView(`Fields of ${name}`, head, rows);
}

/** A table that scrolls by itself where it is too wide, by keyboard too. */
export function tableView(label, head, rows) {
  return el(
    "div",
    { class: "api-wide", role: "region", "aria-label": label, tabindex: "0" },
    el("table", {}, el("thead", {}, head), el("tbody", {}, rows)),
  );
}
