// @ts-check
/* Each cell's estimate, interval and confidence: the same formulas as dpmap/inference, whichever reading the release has. */

/** @import { Facts, Reading, Regions } from "../types.d.ts" */

import { bits, decode } from "../arrays.js";
import { believedLand } from "../zones/believed.js";
import { fromLadder } from "./ladder.js";
import { fromNoise } from "./noise.js";
import { fromRegions } from "./regions.js";

/**
 * What can be read of each cell.
 *
 * @param {Facts} facts
 * @param {Regions} regions
 * @returns {Reading}
 */
export function readingOf(facts, regions) {
  const area = decode(facts.area);
  const areaOf = (/** @type {number} */ cell) => area[area.length === 1 ? 0 : cell];
  const own = ownReading(facts, regions);
  const believed = believedLand(facts, regions, areaOf, own.estimate);
  return {
    count: facts.cells,
    sure: bits(facts.sure, facts.cells),
    areaOf,
    thresholds: facts.reading.thresholds,
    ...own,
    ...(believed && { low: believed.low, high: believed.high }),
    believed,
  };
}

/**
 * @param {Facts} facts
 * @param {Regions} regions
 */
function ownReading(facts, regions) {
  const plain = facts.reading;
  if (plain.law === "regions") return fromRegions(plain, facts, regions);
  if (plain.law === "ladder") return fromLadder(plain, facts.cells);
  return fromNoise(plain, facts.rate);
}
