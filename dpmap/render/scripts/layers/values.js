// @ts-check
/* The layers that show each cell by itself in classes of colours: the estimate, and the ends of its interval. */

/** @import { Known, Layer } from "../types.d.ts" */

import { percent } from "../words.js";
import { classOf, classRows, ramp, tintsOf, unsure } from "./ink.js";

/**
 * What surely holds something, or all of it.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function estimateLayer(known) {
  const { facts, reading, regions, places } = known;
  const none = facts.colours.length;
  const blocks = facts.alone
    ? " Outlined land was measured as one block: its colours tell what the block holds, how it lies within is a guess."
    : "";
  const guess = places ? " Each cell by itself is a guess within its place." : "";
  return {
    title: "Estimate",
    groups: regions,
    palette: () => [...ramp(facts, "colours"), unsure()],
    tints: ({ mask }) =>
      tintsOf(facts.cells, (cell) =>
        mask && !reading.sure[cell] ? none : classOf(facts, densityOf(known, reading.estimate, cell)),
      ),
    legend: ({ mask }) => {
      const rows = classRows(facts, reaches(known, reading.estimate));
      return {
        rows: mask ? [...rows, [none, "not distinguishable from none"]] : rows,
        note:
          (mask
            ? "Grey cells may hold some or none: the noise hides which."
            : "Most small values here are noise. Tick the box to see which cells surely hold something.") +
          guess +
          blocks,
      };
    },
  };
}

/**
 * At least this much.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function lowLayer(known) {
  const { facts, reading, regions } = known;
  const none = facts.colours.length;
  return {
    title: "At least",
    groups: regions,
    palette: () => [...ramp(facts, "colours"), unsure()],
    tints: () =>
      tintsOf(facts.cells, (cell) =>
        reading.low(cell) > 0 ? classOf(facts, densityOf(known, reading.low, cell)) : none,
      ),
    legend: () => ({
      rows: [...classRows(facts, reaches(known, reading.low)), [none, "0: not distinguishable from none"]],
      note: `The lower end of each cell's ${percent(facts.level)} interval, which holds for each cell by itself.`,
    }),
  };
}

/**
 * At most this much.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function highLayer(known) {
  const { facts, reading, regions } = known;
  return {
    title: "At most",
    groups: regions,
    palette: () => ramp(facts, "colours"),
    tints: () => tintsOf(facts.cells, (cell) => classOf(facts, densityOf(known, reading.high, cell))),
    legend: () => ({
      rows: classRows(facts, reaches(known, reading.high)),
      note:
        `The upper end of each cell's ${percent(facts.level)} interval, which holds for each cell by itself. A cell of a block ` +
        "that was measured as one may hold all of it.",
    }),
  };
}

/**
 * @param {Known} known
 * @param {(cell: number) => number} value
 * @param {number} cell
 */
const densityOf = ({ facts, reading }, value, cell) => value(cell) / (facts.per_km2 ? reading.areaOf(cell) : 1);

/**
 * Whether some cell lies above the top class.
 *
 * @param {Known} known
 * @param {(cell: number) => number} value
 */
function reaches(known, value) {
  const top = known.facts.edges[known.facts.colours.length];
  for (let cell = 0; cell < known.facts.cells; cell++) if (densityOf(known, value, cell) > top) return true;
  return false;
}
