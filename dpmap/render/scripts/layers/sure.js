// @ts-check
/* The layer of cells that surely hold something. */

/** @import { Known, Layer } from "../types.d.ts" */

import { many, percent } from "../words.js";
import { ramp, unsure } from "./ink.js";

/**
 * Surely something, or not distinguishable from none.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function sureLayer({ facts, reading, regions }) {
  const single = Boolean(reading.believed) || !regions.some;
  /** @type {(cell: number) => number} */
  const of = single ? (cell) => cell : regions.of;
  /** @type {Set<number>} */
  const out = new Set();
  /** @type {Set<number>} */
  const all = new Set();
  for (let cell = 0; cell < facts.cells; cell++) {
    all.add(of(cell));
    if (reading.sure[cell]) out.add(of(cell));
  }
  const what = single ? "cells" : "regions (blocks of cells measured as one, and cells)";
  const blocks = single ? "" : " Most cells of such a block may hold nothing.";
  const rule = reading.believed
    ? `their ${percent(facts.level)} intervals leave out 0.`
    : `at most ${percent(facts.rate)} of them are expected to be noise alone.${blocks}`;
  return {
    title: "Surely something",
    groups: regions,
    palette: () => [unsure(), ramp(facts, "confidence_colours")[3]],
    tints: () => reading.sure,
    legend: () => ({
      rows: [
        ...(out.size ? /** @type {[number, string][]} */ ([[1, "surely holds something"]]) : []),
        [0, "not distinguishable from none"],
      ],
      note: out.size
        ? `${many(out.size)} of ${many(all.size)} ${what} surely ${out.size === 1 ? "holds" : "hold"} something: ${rule} Grey does not mean absent.`
        : `None of the ${many(all.size)} ${what} surely holds something. That does not mean that there is nothing.`,
    }),
  };
}
