"use strict";
/* What runs on the volunteer's device: the same algorithm as dpmap/local/device.py, where its proof stands, and the same bytes
   for the same entropy. No network, no dependency, no floating point that rounds: only whole numbers below 2^53. */

const dpmapLocal = (() => {
  const [ID, WORD, SPAN, MOST] = [16, 4, 2 ** 32, 65535];

  /** An epsilon such as 2, 0.5 or 1/3 as a fraction of two BigInts; between 0.01 and 10. */
  function fraction(text) {
    const [, whole, decimals = "", below = "1"] = /^(\d{1,40})(?:\.(\d{1,40})|\/(\d{1,40}))?$/.exec(text) || [];
    const found = [BigInt((whole ?? "0") + decimals), BigInt(below) * 10n ** BigInt(decimals.length)];
    if (found[0] * 100n < found[1] || found[0] > 10n * found[1]) throw new Error("epsilon: between 0.01 and 10");
    return found;
  }

  /** At most 2^64 e^x: the series, each term rounded down. */
  function expBelow([numerator, denominator]) {
    let term = 1n << 64n;
    let total = term;
    for (let k = 1n; term; k++) {
      term = (term * numerator) / (denominator * k);
      total += term;
    }
    return total;
  }

  /** Of 2^32 words, those that mean one certain untrue answer. */
  function threshold(epsilon, others) {
    const below = expBelow(fraction(epsilon)) + (BigInt(others) << 64n);
    return Number(((1n << 96n) + below - 1n) / below);
  }

  /** The question, if it is one. */
  function checked(question) {
    const { epsilon, mechanism, cells, round } = question;
    if (!Number.isInteger(cells) || cells < 1 || cells > MOST || !/^[0-9a-f]{32}$/.test(round)) throw new Error("question: damaged");
    if (mechanism !== "oue" && mechanism !== "grr") throw new Error("question: of an unknown mechanism");
    if (threshold(epsilon, cells) * (cells + 1) > SPAN && mechanism === "grr") throw new Error("question: too many cells");
    return question;
  }

  /** Bytes of randomness that one report takes. */
  const entropy = ({ mechanism, cells }) => ID + WORD * (mechanism === "oue" ? cells + 1 : 1);

  /** The report as a function of the answer (null: elsewhere) and of the entropy: an id, then big-endian words. */
  function report(cell, question, stream) {
    const { epsilon, mechanism, cells, round } = checked(question);
    if (cell !== null && !(Number.isInteger(cell) && cell >= 0 && cell < cells)) throw new Error("cell: no such number");
    if (stream.length !== entropy(question)) throw new Error("entropy: of another length");
    const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
    const word = (i) => view.getUint32(ID + WORD * i);
    const truth = cell === null ? cells : cell;
    const answer = mechanism === "grr" ? one(truth, cells, threshold(epsilon, cells), word(0)) : bits(truth, cells + 1, threshold(epsilon, 1), word);
    const id = Array.from(stream.subarray(0, ID), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return JSON.stringify({ round, id, answer });
  }

  /** k-ary randomised response: the true answer, or the untrue one of this number. */
  function one(truth, others, bar, word) {
    if (word >= others * bar) return truth;
    const untrue = (word - (word % bar)) / bar;
    return untrue >= truth ? untrue + 1 : untrue;
  }

  /** Optimised unary encoding: a bit for each answer, the first in the highest place, as base64. */
  function bits(truth, answers, bar, word) {
    const packed = new Uint8Array(Math.ceil(answers / 8));
    for (let i = 0; i < answers; i++) {
      if (word(i) < (i === truth ? SPAN / 2 : bar)) packed[i >> 3] |= 128 >> (i & 7);
    }
    return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  }

  /** One line to send, from the system's entropy. It spends epsilon each time it is called. */
  function randomise(cell, question) {
    const stream = new Uint8Array(entropy(checked(question)));
    for (let at = 0; at < stream.length; at += 65536) crypto.getRandomValues(stream.subarray(at, at + 65536));
    return report(cell, question, stream);
  }

  /** The line that was sent for this question before, where `kept` (a Storage) has one; else a new one, kept there. */
  function answerOnce(cell, question, kept) {
    const key = `dpmap ${checked(question).round}`;
    if (kept.getItem(key) === null) kept.setItem(key, randomise(cell, question));
    return kept.getItem(key);
  }

  /** How many cells a place in degrees lies south of the north edge and east of the west edge; null off the lattice. */
  function rowColumn(lon, lat, { lattice: n, box: [west, south, east, north], columns, rows }) {
    const [x, y] = [((lon - west) / (east - west)) * n, ((lat - south) / (north - south)) * n];
    if (!(x >= 0 && x <= n && y >= 0 && y <= n)) return null;
    const [i, j] = [Math.min(Math.floor(x), n - 1), Math.min(Math.floor(y), n - 1)];
    return [rows, columns].map((table) => {
      const [low, high] = [0, 1].map((b) => {
        const at = (j + b) * (n + 1) + i;
        return table[at] + (x - i) * (table[at + 1] - table[at]);
      });
      return low + (y - j) * (high - low);
    });
  }

  /** The cell of a place in degrees; null outside the area. */
  function locate(lon, lat, places) {
    const [row, column] = rowColumn(lon, lat, places) || [-1, -1];
    return number(Math.floor(row), Math.floor(column), places);
  }

  /** The number of the cell in a row and column; null for one outside the area. */
  function number(row, column, { shape: [rows, columns], inside }) {
    if (row < 0 || column < 0 || row >= rows || column >= columns) return null;
    const packed = atob(inside);
    const bit = (i) => (packed.charCodeAt(i >> 3) >> (7 - (i & 7))) & 1;
    const place = row * columns + column;
    let before = 0;
    for (let i = 0; i < place; i++) before += bit(i);
    return bit(place) ? before : null;
  }

  return { randomise, answerOnce, report, threshold, entropy, rowColumn, locate, number };
})();
