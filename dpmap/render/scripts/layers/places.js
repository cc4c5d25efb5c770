// @ts-check
/* The layers that show places: how dense each is, at least and at most, and how sure that is. */

/** @import { Known, Layer, Places } from "../types.d.ts" */

import { densityText, percent } from "../words.js";
import { classOf, classRows, nearlyEmpty, ramp, tintsOf, unsure } from "./ink.js";

/** Half the width of an interval as a share of the estimate, where colours change. */
const STEPS = [0.1, 0.25, 0.5, 1];
const [NEARLY_EMPTY, UNTOLD] = [STEPS.length + 1, STEPS.length + 2];

/**
 * Every way to look at places, by its key.
 *
 * @param {Known} known
 * @param {Places} places
 * @returns {[string, Layer][]}
 */
export function placeLayers(known, places) {
  const level = percent(known.facts.level);
  const within = places.some
    ? " A place may have several cells, in one piece or in several: how these differ is not known."
    : "";
  return [
    [
      "estimate",
      densityLayer(known, places, "Estimate", places.estimate, `Places are as small as the noise allows.${within}`),
    ],
    [
      "low",
      densityLayer(known, places, "At least", places.low, `The lower end of each place's ${level} interval.${within}`),
    ],
    [
      "high",
      densityLayer(known, places, "At most", places.high, `The upper end of each place's ${level} interval.${within}`),
    ],
    ["width", widthLayer(known, places)],
  ];
}

/**
 * Densities in classes; hatched where the colour is not told.
 *
 * @param {Known} known
 * @param {Places} places
 * @param {string} title
 * @param {Float64Array} totals
 * @param {string} note
 * @returns {Layer}
 */
function densityLayer({ facts }, places, title, totals, note) {
  const none = facts.colours.length;
  const classes = tintsOf(places.count, (place) =>
    places.told[place] ? classOf(facts, totals[place] / places.sizes[place]) : none,
  );
  const above = totals.some((total, place) => places.told[place] && total / places.sizes[place] > facts.edges[none]);
  return {
    title,
    groups: places,
    palette: () => [
      ...ramp(facts, "colours").map((tint, i) =>
        i ? tint : { ...tint, quiet: true, even: facts.geometry.kind !== "areas" },
      ),
      unsure(),
    ],
    tints: () => tintsOf(facts.cells, (cell) => classes[places.of(cell)]),
    legend: () => ({ rows: [...classRows(facts, above), ...untold(facts, places, none)], note }),
  };
}

/**
 * How wide intervals are.
 *
 * @param {Known} known
 * @param {Places} places
 * @returns {Layer}
 */
function widthLayer({ facts }, places) {
  const { told, low, high, estimate } = places;
  const classes = tintsOf(places.count, (place) => {
    if (!told[place]) return UNTOLD;
    if (places.nearlyEmpty(place)) return NEARLY_EMPTY;
    const share = (high[place] - low[place]) / 2 / estimate[place];
    return STEPS.filter((step) => share <= step).length;
  });
  const shown = (/** @type {number} */ tint) => classes.includes(tint);
  const most = places.sizes.reduce(
    (top, size, place) => (classes[place] === NEARLY_EMPTY ? Math.max(top, high[place] / size) : top),
    0,
  );
  return {
    title: "How sure",
    groups: places,
    palette: () => [...ramp(facts, "confidence_colours").slice(0, NEARLY_EMPTY), nearlyEmpty(), unsure()],
    tints: () => tintsOf(facts.cells, (cell) => classes[places.of(cell)]),
    legend: () => ({
      rows: [
        [null, `Half of the ${percent(facts.level)} interval, as a share of the estimate`],
        .../** @type {[number, string][]} */ ([
          [4, "up to 10 %: surest"],
          [3, "10 to 25 %"],
          [2, "25 to 50 %"],
          [1, "50 to 100 %"],
          [0, "more than 100 %"],
          [NEARLY_EMPTY, `sure to be nearly empty: at most ${densityText(facts, most)}`],
        ]).filter(([tint]) => shown(tint)),
        ...untold(facts, places, UNTOLD),
      ],
      note: "Darker is surer, not denser.",
    }),
  };
}

/**
 * The row of land without a colour, and what that holds at most; none where there is no such land.
 *
 * @param {Known["facts"]} facts
 * @param {Places} places
 * @param {number} tint
 * @returns {[number, string][]}
 */
function untold(facts, { told, high, sizes }, tint) {
  const most = sizes.reduce((top, size, place) => (told[place] ? top : Math.max(top, high[place] / size)), -1);
  if (most < 0) return [];
  return [[tint, Number.isFinite(most) ? `not told; at most ${densityText(facts, most)}` : "not told"]];
}
