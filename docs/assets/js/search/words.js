/**
 * Text into the words that are looked up, as `kb.search.words` makes those that are indexed.
 *
 * Identifiers are found whole and by their parts, whatever their punctuation: `--max-lora-rank` and
 * `max_lora_rank=16` share the word `max_lora_rank`; `c10::DistBackendError` gives `c10_distbackenderror`,
 * `distbackenderror`, `c10`, `dist`, `backend` and `error`.
 */

const LONGEST = 64; // longer words are hashes, paths and base64; nobody types them
const CHUNK = /[^\s"'`´“”‘’«»‹›<>(){}[\],;|]+/gu;
const COMPONENT = /[\p{L}\p{N}]+(?:[-_]+[\p{L}\p{N}]+)*/gu; // max-lora-rank, adapter_config, DistBackendError
const PART = /[\p{L}\p{N}]+/gu;
const HUMP = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g; // OOM|Killed, Dist|Backend|Error, cuda|12
const DIGITS = /^\p{Nd}+$/u;
const ASCII = /^[\x00-\x7f]*$/;
const ENDING = /(?:ations?|ings?|ments?|ness|ally|ly|ied|ies|ed|es|e|s|y)$/;
const DOUBLED = /([bdfgmnprt])\1$/;

// Words that no entry is about. `not`, `no` and `from` stay: messages are told apart by them.
const STOP = new Set(
  `a an and any are as at be been being but by can could did do does for get gets getting got had has have help
  how i if in into is it its just me my of on or our please should so some that the their them then there these
  they this those to us was we were what when where which while why will with would you your`.split(/\s+/),
);

/** The words of a text in order, each followed by its parts. */
export function words(text) {
  return chunks(text).flatMap((chunk) => chunk.words);
}

/** What a text says between white space and brackets: where it stands, and its words. */
export function chunks(text) {
  return [...text.normalize("NFKC").matchAll(CHUNK)].map((found) => ({
    text: found[0],
    at: found.index,
    words: ofChunk(found[0]).filter((word) => !STOP.has(word)),
  }));
}

/** A word without its English ending, the beginning of its other forms: `hanging`, `hangs` -> `hang`. */
export function root(word) {
  return /^[a-z]+$/.test(word) ? word.replace(ENDING, "").replace(DOUBLED, "$1") : word;
}

/** The words of one chunk: whole, its components, their parts and the humps of camel case, each once. */
function ofChunk(chunk) {
  const components = (chunk.match(COMPONENT) ?? []).map((component) => component.match(PART));
  const parts = components.flat();
  const forms = [parts.join("_"), ...components.map((component) => component.join("_"))];
  for (const part of parts) {
    if (parts.length === 1 || length(part) > 1 || DIGITS.test(part)) forms.push(part);
    // LoRA and vLLM are one word each: humps of one or two letters are no words.
    const humps = ASCII.test(part) ? (part.match(HUMP) ?? []) : [];
    if (humps.length !== 1 || humps[0] !== part) forms.push(...humps.filter((hump) => hump.length > 2));
  }
  const kept = forms.filter((form) => form && length(form) <= LONGEST);
  return [...new Set(kept.map((form) => form.toLowerCase()))];
}

function length(text) {
  return [...text].length; // code points, as the index counts
}
