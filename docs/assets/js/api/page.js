/** The API's own page: what its description says, with a form for each request. Nothing is asked of another host. */

import { el, prose } from "../dom.js";
import { operationView } from "./operation.js";
import { fieldsView } from "./schema.js";

const TITLES = { match: "Diagnose", entries: "Entries", search: "Search", health: "Is it up" };

async function start() {
  const main = document.getElementById("api");
  try {
    const response = await fetch("openapi.json");
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    main.replaceChildren(...pageView(await response.json()));
  } catch (error) {
    main.replaceChildren(el("p", { role: "alert" }, `The description could not be read: ${error.message}. Load the page again.`));
    return;
  }
  openNamed();
  addEventListener("hashchange", openNamed);
}

function pageView({ info, paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method, tag: operation.tags?.[0] ?? "more" })),
  );
  const sections = [...new Set(operations.map(({ tag }) => tag))].map((tag) =>
    el("section", {}, el("h2", {}, TITLES[tag] ?? tag), operations.filter((each) => each.tag === tag).map(operationView)),
  );
  const schemas = Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    el("h1", {}, `${info.title} API `, el("small", {}, info.version)),
    el("p", {}, `${info.summary} Open a request to read about it and to try it on this server.`),
    ...sections,
    el("section", {}, el("h2", {}, "Schemas"), schemas.map(schemaView)),
  ];
}

function schemaView([name, schema]) {
  return el(
    "details",
    { class: "api-schema", id: `schema-${name}` },
    el("summary", {}, el("h3", {}, el("code", {}, name))),
    schema.description ? el("p", {}, prose(schema.description)) : null,
    fieldsView(schema, name),
  );
}

/** Open what the address names. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named?.tagName !== "DETAILS") return;
  named.open = true;
  named.scrollIntoView();
}

start();
