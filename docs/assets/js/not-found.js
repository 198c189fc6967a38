/** The page for addresses that are not there: ways into the site, and a search for what the address seems to name. */

import { count, el, prose } from "./dom.js";
import { WordSearch } from "./search/find.js";

const SHOWN = 6;

/** @param {URL} root where the site begins; ends with a slash */
export async function start(root) {
  const at = (path) => new URL(path, root).href;
  for (const link of document.querySelectorAll("[data-path]")) link.href = at(link.dataset.path);
  document.head.append(el("link", { rel: "stylesheet", href: at("assets/css/fonts.css") }));
  document.getElementById("brand").prepend(el("img", { src: at("assets/logo.svg"), alt: "", width: 28, height: 28 }));
  for (const id of ["brand", "ways"]) document.getElementById(id).hidden = false;
  const search = new WordSearch(await (await fetch(new URL("search/words.json", root))).json());
  const [form, field, said, list] = ["search", "words", "said", "found"].map((id) => document.getElementById(id));
  const show = () => {
    const found = search.search(field.value, SHOWN);
    said.textContent = field.value.trim() ? `${count(found.length, "failure")} found` : "";
    list.replaceChildren(...found.map(({ entry }) => row(entry, root)));
  };
  field.value = guess(root);
  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.hidden = false;
  show();
}

function row(entry, root) {
  const link = el("a", { href: new URL(entry.path, root).href }, entry.title);
  return el("li", {}, link, el("p", {}, prose(entry.summary)));
}

/** The words of the address behind the root, without those that are no words. */
function guess(root) {
  const rest = location.pathname.slice(root.pathname.length).replace(/\.(html?|md|json|txt)$/, "");
  return rest
    .replace(/%[0-9a-f]{2}/gi, " ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word && !["errors", "index", "entry"].includes(word))
    .join(" ")
    .slice(0, 100);
}
