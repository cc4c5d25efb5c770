// @ts-check
/* Places by the towns near them, in the words of dpmap/render/towns.py. */

/** @import { Facts, Town } from "../types.d.ts" */

const EARTH = 6371.0088;
/** Kilometres: a place is not named after a town farther away. */
const FARTHEST = 200;
/** A town that lies so many sides from the middle of a cell lies in it, or at its corner. */
const CELL_REACH = 0.7;
const POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/**
 * `at Teruel` where a town lies in the cell, `12 km NE of Teruel`, or coordinates rounded to a cell's side where no town is near.
 *
 * @param {Pick<Facts, "context">} facts
 * @param {number} longitude
 * @param {number} latitude
 */
export function placeName({ context }, longitude, latitude) {
  const { towns = [], own = [], side } = context;
  const named = own.filter(({ points }) => points.length).flatMap(({ names }) => names);
  const known = [...named, ...towns];
  const far = known.map((town) => distance(town, longitude, latitude));
  const within = known.find((_, at) => far[at] <= Math.max(0.5, CELL_REACH * side));
  if (within) return `at ${within[0]}`;
  const km = Math.min(...far, Infinity);
  const nearest = known[far.indexOf(km)];
  if (!nearest || km > FARTHEST) return placeCoordinates(longitude, latitude, side);
  return `${rounded(km, side)} km ${POINTS[bearing(nearest, longitude, latitude)]} of ${nearest[0]}`;
}

/**
 * `40.3° N, 1.1° W`, to the decimals that a cell's side means.
 *
 * @param {number} longitude
 * @param {number} latitude
 * @param {number} side in kilometres
 */
export function placeCoordinates(longitude, latitude, side) {
  const decimals = Math.min(4, Math.max(0, Math.ceil(Math.log10(111 / side) - 0.05)));
  return `${coordinate(latitude, decimals, "NS")}, ${coordinate(longitude, decimals, "EW")}`;
}

/** @param {number} degrees */
const radians = (degrees) => (degrees * Math.PI) / 180;

/**
 * Kilometres on a sphere.
 *
 * @param {Town} town
 * @param {number} longitude
 * @param {number} latitude
 */
export function distance([, east, north], longitude, latitude) {
  const [up, across] = [radians(north - latitude), radians(east - longitude)];
  const half =
    Math.sin(up / 2) ** 2 + Math.cos(radians(latitude)) * Math.cos(radians(north)) * Math.sin(across / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.sqrt(Math.min(half, 1)));
}

/**
 * The nearest of eight points of the compass in which a place lies from a town.
 *
 * @param {Town} town
 * @param {number} longitude
 * @param {number} latitude
 */
function bearing([, fromEast, fromNorth], longitude, latitude) {
  const [across, here, there] = [radians(longitude - fromEast), radians(fromNorth), radians(latitude)];
  const east = Math.sin(across) * Math.cos(there);
  const north = Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(across);
  return (Math.floor((Math.atan2(east, north) * 4) / Math.PI + 0.5) + 8) % 8;
}

/**
 * Whole kilometres; tenths where cells are smaller than one.
 *
 * @param {number} km
 * @param {number} side
 */
const rounded = (km, side) => (side < 1 ? Math.floor(km * 10 + 0.5) / 10 : Math.floor(km + 0.5));

/**
 * @param {number} degrees
 * @param {number} decimals
 * @param {string} letters
 */
function coordinate(degrees, decimals, letters) {
  const size = Number(Math.abs(degrees).toFixed(decimals));
  return `${size}°${size === 0 ? "" : ` ${letters[degrees > 0 ? 0 : 1]}`}`;
}
