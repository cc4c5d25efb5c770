// @ts-check
/* Project areas from a file. It may hold anything: nothing is taken for what it says it is. */

/** @import { Place, Ring, Zone } from "../types.d.ts" */

const MOST_AREAS = 200;

/** @typedef {Record<string, unknown>} Item */

/**
 * The polygons of a GeoJSON text, each as a name and rings of [longitude, latitude]; throws a sentence for people.
 *
 * @param {string} text
 */
export function polygonsOf(text) {
  /** @type {Zone[]} */
  const found = [];
  collect(parsed(text), "", found);
  if (!found.length) throw new Error("There is no polygon in this file. Points and lines have no area to add up.");
  if (found.length > MOST_AREAS)
    throw new Error(`This file has more than ${MOST_AREAS} areas. Split it into smaller files.`);
  return found;
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This is not a GeoJSON file. Save the project areas as GeoJSON (RFC 7946) and try again.");
  }
}

/**
 * @param {unknown} thing
 * @param {string} name
 * @param {Zone[]} found
 */
function collect(thing, name, found) {
  if (!thing || typeof thing !== "object") return;
  const item = /** @type {Item} */ (thing);
  if (Array.isArray(item.features)) for (const feature of item.features) collect(feature, "", found);
  else if (item.type === "Feature") collect(item.geometry, nameOf(item), found);
  else if (Array.isArray(item.geometries)) for (const part of item.geometries) collect(part, name, found);
  else if (item.type === "Polygon") add(ringsIn(item.coordinates), name, found);
  else if (item.type === "MultiPolygon" && Array.isArray(item.coordinates)) {
    add(item.coordinates.flatMap(ringsIn), name, found);
  }
}

/**
 * @param {Ring[]} rings
 * @param {string} name
 * @param {Zone[]} found
 */
function add(rings, name, found) {
  if (rings.length) found.push({ name: name || `Area ${found.length + 1}`, rings });
}

/** @param {Item} feature */
function nameOf(feature) {
  const properties = /** @type {Item} */ (Object(feature.properties));
  const key = ["name", "Name", "NAME", "title", "id"].find((candidate) => properties[candidate] != null);
  return String(key ? properties[key] : (feature.id ?? "")).slice(0, 80);
}

/**
 * @param {unknown} coordinates
 * @returns {Ring[]}
 */
function ringsIn(coordinates) {
  if (!Array.isArray(coordinates)) return [];
  const rings = coordinates.map((ring) => (Array.isArray(ring) ? ring.map(placeOf) : []));
  return rings.filter((ring) => ring.length >= 3);
}

/**
 * @param {unknown} position
 * @returns {Place}
 */
function placeOf(position) {
  const [x, y] = Array.isArray(position) ? position : [];
  if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error("A coordinate in this file is not a number.");
  if (Math.abs(x) > 180 || Math.abs(y) > 90) {
    throw new Error(
      "These coordinates are not longitude and latitude. Save the file as GeoJSON in WGS 84 (EPSG:4326).",
    );
  }
  return [x, y];
}
