// @ts-check
/* Each cell's estimate, interval and confidence: the same formulas as dpmap/inference, whichever reading the release has. */

/** @import { Facts, Reading, Regions } from "../types.d.ts" */

import { bits, decode } from "../arrays.js";
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
  return {
    count: facts.cells,
    sure: bits(facts.sure, facts.cells),
    areaOf: (cell) => area[area.length === 1 ? 0 : cell],
    thresholds: facts.reading.thresholds,
    ...ownReading(facts, regions),
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
