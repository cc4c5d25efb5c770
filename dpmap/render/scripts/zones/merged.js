// @ts-check
/* Bounds of a zone's total of partners' maps in one: those of MergedEstimate.zone. */

/** @import { Bounds, Covered, MergedZones } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { sizesOf } from "../cells/regions.js";
import { sumsQuantile } from "../law/sums.js";
import { regionsMet, sumOf } from "./measured.js";

/**
 * Every partner's regions added up, the law that of all their noises.
 *
 * @param {MergedZones} plain
 * @param {number} level
 * @returns {(covered: Covered) => Bounds}
 */
export function mergedBounds(plain, level) {
  const partners = plain.partners.map(({ scale, ...packed }) => {
    const [labels, noisy] = [decode(packed.labels), decode(packed.noisy)];
    return { scale, noisy, labels, sizes: sizesOf(labels, noisy.length) };
  });
  return (covered) => {
    let [inside, reach] = [0, 0];
    /** @type {[scale: number, count: number][]} */
    const below = [];
    /** @type {[scale: number, count: number][]} */
    const above = [];
    for (const { scale, noisy, labels, sizes } of partners) {
      const { within, cut } = regionsMet(covered, labels, sizes);
      const [held, met] = [within, cut].map((some) => sumOf(some, (region) => noisy[region]));
      inside += held;
      reach += held + met;
      below.push([scale, within.length]);
      above.push([scale, within.length + cut.length]);
    }
    if (below.every(([, count], i) => count === above[i][1])) {
      const [one, two] = [2 * level - 1, level].map((confidence) => sumsQuantile(confidence, below));
      return { low: inside <= one ? 0 : Math.max(inside - two, 1 / plain.lattice), high: Math.max(reach + two, 0) };
    }
    const share = 2 * (1 - (1 - level) / 2) - 1;
    const [low, high] = [inside - sumsQuantile(share, below), reach + sumsQuantile(share, above)];
    return { low: Math.max(low, 0), high: Math.max(high, 0) };
  };
}
