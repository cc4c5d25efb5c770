// @ts-check
/* The layer of hot spots. */

/** @import { Known, Layer } from "../types.d.ts" */

import { counted, percent } from "../words.js";
import { grey, ramp, tintsOf, unsure } from "./ink.js";

/**
 * Denser than the surroundings, not shown to be, or not tested.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function hotLayer({ facts, hot, regions }) {
  const ring = facts.geometry.kind === "areas" ? "the areas one or two steps away" : "the cells two to four steps away";
  const untested = facts.alone
    ? "measured as one block, or without surroundings: not tested"
    : "without surroundings: not tested";
  return {
    title: "Hot spots",
    groups: regions,
    palette: () => [grey(), ramp(facts, "confidence_colours")[3], unsure()],
    tints: () => tintsOf(facts.cells, (cell) => (hot.clusterOf.has(cell) ? 1 : hot.tested[cell] ? 0 : 2)),
    legend: () => ({
      rows: [
        .../** @type {[number, string][]} */ (hot.members.length ? [[1, "denser than its surroundings"]] : []),
        .../** @type {[number, string][]} */ (hot.tested.includes(1) ? [[0, "not shown to be denser"]] : []),
        .../** @type {[number, string][]} */ (hot.tested.includes(0) ? [[2, untested]] : []),
      ],
      note: hot.members.length
        ? `${counted(hot.members.length, "hot spot")} of ${counted(hot.clusterOf.size, "cell")}: each cell is held against ` +
          `the density of ${ring} by the known law of the noise. At most ${percent(facts.rate)} of the cells chosen are ` +
          "expected to be false."
        : `No cell is shown to be denser than ${ring}. That does not mean that there is no dense place.`,
    }),
  };
}
