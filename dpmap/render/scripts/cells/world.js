// @ts-check
/* World coordinates (Web Mercator): from 0 to 1, y to the south. */

/** @import { Ring } from "../types.d.ts" */

/** @param {number} longitude */
export const worldX = (longitude) => (longitude + 180) / 360;

/** @param {number} latitude */
export function worldY(latitude) {
  const sine = Math.sin((Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI) / 180);
  return 0.5 - Math.atanh(sine) / (2 * Math.PI);
}

/** @param {number} x */
export const longitudeOf = (x) => x * 360 - 180;

/** @param {number} y */
export const latitudeOf = (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;

/**
 * Rings of [longitude, latitude] in world coordinates.
 *
 * @param {Ring[]} rings
 * @returns {Ring[]}
 */
export function onWorld(rings) {
  return rings.map((ring) => ring.map(([x, y]) => [worldX(x), worldY(y)]));
}

/**
 * World coordinates as Leaflet has places: [latitude, longitude].
 *
 * @param {Ring} ring
 * @returns {[latitude: number, longitude: number][]}
 */
export function latLngs(ring) {
  return ring.map(([x, y]) => [latitudeOf(y), longitudeOf(x)]);
}
