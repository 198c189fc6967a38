/**
 * Start the matcher in Python for the browser. Used by the page's worker and, unchanged, under Node in tests.
 *
 * Both archives are put on Python's path before the interpreter starts and are imported as any package is, so no
 * Python stands in JavaScript. The standard library is one of them, so `options.stdLibURL` may be an empty one.
 */

const [MATCHER, LIBRARY] = ["/matcher.zip", "/library.zip"];

/**
 * @param {Function} loadPyodide from pyodide.mjs
 * @param {{matcher: Promise<Uint8Array>, library: Promise<Uint8Array>, index: Promise<string>, options: object}} parts
 *   awaited where they are needed, so that they load while Python starts; `options` are loadPyodide's
 * @returns {Promise<{match: (text: string, given: string) => string, redact: (text: string) => string}>} paste and
 *   `given` (JSON) to the diagnosis (JSON); a text to the one without its secrets
 */
export async function boot(loadPyodide, { matcher, library, index, options }) {
  const python = await loadPyodide({
    ...options,
    env: { HOME: "/home/pyodide", PYTHONPATH: `${MATCHER}:${LIBRARY}`, PYTHONDONTWRITEBYTECODE: "1" },
    fsInit: async (files) => {
      files.writeFile(MATCHER, await matcher);
      files.writeFile(LIBRARY, await library);
    },
  });
  const browser = python.pyimport("kb.diagnose.browser");
  browser.load(await index);
  return {
    match: (text, given) => browser.match(text, given),
    redact: (text) => python.pyimport("kb.redact.browser").redacted(text),
  };
}
