// @ts-check
/* Cells that were measured one by one: the noise law says all. */

/** @import { NoiseFacts, OwnReading } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { largestAccepted, pValue } from "../law/noise.js";

/**
 * FlatEstimate: any threshold, any cell.
 *
 * @param {NoiseFacts} plain
 * @param {number} rate
 * @returns {OwnReading}
 */
export function fromNoise(plain, rate) {
  const noisy = decode(plain.noisy);
  const lowered = plain.lowered === null ? Infinity : plain.lowered;
  /** @type {(value: number, threshold: number) => number} */
  const p = (value, threshold) => pValue(value, threshold, plain.scale, plain.lattice, plain.law);
  const descending = noisy.slice().sort().reverse();
  return {
    noisy,
    estimate: (cell) => Math.max(noisy[cell] - lowered, 0),
    low: (cell) => (noisy[cell] <= plain.one ? 0 : Math.max(noisy[cell] - plain.two, 1 / plain.lattice)),
    high: (cell) => Math.max(noisy[cell] + plain.two, 0),
    confidence: (index) => (cell) => 1 - p(noisy[cell], plain.thresholds[index]),
    exceeding: (index) => {
      const threshold = plain.thresholds[index];
      const ascending = Float64Array.from(descending, (value) => p(value, threshold));
      const limit = largestAccepted(ascending, rate);
      return (cell) => p(noisy[cell], threshold) <= limit;
    },
  };
}
