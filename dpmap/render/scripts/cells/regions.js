// @ts-check
/* Land that was measured as one. */

/** @import { Facts, Regions } from "../types.d.ts" */

import { decode } from "../arrays.js";

/**
 * How many cells each of so many regions has; a label of -1 is none.
 *
 * @param {Int32Array | null} labels
 * @param {number} regions
 */
export function sizesOf(labels, regions) {
  const sizes = new Int32Array(regions);
  for (const region of labels || []) if (region >= 0) sizes[region] += 1;
  return sizes;
}

/**
 * Which region of the last measurement each cell is in.
 *
 * @param {Facts} facts
 * @returns {Regions}
 */
export function regionsOf({ zones, alone }) {
  const labels = zones.labels && decode(zones.labels);
  const sizes = sizesOf(labels, zones.regions);
  return {
    labels,
    sizes,
    some: alone !== null,
    of: (cell) => (labels ? labels[cell] : cell),
    sizeOf: (cell) => (labels ? sizes[labels[cell]] : 1),
  };
}
