// @ts-check
/* The colours of the layers, light or dark as the page is. */

/** @import { Facts, Tint } from "../types.d.ts" */

import { inkOf } from "../elements.js";

/** Whether the reader's screen is dark; paper never is. */
export const dark = window.matchMedia("screen and (prefers-color-scheme: dark)");

/**
 * Light to dark, on paper and on a dark page alike.
 *
 * @param {Facts} facts
 * @param {"colours" | "confidence_colours"} name
 * @returns {Tint[]}
 */
export function ramp(facts, name) {
  return (dark.matches ? facts[`dark_${name}`] : facts[name]).map((fill) => ({ fill }));
}

/**
 * Grey hatches: not known.
 *
 * @returns {Tint}
 */
export const unsure = () => ({ fill: inkOf("--unsure"), hatch: inkOf("--unsure-line"), quiet: true });

/**
 * Plain grey: known, and not it.
 *
 * @returns {Tint}
 */
export const grey = () => ({ fill: inkOf("--unsure"), quiet: true });

/**
 * A green that no ramp has: told to hold next to nothing.
 *
 * @returns {Tint}
 */
export const nearlyEmpty = () => ({ fill: inkOf("--empty"), quiet: true, even: true });

/**
 * The tint of each of so many cells.
 *
 * @param {number} count
 * @param {(cell: number) => number} tint
 */
export function tintsOf(count, tint) {
  const tints = new Uint8Array(count);
  for (let cell = 0; cell < count; cell++) tints[cell] = tint(cell);
  return tints;
}

/**
 * The number of the class that a value lies in.
 *
 * @param {Facts} facts
 * @param {number} value
 */
export function classOf({ colours, edges }, value) {
  let found = 0;
  while (found < colours.length - 1 && value >= edges[found + 1]) found += 1;
  return found;
}

/**
 * The units, then the classes from the highest down.
 *
 * @param {Facts} facts
 * @param {boolean} above whether something lies above the top class
 * @returns {[number | null, string][]}
 */
export function classRows({ units, labels, more }, above) {
  const words = above ? [...labels.slice(0, -1), more] : labels;
  /** @type {[number, string][]} */
  const rows = words.map((name, i) => [i, name]);
  return [[null, units], ...rows.reverse()];
}
