// @ts-check
/* The layers that show values in classes of colours: the estimate, and the lower bound. */

/** @import { Facts, Known, Layer } from "../types.d.ts" */

import { percent } from "../words.js";
import { ramp, tintsOf, unsure } from "./ink.js";

/**
 * What stands out from noise, or all of it.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function estimateLayer({ facts, reading }) {
  const none = facts.colours.length;
  const blocks = facts.alone
    ? " Outlined land was measured as one block: its colours tell what the block holds, how it lies within is a guess."
    : "";
  const per = facts.per_km2 ? reading.areaOf : () => 1;
  return {
    title: "Estimate",
    palette: () => [...ramp(facts, "colours"), unsure()],
    tints: ({ mask }) =>
      tintsOf(facts.cells, (cell) =>
        mask && !reading.sure[cell] ? none : classOf(facts, reading.estimate(cell) / per(cell)),
      ),
    legend: ({ mask }) => ({
      rows: mask ? [...classRows(facts), [none, "not distinguishable from noise"]] : classRows(facts),
      note:
        (mask
          ? "Grey cells may hold some or none: the noise hides which."
          : "Most small values here are noise. Tick the box to see which cells stand out from it.") + blocks,
    }),
  };
}

/**
 * At least this much.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function lowLayer({ facts, reading }) {
  const none = facts.colours.length;
  const per = facts.per_km2 ? reading.areaOf : () => 1;
  return {
    title: "Lower bound",
    palette: () => [...ramp(facts, "colours"), unsure()],
    tints: () =>
      tintsOf(facts.cells, (cell) => {
        const low = reading.low(cell);
        return low > 0 ? classOf(facts, low / per(cell)) : none;
      }),
    legend: () => ({
      rows: [...classRows(facts), [none, "0: not distinguishable from noise"]],
      note: `The lower end of each cell's ${percent(facts.level)} interval: at least this much, for each cell by itself.`,
    }),
  };
}

/**
 * @param {Facts} facts
 * @param {number} value
 */
function classOf({ colours, edges }, value) {
  let found = 0;
  while (found < colours.length - 1 && value >= edges[found + 1]) found += 1;
  return found;
}

/**
 * The units, then the classes from the highest down.
 *
 * @param {Facts} facts
 * @returns {[number | null, string][]}
 */
function classRows({ units, labels }) {
  /** @type {[number, string][]} */
  const rows = labels.map((words, i) => [i, words]);
  return [[null, units], ...rows.reverse()];
}
