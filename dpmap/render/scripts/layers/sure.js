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
export function sureLayer({ facts, reading, regions }) {
  /** @type {Set<number>} */
  const out = new Set();
  /** @type {Set<number>} */
  const all = new Set();
  for (let cell = 0; cell < facts.cells; cell++) {
    all.add(regions.of(cell));
    if (reading.sure[cell]) out.add(regions.of(cell));
  }
  const what = regions.some ? "regions (blocks of cells measured as one, and cells)" : "cells";
  const blocks = regions.some ? " A block stands out if it holds something: most of its cells may hold nothing." : "";
  return {
    title: "Above noise",
    groups: regions,
    palette: () => [unsure(), ramp(facts, "confidence_colours")[3]],
    tints: () => reading.sure,
    legend: () => ({
      rows: [
        ...(out.size ? /** @type {[number, string][]} */ ([[1, "stands out from noise"]]) : []),
        [0, "not told from noise"],
      ],
      note: out.size
        ? `${many(out.size)} of ${many(all.size)} ${what} ${out.size === 1 ? "stands" : "stand"} out, corrected for looking at many: at most ` +
          `${percent(facts.rate)} of what stands out is expected to be noise alone.${blocks} Grey does not mean absent.`
        : `None of the ${many(all.size)} ${what} stands out. That does not mean that there is nothing.`,
    }),
  };
}
