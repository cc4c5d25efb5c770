// @ts-check
/* The layer of cells that stand out from noise. */

/** @import { Known, Layer } from "../types.d.ts" */

import { many, percent } from "../words.js";
import { ramp, unsure } from "./ink.js";

/**
 * Something, or not told from nothing.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function sureLayer({ facts, reading }) {
  const count = reading.sure.reduce((total, one) => total + one, 0);
  return {
    title: "Above noise",
    palette: () => [unsure(), ramp(facts, "confidence_colours")[3]],
    tints: () => reading.sure,
    legend: () => ({
      rows: [
        [1, "stands out from noise"],
        [0, "not distinguishable from noise"],
      ],
      note:
        `${many(count)} of ${many(facts.cells)} cells stand out, corrected for looking at many cells: at most ` +
        `${percent(facts.rate)} of them are expected to be noise alone. Grey does not mean absent.`,
    }),
  };
}
