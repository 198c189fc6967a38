/**
 * The word search behind Material's search field: its own worker, exchanged for one that ranks as the API does.
 *
 * Material asks only that a worker speaks its four messages (0 set up, 1 ready, 2 query, 3 result). It starts
 * workers as plain scripts, so the modules are imported here when they are needed: with the first word.
 */

const [SETUP, READY, QUERY, RESULT] = [0, 1, 2, 3];
const TABLE = new URL("../../../search/words.json", self.location.href);
const LOST = {
  location: "errors/",
  title: "The word search could not be loaded",
  text: "<p>Type on to try again, or browse all failures.</p>",
  score: 1,
  terms: {},
};
let pages = []; // what the generator indexed: all pages but those of entries
let loaded = null;

async function load() {
  const [{ WordSearch }, { entryItem, pageItems }, response] = await Promise.all([
    import("./find.js"),
    import("./items.js"),
    fetch(TABLE),
  ]);
  if (!response.ok) throw new Error(`words.json answered ${response.status}`);
  const index = new WordSearch(await response.json());
  return (query) => [...pageItems(pages, query), ...index.search(query).map((found) => entryItem(found, query))];
}

async function found(query) {
  if (!query.trim()) return [];
  loaded ??= load();
  try {
    return (await loaded)(query);
  } catch {
    loaded = null; // the next key tries again
    return [LOST];
  }
}

let last = Promise.resolve(); // answers leave in the order of their queries
addEventListener("message", ({ data: { type, data } }) => {
  if (type === SETUP) {
    pages = data.docs;
    postMessage({ type: READY });
  } else if (type === QUERY) {
    const next = found(data);
    last = last.then(async () => {
      const items = await next;
      postMessage({ type: RESULT, data: { items: items.map((item) => [item]) } });
    });
  }
});
