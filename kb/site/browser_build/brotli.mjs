/**
 * Compress files with brotli, which Python's standard library lacks.
 * Usage: node brotli.mjs QUALITY < PATHS
 * Reads one path a line and writes `<path>.br` beside each. QUALITY is 0 to 11.
 */

import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import zlib from "node:zlib";

const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
const compress = promisify(zlib.brotliCompress);

for (const path of (await text(process.stdin)).split("\n").filter(Boolean)) {
  const content = await readFile(path);
  const params = {
    [BROTLI_PARAM_QUALITY]: Number(process.argv[2]),
    [BROTLI_PARAM_LGWIN]: 24, // the largest window that every browser takes
    [BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await writeFile(`${path}.br`, await compress(content, { params }));
}
