// @ts-check
/* Rectangles by their corners, typed. */

/** @import { Place } from "../types.d.ts" */
/** @import { Areas } from "./areas.js" */

import { find } from "../elements.js";
import { complain } from "./areas.js";

/**
 * The ring of a rectangle from corner to corner.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 * @returns {Place[]}
 */
export function rectangle(a, b, c, d) {
  return [
    [a, b],
    [c, b],
    [c, d],
    [a, d],
  ];
}

/**
 * Lets the reader type west, south, east and north.
 *
 * @param {Areas} areas
 */
export function typing(areas) {
  const form = find("#dp-corners", HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [west, south, east, north] = ["west", "south", "east", "north"].map(typedDegrees);
    if (!(west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90)) {
      complain("Corners are degrees, with west below east and south below north, like -3.5.");
      return;
    }
    areas.addAll([{ name: areas.nextName(), rings: [rectangle(west, south, east, north)] }]);
  });
}

/**
 * The number in a field; none where it is empty.
 *
 * @param {string} name
 */
function typedDegrees(name) {
  const text = find(`#dp-corners [name=${name}]`, HTMLInputElement).value.trim();
  return text ? Number(text) : NaN;
}
