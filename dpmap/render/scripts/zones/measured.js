// @ts-check
/* Bounds of a zone's total from one measurement: those of FlatEstimate.zone and RegionBounds.zone. */

/** @import { Bounds, Covered, MeasuredZones, Reading, Regions } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { sumQuantile } from "../law/sums.js";

/**
 * @param {number[]} indices
 * @param {(index: number, place: number) => number} value
 */
export const sumOf = (indices, value) => indices.reduce((total, index, place) => total + value(index, place), 0);

/**
 * Regions wholly inside, and regions that the zone cuts.
 *
 * @param {{ within: number[], cut: number[] }} covered
 * @param {Int32Array | null} labels
 * @param {Int32Array} sizes
 */
export function regionsMet({ within, cut }, labels, sizes) {
  if (!labels) return { within, cut };
  /** @type {Map<number, number>} */
  const held = new Map();
  for (const cell of within) held.set(labels[cell], (held.get(labels[cell]) || 0) + 1);
  for (const cell of cut) held.set(labels[cell], held.get(labels[cell]) || 0);
  held.delete(-1);
  /** @type {{ within: number[], cut: number[] }} */
  const found = { within: [], cut: [] };
  for (const [region, cells] of held) found[cells === sizes[region] ? "within" : "cut"].push(region);
  return found;
}

/**
 * A one-sided test at 0 where every cell was measured by itself; else whole regions below and all those met above.
 *
 * @param {MeasuredZones} plain
 * @param {number} confidence
 * @param {Reading} reading
 * @param {Regions} regions
 * @returns {(covered: Covered) => Bounds}
 */
export function measuredBounds(plain, confidence, reading, { labels, sizes }) {
  const noisy = plain.noisy ? decode(plain.noisy) : (reading.noisy ?? []);
  /** @type {(count: number, level: number) => number} */
  const spread = (count, level) => sumQuantile(level, plain.scale, count, plain.kind) / plain.lattice;
  return (covered) => {
    const { within, cut } = regionsMet(covered, labels, sizes);
    const level = cut.length ? 1 - (1 - confidence) / 2 : confidence;
    const inside = sumOf(within, (region) => noisy[region]);
    const reach = inside + sumOf(cut, (region) => noisy[region]);
    const two = inside - spread(within.length, level);
    const high = Math.max(reach + spread(within.length + cut.length, level), 0);
    if (labels) return { low: Math.max(two, 0), high };
    const one = spread(within.length, 2 * level - 1);
    return { low: inside <= one ? 0 : Math.max(two, 1 / plain.lattice), high };
  };
}
