// @ts-check
/* From a place to a cell, as dpmap/local/device.py finds it. */

/** @import { Lattice } from "./types.d.ts" */

/**
 * How many cells a place in degrees lies south of the north edge and east of the west edge; null off the lattice.
 *
 * @param {number} lon
 * @param {number} lat
 * @param {Lattice} places
 */
export function rowColumn(lon, lat, { lattice: n, box: [west, south, east, north], columns, rows }) {
  const [x, y] = [((lon - west) / (east - west)) * n, ((lat - south) / (north - south)) * n];
  if (!(x >= 0 && x <= n && y >= 0 && y <= n)) return null;
  const [i, j] = [Math.min(Math.floor(x), n - 1), Math.min(Math.floor(y), n - 1)];
  return [rows, columns].map((table) => {
    const [low, high] = [0, 1].map((b) => {
      const at = (j + b) * (n + 1) + i;
      return table[at] + (x - i) * (table[at + 1] - table[at]);
    });
    return low + (y - j) * (high - low);
  });
}

/**
 * The row and column of a place in degrees; -1 off the lattice.
 *
 * @param {number} lon
 * @param {number} lat
 * @param {Lattice} places
 * @returns {[row: number, column: number]}
 */
export function square(lon, lat, places) {
  const [row, column] = rowColumn(lon, lat, places) || [-1, -1];
  return [Math.floor(row), Math.floor(column)];
}

/**
 * The cell of a place in degrees; null outside the area.
 *
 * @param {number} lon
 * @param {number} lat
 * @param {Lattice} places
 */
export function locate(lon, lat, places) {
  return number(...square(lon, lat, places), places);
}

/**
 * The number of the cell in a row and column; null for one outside the area.
 *
 * @param {number} row
 * @param {number} column
 * @param {Lattice} places
 */
export function number(row, column, places) {
  const [rows, columns] = places.shape;
  if (row < 0 || column < 0 || row >= rows || column >= columns) return null;
  const inside = insideOf(places);
  const place = row * columns + column;
  return inside[place] ? inside.slice(0, place).filter(Boolean).length : null;
}

/**
 * 1 for each place of the shape that is a cell, else 0.
 *
 * @param {Lattice} places
 */
export function insideOf({ inside }) {
  return Array.from(atob(inside)).flatMap((mark) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (mark.charCodeAt(0) >> bit) & 1),
  );
}
