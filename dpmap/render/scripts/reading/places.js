// @ts-check
/* The smallest places of which the colour can be told, as the library found them. */

/** @import { Facts, Places, Reading } from "../types.d.ts" */

import { bits, decode } from "../arrays.js";
import { groupsOf } from "../cells/regions.js";

/**
 * Places with what each holds; null where the area is not parted.
 *
 * @param {Facts} facts
 * @param {Reading} reading
 * @returns {Places | null}
 */
export function placesOf({ patches, per_km2 }, { areaOf }) {
  if (!patches) return null;
  const [estimate, low, high] = [patches.estimate, patches.low, patches.high].map((packed) => decode(packed));
  const groups = groupsOf(decode(patches.place), estimate.length, patches.outlines);
  const squareKm = new Float64Array(groups.count);
  decode(patches.place).forEach((place, cell) => (squareKm[place] += areaOf(cell)));
  const sizes = per_km2 ? squareKm : squareKm.map((_, place) => groups.membersOf(place).length);
  const told = bits(patches.told, estimate.length);
  const nearlyEmpty = (/** @type {number} */ place) =>
    told[place] === 1 && high[place] <= patches.nearly_empty * sizes[place] * (1 + 1e-9);
  return { ...groups, alike: true, told, estimate, low, high, squareKm, sizes, nearlyEmpty };
}
