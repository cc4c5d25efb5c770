// @ts-check
/* What runs on the volunteer's device: the same algorithm as dpmap/local/device.py, where its proof stands, and the same bytes
   for the same entropy. No network, no dependency, no floating point that rounds: only whole numbers below 2^53. */

/** @import { Asked, Kept } from "./types.d.ts" */

const [ID, WORD, SPAN, MOST] = [16, 4, 2 ** 32, 65535];

/**
 * An epsilon such as 2, 0.5 or 1/3 as a fraction of two BigInts; between 0.01 and 10.
 *
 * @param {string} text
 * @returns {[bigint, bigint]}
 */
function fraction(text) {
  const pattern = /^(\d{1,40})(?:\.(\d{1,40})|\/(\d{1,40}))?$/;
  const [, whole = "0", decimals = "", below = "1"] = pattern.exec(text) || [];
  const [top, bottom] = [BigInt(whole + decimals), BigInt(below) * 10n ** BigInt(decimals.length)];
  if (top * 100n < bottom || top > 10n * bottom) throw new Error("epsilon: between 0.01 and 10");
  return [top, bottom];
}

/**
 * At most 2^64 e^x: the series, each term rounded down.
 *
 * @param {[bigint, bigint]} x
 */
function expBelow([numerator, denominator]) {
  let term = 1n << 64n;
  let total = term;
  for (let k = 1n; term; k++) {
    term = (term * numerator) / (denominator * k);
    total += term;
  }
  return total;
}

/**
 * Of 2^32 words, those that mean one certain untrue answer.
 *
 * @param {string} epsilon
 * @param {number} others
 */
export function threshold(epsilon, others) {
  const below = expBelow(fraction(epsilon)) + (BigInt(others) << 64n);
  return Number(((1n << 96n) + below - 1n) / below);
}

/**
 * The question, if it is one.
 *
 * @param {Asked} question
 */
function checked(question) {
  const { epsilon, mechanism, cells, round } = question;
  const whole = Number.isInteger(cells) && cells >= 1 && cells <= MOST && /^[0-9a-f]{32}$/.test(round);
  if (!whole) throw new Error("question: damaged");
  if (mechanism !== "oue" && mechanism !== "grr") throw new Error("question: of an unknown mechanism");
  const wide = threshold(epsilon, cells) * (cells + 1) > SPAN;
  if (wide && mechanism === "grr") throw new Error("question: too many cells");
  return question;
}

/**
 * Bytes of randomness that one report takes.
 *
 * @param {Asked} question
 */
const entropy = ({ mechanism, cells }) => ID + WORD * (mechanism === "oue" ? cells + 1 : 1);

/**
 * The report as a function of the answer (null: elsewhere) and of the entropy: an id, then big-endian words.
 *
 * @param {number | null} cell
 * @param {Asked} question
 * @param {Uint8Array} stream
 */
export function report(cell, question, stream) {
  const { epsilon, mechanism, cells, round } = checked(question);
  if (cell !== null && !(Number.isInteger(cell) && cell >= 0 && cell < cells)) throw new Error("cell: no such number");
  if (stream.length !== entropy(question)) throw new Error("entropy: of another length");
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  /** @param {number} i */
  const word = (i) => view.getUint32(ID + WORD * i);
  const truth = cell === null ? cells : cell;
  const answer =
    mechanism === "grr"
      ? one(truth, cells, threshold(epsilon, cells), word(0))
      : bits(truth, cells + 1, threshold(epsilon, 1), word);
  const id = Array.from(stream.subarray(0, ID), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return JSON.stringify({ round, id, answer });
}

/**
 * k-ary randomised response: the true answer, or the untrue one of this number.
 *
 * @param {number} truth
 * @param {number} others
 * @param {number} bar
 * @param {number} word
 */
function one(truth, others, bar, word) {
  if (word >= others * bar) return truth;
  const untrue = (word - (word % bar)) / bar;
  return untrue >= truth ? untrue + 1 : untrue;
}

/**
 * Optimised unary encoding: a bit for each answer, the first in the highest place, as base64.
 *
 * @param {number} truth
 * @param {number} answers
 * @param {number} bar
 * @param {(i: number) => number} word
 */
function bits(truth, answers, bar, word) {
  const packed = new Uint8Array(Math.ceil(answers / 8));
  for (let i = 0; i < answers; i++) {
    if (word(i) < (i === truth ? SPAN / 2 : bar)) packed[i >> 3] |= 128 >> (i & 7);
  }
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
}

/**
 * One line to send, from the system's entropy. It spends epsilon each time it is called.
 *
 * @param {number | null} cell
 * @param {Asked} question
 */
export function randomise(cell, question) {
  const stream = new Uint8Array(entropy(checked(question)));
  for (let at = 0; at < stream.length; at += 65536) crypto.getRandomValues(stream.subarray(at, at + 65536));
  return report(cell, question, stream);
}

/**
 * The line that was sent for this question before, where `kept` has one; null where it has none.
 *
 * @param {Asked} question
 * @param {Kept} kept
 */
export const answered = (question, kept) => kept.getItem(`dpmap ${question.round}`);

/**
 * The line that was sent before; else a new one, kept there.
 *
 * @param {number | null} cell
 * @param {Asked} question
 * @param {Kept} kept
 */
export function answerOnce(cell, question, kept) {
  const before = answered(checked(question), kept);
  if (before !== null) return before;
  const line = randomise(cell, question);
  kept.setItem(`dpmap ${question.round}`, line);
  return line;
}
