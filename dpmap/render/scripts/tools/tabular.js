// @ts-check
/* What is shown, as a table and as GeoJSON: places, or single cells. */

/** @import { Known, Ring } from "../types.d.ts" */

import { polygonsIn } from "../cells/outline.js";
import { outlineOf } from "../cells/regions.js";
import { codeOf, middleOf } from "../words.js";

/** @typedef {Record<string, string | number | boolean>} Row */

/**
 * One row for each place, or for each cell by itself.
 *
 * @param {Known} known
 * @param {string} by
 * @returns {Row[]}
 */
export function rowsOf(known, by) {
  return by === "places" && known.places ? placeRows(known) : cellRows(known);
}

/**
 * @param {Known} known
 * @returns {Row[]}
 */
function placeRows(known) {
  const places = /** @type {import("../types.d.ts").Places} */ (known.places);
  return Array.from(places.sizes, (_, place) => {
    const members = places.membersOf(place);
    const [estimate, low, high, area] = [places.estimate, places.low, places.high, places.squareKm].map(
      (x) => x[place],
    );
    const middle = middleOf(known, places, place);
    const told = places.told[place] === 1;
    const numbers = { area_km2: area, estimate, low, high, distinguishable: low > 0, per_km2: estimate / area };
    return {
      place: place + 1,
      ...named(known, middle, members.length),
      cells: members.length,
      ...numbers,
      told,
      ...whereIs(known, middle),
    };
  });
}

/**
 * @param {Known} known
 * @returns {Row[]}
 */
function cellRows(known) {
  const { facts, reading } = known;
  return Array.from({ length: facts.cells }, (_, cell) => {
    const [estimate, low, high, area] = [reading.estimate, reading.low, reading.high, reading.areaOf].map((of) =>
      of(cell),
    );
    const numbers = { area_km2: area, estimate, low, high, per_km2: estimate / area };
    const told = reading.sure[cell] === 1;
    return { cell: cell + 1, ...named(known, cell, 1), ...numbers, distinguishable: told, ...whereIs(known, cell) };
  });
}

/**
 * The declared name of an area by itself, or the code of a cell in its official grid.
 *
 * @param {Known} known
 * @param {number} cell
 * @param {number} count
 * @returns {Row}
 */
function named({ facts }, cell, count) {
  const { names, codes } = facts.geometry;
  const code = codes ? { [codes.column]: count === 1 ? codeOf(facts, cell) : "" } : {};
  return names ? { name: count === 1 ? names[cell] : "", ...code } : code;
}

/**
 * @param {Known} known
 * @param {number} cell
 */
function whereIs({ cells }, cell) {
  const [latitude, longitude] = cells.centre(cell).map((value) => Number(value.toFixed(6)));
  return { longitude, latitude };
}

/**
 * Rows as CSV (RFC 4180). Numbers that are unknown are left out, and no text can be taken for a formula.
 *
 * @param {Row[]} rows
 */
export function csvOf(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const lines = rows.map((row) => columns.map((column) => field(row[column])).join(","));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}

/** @param {string | number | boolean} value */
function field(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(plain(value)) : "";
  if (typeof value === "boolean") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {number} value */
const plain = (value) => Number(value.toPrecision(10));

/**
 * The same with outlines in longitude and latitude (RFC 7946).
 *
 * @param {Known} known
 * @param {string} by
 */
export function geojsonOf(known, by) {
  const { facts, cells, places } = known;
  const features = rowsOf(known, by).map((row, i) => {
    const rings = by === "places" && places ? outlineOf(cells, places, i) : cells.outlineOf([i]);
    const shown = Object.entries(row)
      .filter(([key]) => !/tude$/.test(key))
      .map(([key, value]) => [key, typeof value === "number" ? finite(value) : value]);
    return {
      type: "Feature",
      properties: Object.fromEntries(shown),
      geometry: { type: "MultiPolygon", coordinates: coordinatesOf(rings) },
    };
  });
  const about = { title: facts.title, counted: facts.noun, level: facts.level, provenance: facts.provenance };
  return JSON.stringify({ type: "FeatureCollection", ...about, features });
}

/** @param {number} value */
const finite = (value) => (Number.isFinite(value) ? plain(value) : null);

/** @param {Ring[]} rings */
function coordinatesOf(rings) {
  return polygonsIn(rings).map((polygon) =>
    polygon.map((ring) => [...ring, ring[0]].map((place) => place.map((value) => Number(value.toFixed(7))))),
  );
}
