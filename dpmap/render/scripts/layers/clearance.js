// @ts-check
/* The layer for go or no-go: land that surely holds more than a typed density, land that surely holds less, and the rest. */

/** @import { Facts, Known, Layer, Places } from "../types.d.ts" */

import { percent } from "../words.js";
import { inkOf } from "../elements.js";
import { tintsOf, unsure } from "./ink.js";

const [LESS, UNKNOWN, MORE] = [0, 1, 2];
const ANSWERS = ["surely less", "cannot say", "surely more"];

/**
 * One colour without lines between places, so that land of one answer is seen as one.
 *
 * @param {string} name of a colour of the style sheet
 */
const plain = (name) => ({ fill: inkOf(name), quiet: true, even: true });

/**
 * The answer of a place by its own interval; `limit` is in the measure of its size.
 *
 * @param {Places} places
 * @param {number} place
 * @param {number} limit
 */
function answerOf({ low, high, sizes }, place, limit) {
  if (low[place] > limit * sizes[place]) return MORE;
  return high[place] < limit * sizes[place] ? LESS : UNKNOWN;
}

/**
 * `than 5 sightings per km²`, with the number as it was typed.
 *
 * @param {Facts} facts
 * @param {number} limit
 */
function limitText({ noun, unit }, limit) {
  const typed = (limit * unit.square_km).toLocaleString("en", { maximumSignificantDigits: 9 });
  return `than ${typed} ${noun} per ${unit.words}`;
}

/**
 * The answer of a place in words.
 *
 * @param {Facts} facts
 * @param {Places} places
 * @param {number} place
 * @param {number} limit
 */
export function answerText(facts, places, place, limit) {
  const answer = answerOf(places, place, limit);
  const words = answer === UNKNOWN ? "cannot say whether more or less" : ANSWERS[answer];
  return `${words} ${limitText(facts, limit)}`;
}

/**
 * The share of the land that each answer is given of, as words.
 *
 * @param {Places} places
 * @param {number} limit
 */
function shareTexts(places, limit) {
  const squareKm = [0, 0, 0];
  places.squareKm.forEach((area, place) => {
    squareKm[answerOf(places, place, limit)] += area;
  });
  const whole = squareKm[LESS] + squareKm[UNKNOWN] + squareKm[MORE];
  return squareKm.map((area) => {
    const share = area / whole;
    return share > 0 && share < 5e-4 ? "under 0.1 %" : percent(share);
  });
}

/**
 * One sentence for all land, to be read out.
 *
 * @param {Facts} facts
 * @param {Places} places
 * @param {number} limit
 */
export function landText(facts, places, limit) {
  const shares = shareTexts(places, limit);
  return (
    `${shares[MORE]} of the land holds surely more ${limitText(facts, limit)}, ${shares[LESS]} surely less; ` +
    `of ${shares[UNKNOWN]} the map cannot say.`
  );
}

/**
 * Three colours, for the three answers.
 *
 * @param {Known} known
 * @param {Places} places
 * @returns {Layer}
 */
export function clearanceLayer({ facts }, places) {
  const whole = places.some
    ? " A place of several cells is judged as a whole: a part of it may lie on the other side."
    : "";
  return {
    title: "More or less",
    heading: ({ limit }) => `more or less ${limitText(facts, limit)}`,
    groups: places,
    palette: () => [plain("--less"), { ...unsure(), even: true }, plain("--more")],
    tints: ({ limit }) => {
      const answers = tintsOf(places.count, (place) => answerOf(places, place, limit));
      return tintsOf(facts.cells, (cell) => answers[places.of(cell)]);
    },
    legend: ({ limit }) => {
      const shares = shareTexts(places, limit);
      return {
        rows: [MORE, LESS, UNKNOWN].map((answer) => [answer, `${ANSWERS[answer]}: ${shares[answer]} of the land`]),
        note:
          `A place is told on a side if its ${percent(facts.level)} interval lies wholly there.${whole} ` +
          "Surely less is no proof of absence: such land may hold some.",
      };
    },
  };
}
