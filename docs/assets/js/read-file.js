/** A file as the text of a log, in whatever encoding it was saved; the same files are refused as by `kb match`. */

const LARGEST = 20 * 1024 * 1024; // bytes of a file that a tab reads without trouble
const BINARY = 0.1; // share of control characters above which bytes are no log
const LOOKED_AT = 4096;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\x00-\x07\x0b\x0e-\x1a\x1c-\x1f]/g; // but for tab, line ends, form feed, backspace and escape
const MARKS = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** A file that holds no log; the message says so to the person. */
export class Refused extends Error {}

/** @param {File} file @returns {Promise<string>} Throws Refused. */
export async function readLog(file) {
  if (file.size > LARGEST) {
    throw new Refused(`${file.name} is too large for a page: at most 20 MB. On your machine, kb match reads it.`);
  }
  const text = decoded(new Uint8Array(await file.arrayBuffer()));
  if (!text.trim()) throw new Refused(`${file.name} is empty: there is nothing in it to diagnose.`);
  const start = text.slice(0, LOOKED_AT);
  if ((start.match(CONTROL) ?? []).length > BINARY * start.length) {
    throw new Refused(`${file.name} is no text (many control characters). Open the log itself, unpacked.`);
  }
  return text;
}

function decoded(bytes) {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  for (const encoding of new Set([marked?.[0] ?? "utf-8", "utf-8"])) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // not this one
    }
  }
  return latin1(bytes);
}

/** Every byte one character. (Browsers read "latin-1" as another encoding, windows-1252.) */
function latin1(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join("");
}
