/**
 * Words that a person typed -> entries, best first, as `kb.search.find` ranks them for the API.
 *
 * No query language: whatever is typed is words. Each word is looked up as it stands, as the beginning of longer
 * words, and, where nothing begins with it, with small typing errors. An entry's score is the sum over the words,
 * times the share of the words (by rarity) that it has.
 */

import { root, words } from "./words.js";

const LONGEST_QUERY = 200; // characters; the rest is ignored
const MOST_WORDS = 24;
const MOST_VARIANTS = 24; // of one word
const TAIL = 0.01; // results below this share of the best are noise
const EXACT = 1;
const BEGINNING = 0.6;
const ROOT = 0.5;
const TYPING_ERROR = 0.4;
const FINE = 100; // scores of the table are whole numbers

/** The search over a table that `kb build` wrote (`kb.search.table`). */
export class WordSearch {
  #entries;
  #words; // word -> [number, score, number, score, ...]
  #sorted;

  constructor({ entries, words: table }) {
    this.#entries = entries;
    this.#words = new Map(Object.entries(table));
    this.#sorted = [...this.#words.keys()].sort();
  }

  /**
   * @returns {Array<{entry: object, score: number, words: string[], typed: string[]}>} `words` are those of the entry
   *   that were found, `typed` those of the query that found them
   */
  search(query, limit = 10) {
    const cut = [...query].slice(0, LONGEST_QUERY).join("");
    const asked = [...new Set(words(cut))].slice(0, MOST_WORDS);
    const found = new Map(); // number -> {score, covered, words}
    let total = 0;
    for (const word of asked) {
      const variants = this.#variants(word);
      const rarity = Math.min(...(variants.size ? [...variants.keys()] : [word]).map((each) => this.#rarity(each)));
      total += rarity;
      for (const [number, { score, variant, sureness }] of this.#score(variants)) {
        const before = found.get(number) ?? { score: 0, covered: 0, words: [], typed: [] };
        found.set(number, {
          score: before.score + score,
          covered: before.covered + rarity * sureness,
          words: [...before.words, variant],
          typed: [...before.typed, word],
        });
      }
    }
    const ranked = [...found]
      .map(([number, { score, covered, ...rest }]) => ({ number, score: (score * covered) / total, ...rest }))
      .sort((a, b) => b.score - a.score || a.number - b.number);
    return ranked
      .slice(0, limit)
      .filter(({ score }) => score >= ranked[0].score * TAIL)
      .map(({ number, ...rest }) => ({ entry: this.#entries[number], ...rest }));
  }

  /** How much it says that an entry has a word: 0.7 when all have it, several when one or none has. */
  #rarity(word) {
    const having = (this.#words.get(word)?.length ?? 0) / 2;
    return Math.log1p(Math.max(this.#entries.length, 1) / Math.max(having, 1));
  }

  /** Indexed words that a typed word may mean -> how surely. */
  #variants(word) {
    const variants = new Map(this.#words.has(word) ? [[word, EXACT]] : []);
    const add = (others, sureness) => {
      for (const other of others) if (!variants.has(other)) variants.set(other, sureness);
    };
    if ([...word].length > 2) {
      add(this.#beginning(word), BEGINNING);
      const start = root(word);
      if (start.length > 3 && start !== word) add(this.#beginning(start), ROOT);
    }
    if (!variants.size) add(this.#misspelt(word), TYPING_ERROR);
    return variants;
  }

  #beginning(start) {
    return this.#sorted
      .filter((word) => word.startsWith(start))
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
      .slice(0, MOST_VARIANTS);
  }

  /** Words that one slip of the fingers away, two for long words, is what was typed. */
  #misspelt(word) {
    if (word.length < 3 || /^\d+$/.test(word)) return [];
    for (let slips = 1; slips <= (word.length > 6 ? 2 : 1); slips += 1) {
      const near = this.#sorted.filter(
        (each) => each.length > 2 && each[0] === word[0] && isNear(each, word, slips),
      );
      if (near.length) return near.slice(0, MOST_VARIANTS);
    }
    return [];
  }

  /** Entry's number -> score of the best variant it has, that variant, and the sureness of the surest, the first. */
  #score(variants) {
    const best = new Map();
    for (const [variant, sureness] of variants) {
      const row = this.#words.get(variant);
      for (let at = 0; at < row.length; at += 2) {
        const score = (row[at + 1] / FINE) * sureness;
        const before = best.get(row[at]);
        if (!before) best.set(row[at], { score, variant, sureness });
        else if (before.score < score) best.set(row[at], { ...before, score, variant });
      }
    }
    return best;
  }
}

/** Whether at most `limit` letters have to be put in, left out or exchanged to make one word the other. */
function isNear(one, other, limit) {
  if (Math.abs(one.length - other.length) > limit) return false;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let x = 1; x <= one.length; x += 1) {
    const next = [x];
    for (let y = 1; y <= other.length; y += 1) {
      next[y] = Math.min(row[y] + 1, next[y - 1] + 1, row[y - 1] + (one[x - 1] === other[y - 1] ? 0 : 1));
    }
    if (Math.min(...next) > limit) return false;
    row = next;
  }
  return row[other.length] <= limit;
}
