/**
 * Compile the matcher, and what it uses of the standard library, with the browser's own Python.
 * Usage: node pack.mjs PYODIDE SOURCES PACKING OUT
 * Reads the npm package's folder, the zip of the matcher's sources and packing.py; writes the zip OUT of both.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, sources, packing, out] = process.argv.slice(2).map((path) => resolve(path));
const MATCHER = "/matcher.zip"; // where matcher-boot.js puts it too: tracebacks name the same places

const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const [program, tool] = await Promise.all([readFile(sources), readFile(packing)]);
const python = await loadPyodide({
  env: {
    HOME: "/home/pyodide",
    PYTHONPATH: `${MATCHER}:/tools`,
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONNODEBUGRANGES: "1", // a sixth smaller without columns; tracebacks keep their lines
  },
  fsInit: async (files) => {
    files.mkdirTree("/tools");
    files.writeFile("/tools/packing.py", tool);
    files.writeFile(MATCHER, program);
  },
});
await writeFile(out, python.pyimport("packing").both(MATCHER).toJs());
