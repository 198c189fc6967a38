/**
 * Start the matcher in Python for the browser. Used by the page's worker and, unchanged, under Node in tests.
 *
 * The archive is put on Python's path before the interpreter starts and is imported as any package is, so no
 * Python stands in JavaScript.
 */

const ARCHIVE = "/matcher.zip";

/**
 * @param {Function} loadPyodide from pyodide.mjs
 * @param {{archive: Promise<Uint8Array>, index: Promise<string>, options: object}} parts awaited where they are
 *   needed, so that they load while Python starts; `options` are loadPyodide's
 * @returns {Promise<(text: string, given: string) => string>} paste and `given` (JSON) to the diagnosis (JSON)
 */
export async function boot(loadPyodide, { archive, index, options }) {
  const python = await loadPyodide({
    ...options,
    env: { HOME: "/home/pyodide", PYTHONPATH: ARCHIVE, PYTHONDONTWRITEBYTECODE: "1" },
    fsInit: async (files) => files.writeFile(ARCHIVE, await archive),
  });
  const browser = python.pyimport("kb.diagnose.browser");
  browser.load(await index);
  return (text, given) => browser.match(text, given);
}
