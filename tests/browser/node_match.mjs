/**
 * The browser build under Node: {"id", "text"} lines in, {"id", "diagnosis"} lines out.
 * Usage: node node_match.mjs <site>/assets
 */

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const assets = resolve(process.argv[2]);
const matcher = join(assets, "matcher");
const names = JSON.parse(await readFile(join(matcher, "manifest.json"), "utf8"));
const { loadPyodide } = await import(pathToFileURL(join(matcher, names.pyodide, "pyodide.mjs")));
const { boot } = await import(pathToFileURL(join(assets, "js", "matcher-boot.js")));
const { match } = await boot(loadPyodide, {
  matcher: readFile(join(matcher, names.matcher)),
  library: readFile(join(matcher, names.library)),
  index: readFile(join(matcher, names.index), "utf8"),
  options: { stdLibURL: join(matcher, names.nothing), lockFileContents: names.lock },
});

for (const line of (await text(process.stdin)).split("\n")) {
  if (!line) continue;
  const paste = JSON.parse(line);
  const diagnosis = JSON.parse(match(paste.text, JSON.stringify(paste.given ?? {})));
  process.stdout.write(`${JSON.stringify({ id: paste.id, diagnosis })}\n`);
}
