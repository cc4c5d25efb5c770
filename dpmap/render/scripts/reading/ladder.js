// @ts-check
/* Any other reading: its own numbers, and its p-values at a ladder of thresholds. */

/** @import { LadderFacts, OwnReading } from "../types.d.ts" */

import { bits, decode } from "../arrays.js";

/**
 * What was written out; each rung is unpacked when it is first asked for.
 *
 * @param {LadderFacts} plain
 * @param {number} count
 * @returns {OwnReading}
 */
export function fromLadder(plain, count) {
  const [estimate, low, high] = [plain.estimate, plain.low, plain.high].map((packed) => decode(packed));
  /** @type {{ p: Uint8Array, exceeds: Uint8Array }[]} */
  const rungs = [];
  /** @type {(index: number) => { p: Uint8Array, exceeds: Uint8Array }} */
  const rung = (index) => {
    const { p, exceeds } = plain.rungs[index];
    rungs[index] ??= { p: decode(p), exceeds: bits(exceeds, count) };
    return rungs[index];
  };
  return {
    noisy: null,
    estimate: (cell) => estimate[cell],
    low: (cell) => low[cell],
    high: (cell) => high[cell],
    confidence: (index) => (cell) => 1 - Math.exp(-rung(index).p[cell] / 16),
    exceeding: (index) => (cell) => rung(index).exceeds[cell] === 1,
  };
}
