// @ts-check
/* True ground. */

/** @import { Ring } from "../types.d.ts" */

import { oriented } from "../cells/oriented.js";
import { boxOfRings } from "../cells/plane.js";

/** The ellipsoid of WGS 84. */
const [E2, POLAR] = [0.0066943799901413165, 6356.752314245179];
const E = Math.sqrt(E2);

/**
 * The true area of rings of [longitude, latitude] on the ellipsoid, their edges straight in degrees.
 *
 * @param {Ring[]} rings
 */
export function squareKm(rings) {
  const [west, south, east, north] = boxOfRings(rings);
  const step = Math.max(east - west, north - south) / 50;
  let total = 0;
  for (const [ax, ay, bx, by] of oriented(rings)) {
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / step));
    for (let k = 0; k < parts; k++) {
      /** @param {number} share */
      const at = (share) => strip(ay + ((by - ay) * (k + share)) / parts);
      total -= ((bx - ax) / parts) * ((at(0) + 4 * at(0.5) + at(1)) / 6);
    }
  }
  return (total * Math.PI * POLAR * POLAR) / 180;
}

/**
 * The area of a strip one radian wide from the equator to a latitude, in polar radii squared.
 *
 * @param {number} latitude
 */
function strip(latitude) {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return sine / (2 * (1 - E2 * sine * sine)) + Math.atanh(E * sine) / (2 * E);
}
