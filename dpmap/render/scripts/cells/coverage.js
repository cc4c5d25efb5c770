// @ts-check
/* Which share of each square of a lattice a zone covers. */

/** @import { Covered, Edge } from "../types.d.ts" */

import { boxOfAll, boxOfEdge } from "./plane.js";

/**
 * Squares of a lattice, with room for what edges add to each and to all east of it.
 *
 * @typedef {{ left: number, top: number, wide: number, high: number, own: Float64Array, east: Float64Array }} Ledge
 */

/**
 * Which share of each square of a lattice oriented edges enclose, to `tell(row, column, share)`, outer squares left out.
 *
 * Each piece of an edge that lies in one square adds its height to every square east of it in that row, and the ground to
 * its east to its own: the signed sums are the shares, exactly, holes and all.
 *
 * @param {Edge[]} all
 * @param {number} columns
 * @param {number} rows
 * @param {(row: number, column: number, share: number) => void} tell
 */
export function coverage(all, columns, rows, tell) {
  const ledge = ledgeOf(all, columns, rows);
  const { left, top, wide, high, own, east } = ledge;
  for (const edge of all) addEdge(edge, ledge);
  for (let row = 0; row < high; row++) {
    for (let column = 0, before = 0; column < wide; column++) {
      const at = row * wide + column;
      tell(row + top, column + left, own[at] + before);
      before += east[at];
    }
  }
}

/**
 * The part of the lattice that edges reach.
 *
 * @param {Edge[]} all
 * @param {number} columns
 * @param {number} rows
 * @returns {Ledge}
 */
function ledgeOf(all, columns, rows) {
  const box = boxOfAll(all.map(boxOfEdge));
  /** @type {(value: number, most: number) => number} */
  const kept = (value, most) => Math.max(0, Math.min(most, value));
  const [left, top] = [kept(Math.floor(box[0]), columns), kept(Math.floor(box[1]), rows)];
  const wide = Math.max(0, kept(Math.ceil(box[2]), columns) - left);
  const high = Math.max(0, kept(Math.ceil(box[3]), rows) - top);
  return { left, top, wide, high, own: new Float64Array(wide * high), east: new Float64Array(wide * high) };
}

/**
 * @param {Edge} edge
 * @param {Ledge} ledge
 */
function addEdge(edge, { left, top, wide, high, own, east }) {
  const [ax, ay, bx, by] = [edge[0] - left, edge[1] - top, edge[2] - left, edge[3] - top];
  const stops = [0, 1, ...linesBetween(ax, bx, wide), ...linesBetween(ay, by, high)].sort((a, b) => a - b);
  for (let k = 1; k < stops.length; k++) {
    const [startY, endY] = [ay + stops[k - 1] * (by - ay), ay + stops[k] * (by - ay)];
    const middle = Math.max(0, ax + ((stops[k - 1] + stops[k]) / 2) * (bx - ax));
    const row = Math.floor((startY + endY) / 2);
    if (row < 0 || row >= high || middle >= wide) continue;
    const at = row * wide + Math.floor(middle);
    own[at] += (endY - startY) * (1 - (middle - Math.floor(middle)));
    east[at] += endY - startY;
  }
}

/**
 * Where the way from one number to another meets the whole numbers from 0 to `last`, as shares of it.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} last
 */
function linesBetween(from, to, last) {
  const low = Math.max(0, Math.floor(Math.min(from, to)) + 1);
  const high = Math.min(last, Math.ceil(Math.max(from, to)) - 1);
  const found = [];
  for (let line = low; line <= high; line++) found.push((line - from) / (to - from));
  return found;
}

/**
 * Cells by number, sorted by the share of each that a zone covers.
 *
 * @param {Iterable<number>} cells
 * @param {(cell: number) => number} shareOf
 * @param {number} slack
 * @returns {Covered}
 */
export function sorted(cells, shareOf, slack) {
  /** @type {Covered} */
  const found = { within: [], cut: [], shares: [] };
  for (const cell of cells) {
    const share = shareOf(cell);
    if (share >= 1 - slack) found.within.push(cell);
    else if (share > slack) {
      found.cut.push(cell);
      found.shares.push(share);
    }
  }
  return found;
}
