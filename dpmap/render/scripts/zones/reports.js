// @ts-check
/* Bounds of a zone's total from reports that devices randomised: those of ReportedEstimate.zone, by the same exact law. */

/** @import { Bounds, Covered, ReportZones } from "../types.d.ts" */
/** @import { Coins } from "../law/binomials.js" */

import { decode } from "../arrays.js";
import { binomialsAtLeast } from "../law/binomials.js";
import { sumOf } from "./measured.js";

/**
 * The least and the most volunteers that the reports do not speak against.
 *
 * @param {ReportZones} plain
 * @param {number} level
 * @returns {(covered: Covered) => Bounds}
 */
export function reportBounds(plain, level) {
  const support = decode(plain.support);
  const risk = (1 - level) / 2;
  return ({ within, cut }) => {
    const inside = sumOf(within, (cell) => support[cell]);
    const reach = inside + sumOf(cut, (cell) => support[cell]);
    const [few, all] = [within.length, within.length + cut.length];
    const none = !few || atLeast(inside, coins(plain, 0, few)) > (cut.length ? risk : 2 * risk);
    /** @type {(enough: (x: number) => boolean) => number} */
    const least = (enough) => leastWhere(plain.count, enough);
    const low = none
      ? 0
      : Math.min(
          plain.count,
          least((x) => atLeast(inside, coins(plain, x, few)) > risk),
        );
    return { low, high: Math.max(low, least((x) => atMost(reach, coins(plain, x, all)) <= risk) - 1) };
  };
}

/**
 * The two binomials of so many cells with x volunteers in them.
 *
 * @param {ReportZones} plain
 * @param {number} x
 * @param {number} cells
 * @returns {[Coins, Coins]}
 */
function coins({ mechanism, count, truth: p, other: q }, x, cells) {
  if (mechanism === "oue") {
    return [
      [x, p],
      [count * cells - x, q],
    ];
  }
  return [
    [x, Math.min(1, p + (cells - 1) * q)],
    [count - x, Math.min(1, cells * q)],
  ];
}

/**
 * @param {number} total
 * @param {[Coins, Coins]} coins
 */
const atLeast = (total, [one, other]) => binomialsAtLeast(total, one, other);

/**
 * @param {number} total
 * @param {[Coins, Coins]} coins
 */
function atMost(total, [[one, a], [two, b]]) {
  return binomialsAtLeast(one + two - total, [one, 1 - a], [two, 1 - b]);
}

/**
 * The least x from 1 on for which this enough, as for all after it; one beyond `count` where there is none.
 *
 * @param {number} count
 * @param {(x: number) => boolean} enough
 */
function leastWhere(count, enough) {
  let [low, high] = [1, count + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
