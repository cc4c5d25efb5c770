// @ts-check
/* The layer of cells above a threshold, by how sure that is. */

/** @import { Known, Layer } from "../types.d.ts" */

import { bits } from "../arrays.js";
import { counted, numberText, percent } from "../words.js";
import { grey, ramp, tintsOf, unsure } from "./ink.js";

/** The confidences at which colours change. */
const STEPS_OF_CONFIDENCE = [0.5, 0.8, 0.9, 0.95, 0.99];
const EXCEEDS = STEPS_OF_CONFIDENCE.length + 1;
const BLOCK = EXCEEDS + 1;

/**
 * Confidence cell by cell, and the cells that exceed it together.
 *
 * @param {Known} known
 * @returns {Layer}
 */
export function exceedsLayer({ facts, reading, regions }) {
  const alone = facts.alone && bits(facts.alone, facts.cells);
  const tested = alone ? alone.reduce((total, one) => total + one, 0) : facts.cells;
  /** @type {[number, string][]} */
  const blockRows = alone ? [[BLOCK, "in a block measured as one: not known cell by cell"]] : [];
  return {
    title: "Above a threshold",
    groups: regions,
    palette: () => [grey(), ...ramp(facts, "confidence_colours"), unsure()],
    tints: ({ index }) => {
      const confidence = reading.confidence(index);
      const exceeds = reading.exceeding(index);
      return tintsOf(facts.cells, (cell) => {
        if (alone && !alone[cell]) return BLOCK;
        if (exceeds(cell)) return EXCEEDS;
        const sure = confidence(cell);
        return STEPS_OF_CONFIDENCE.filter((least) => sure >= least).length;
      });
    },
    legend: ({ index }) => ({
      rows: [
        [null, `Confidence that a cell's capped total exceeds ${numberText(reading.thresholds[index])} ${facts.noun}`],
        .../** @type {[number, string][]} */ (
          tested
            ? [[EXCEEDS, `exceeds, corrected for ${counted(tested, "cell")}`], ...confidenceRows(), [0, "under 50 %"]]
            : []
        ),
        ...blockRows,
      ],
      note: tested
        ? "Confidence is for each cell by itself: 1 less the chance that noise alone makes it look this high. Corrected " +
          `cells are chosen together (Benjamini-Hochberg): at most ${percent(facts.rate)} of them are expected not to ` +
          "exceed it."
        : "Every cell was measured as part of a block: whether one alone exceeds it is not known.",
    }),
  };
}

/** From the highest confidence down. */
function confidenceRows() {
  const percents = STEPS_OF_CONFIDENCE.map((least) => Math.round(least * 100));
  /** @type {[number, string][]} */
  const rows = percents.map((least, i) => [
    i + 1,
    i + 1 < percents.length ? `${least} to ${percents[i + 1]} %` : `${least} % or more`,
  ]);
  return rows.reverse();
}
