// @ts-check
/* Numbers and names as people read them. */

/** @import { Known } from "./types.d.ts" */

import { placeName } from "./places/names.js";

/**
 * No more digits than matter, thousands apart.
 *
 * @param {number} value
 */
export function numberText(value) {
  if (!Number.isFinite(value)) return value > 0 ? "unbounded" : "unknown";
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en");
  if (size >= 1 || size === 0) return String(Math.round(value * 10) / 10);
  return size >= 1e-4 ? String(Number(value.toPrecision(2))) : value.toExponential(1);
}

/**
 * How many, thousands apart.
 *
 * @param {number} count
 */
export const many = (count) => count.toLocaleString("en");

/**
 * `1 cell`, `2,000 cells`.
 *
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${many(count)} ${noun}${count === 1 ? "" : "s"}`;

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 1000) / 10} %`;

/**
 * @param {number} low
 * @param {number} high
 */
export const range = (low, high) => `${numberText(low)} to ${numberText(high)}`;

/**
 * A cell's own name, or its place.
 *
 * @param {Known} known
 * @param {number} cell
 */
export function cellName({ facts, cells }, cell) {
  const { names } = facts.geometry;
  if (names) return names[cell];
  const [latitude, longitude] = cells.centre(cell);
  return placeName(facts, longitude, latitude);
}

/**
 * `1 (4 cells)`, for a cluster of hot cells.
 *
 * @param {Known} known
 * @param {number} cluster
 */
export const hotName = ({ hot }, cluster) => `${cluster + 1} (${counted(hot.members[cluster].length, "cell")})`;

/**
 * Words for one cell, as lines of [words, class name of a style]; `index` is that of the threshold which is shown, if any.
 *
 * @param {Known} known
 * @param {number} cell
 * @param {number | null} index
 */
export function describe(known, cell, index) {
  const { facts, reading, regions, hot } = known;
  const [value, size, cluster] = [reading.estimate(cell), regions.sizeOf(cell), hot.clusterOf.get(cell)];
  const lines = [
    [cellName(known, cell), "name"],
    [`${numberText(value)} ${facts.noun}`, "value"],
    [`${percent(facts.level)} interval ${range(reading.low(cell), reading.high(cell))}`, ""],
  ];
  if (facts.per_km2) lines.push([`${numberText(value / reading.areaOf(cell))} per km\u00b2`, ""]);
  if (index !== null && size === 1) {
    const confidence = Math.floor(reading.confidence(index)(cell) * 1000) / 10;
    const words = confidence > 99.8 ? "over 99.8" : confidence;
    lines.push([`above ${numberText(reading.thresholds[index])}: ${words} % confidence`, ""]);
  }
  if (!reading.sure[cell]) lines.push(["not distinguishable from noise", "quiet"]);
  if (size > 1)
    lines.push([`one of ${many(size)} cells measured as one block: how it lies within is a guess`, "quiet"]);
  if (cluster !== undefined) lines.push([`in hot spot ${hotName(known, cluster)}`, ""]);
  return lines;
}
