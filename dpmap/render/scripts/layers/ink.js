// @ts-check
/* The colours of the layers, light or dark as the page is. */

/** @import { Facts, Tint } from "../types.d.ts" */

import { inkOf } from "../elements.js";

/** Whether the reader's screen is dark; paper never is. */
export const dark = window.matchMedia("screen and (prefers-color-scheme: dark)");

/**
 * Light to dark on paper; on a dark page the other way round, so that more always stands out more.
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
