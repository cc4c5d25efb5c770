// @ts-check
/* Cells of which some were measured in blocks. */

/** @import { Facts, Floats, MeasuredZones, OwnReading, RegionFacts, Regions } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { largestAccepted, pValue } from "../law/noise.js";

/**
 * RegionBounds: the noise law for cells measured by themselves; 0 to the block's upper bound for those in blocks.
 *
 * @param {RegionFacts} plain
 * @param {Facts} facts
 * @param {Regions} regions
 * @returns {OwnReading}
 */
export function fromRegions(plain, facts, { of, sizeOf }) {
  const { scale, lattice, noisy: packed } = /** @type {MeasuredZones} */ (facts.zones);
  const estimate = decode(plain.estimate);
  const noisy = decode(/** @type {Floats} */ (packed));
  /** @type {(cell: number) => number} */
  const value = (cell) => noisy[of(cell)];
  /** @type {(cell: number) => boolean} */
  const alone = (cell) => sizeOf(cell) === 1;
  /** @type {(cell: number, threshold: number) => number} */
  const p = (cell, threshold) => pValue(value(cell), threshold, scale, lattice);
  /** @type {(y: number) => number} */
  const lowest = (y) => (y <= plain.one ? 0 : Math.max(y - plain.two, 1 / lattice));
  return {
    noisy: null,
    estimate: (cell) => estimate[cell],
    low: (cell) => Math.min(alone(cell) ? lowest(value(cell)) : 0, estimate[cell]),
    high: (cell) => Math.max(value(cell) + (alone(cell) ? plain.two : plain.one), 0, estimate[cell]),
    confidence: (index) => (cell) => (alone(cell) ? 1 - p(cell, plain.thresholds[index]) : 0),
    exceeding: (index) => {
      const threshold = plain.thresholds[index];
      const tested = [];
      for (let cell = 0; cell < facts.cells; cell++) if (alone(cell)) tested.push(p(cell, threshold));
      const limit = largestAccepted(Float64Array.from(tested).sort(), facts.rate);
      return (cell) => alone(cell) && p(cell, threshold) <= limit;
    },
  };
}
