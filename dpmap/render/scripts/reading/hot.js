// @ts-check
/* Hot spots, as the library found them. */

/** @import { Facts, HotSpots } from "../types.d.ts" */

import { bits, decode } from "../arrays.js";

/**
 * Cells and clusters above their surroundings.
 *
 * @param {Facts} facts
 * @returns {HotSpots}
 */
export function hotSpotsOf({ hot, cells: count }) {
  if (!hot) return { tested: new Uint8Array(count), totals: [], members: [], clusterOf: new Map() };
  const clusters = decode(hot.clusters);
  /** @type {number[][]} */
  const members = hot.totals.map(() => []);
  const clusterOf = new Map();
  decode(hot.cells).forEach((cell, i) => {
    members[clusters[i]].push(cell);
    clusterOf.set(cell, clusters[i]);
  });
  return { tested: bits(hot.tested, count), totals: hot.totals, members, clusterOf };
}
