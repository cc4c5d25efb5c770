// @ts-check
/* The outline of cells that lie together. */

/** @import { Place, Ring } from "../types.d.ts" */

import { holds } from "./plane.js";

/** More than any number of vertices. */
const MANY = 2 ** 26;

/**
 * Rings of vertices around cells, the inside on their left, none touching itself: sides that two cells share are left out.
 *
 * @param {Iterable<[from: number, to: number, cell: number]>} sides
 */
export function ringsAround(sides) {
  /** @type {Map<number, number>} */
  const outer = new Map();
  for (const [from, to, cell] of sides) {
    if (from !== to && !outer.delete(to * MANY + from)) outer.set(from * MANY + to, cell);
  }
  /** @type {Map<number, [to: number, cell: number][]>} */
  const ways = new Map();
  for (const [key, cell] of outer) {
    const [from, to] = [Math.floor(key / MANY), key % MANY];
    const known = ways.get(from);
    if (known) known.push([to, cell]);
    else ways.set(from, [[to, cell]]);
  }
  /** @type {number[][]} */
  const found = [];
  for (const start of ways.keys()) walk(ways, start, found);
  return found;
}

/**
 * Follows sides from a vertex until none is left there; whatever comes back to a vertex on the way is a ring.
 *
 * @param {Map<number, [to: number, cell: number][]>} ways
 * @param {number} start
 * @param {number[][]} found
 */
function walk(ways, start, found) {
  const path = [start];
  const at = new Map([[start, 0]]);
  let cell = -1;
  for (let open = ways.get(start); open?.length; open = ways.get(path[path.length - 1])) {
    const own = open.findIndex(([, owner]) => owner === cell);
    const [to, owner] = open.splice(Math.max(own, 0), 1)[0];
    cell = owner;
    const before = at.get(to);
    if (before === undefined) {
      at.set(to, path.length);
      path.push(to);
      continue;
    }
    const ring = path.splice(before + 1);
    for (const vertex of ring) at.delete(vertex);
    found.push([to, ...ring]);
  }
}

/**
 * Rings as polygons, each an outer ring and its holes.
 *
 * @param {Ring[]} rings
 */
export function polygonsIn(rings) {
  const outer = rings.filter((ring) => twiceArea(ring) > 0);
  const polygons = outer.map((ring) => [ring]);
  for (const hole of rings) {
    if (twiceArea(hole) > 0) continue;
    const [x, y] = within(hole);
    const around = polygons.filter(([ring]) => holds([ring], x, y));
    const nearest = around.sort(([a], [b]) => twiceArea(a) - twiceArea(b))[0];
    nearest?.push(hole);
  }
  return polygons;
}

/**
 * A place just inside a hole, beside the middle of its first side.
 *
 * @param {Ring} ring
 * @returns {Place}
 */
function within([[ax, ay], [bx, by]]) {
  return [(ax + bx) / 2 + 1e-6 * (by - ay), (ay + by) / 2 - 1e-6 * (bx - ax)];
}

/**
 * Twice the area within a ring; below 0 where it runs clockwise.
 *
 * @param {Ring} ring
 */
function twiceArea(ring) {
  const [x0, y0] = ring[0];
  let total = 0;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    total += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
  });
  return total;
}

/**
 * The sides of rings of vertices of one cell.
 *
 * @param {number[][]} rings
 * @param {number} cell
 * @returns {[from: number, to: number, cell: number][]}
 */
export function sidesOf(rings, cell) {
  return rings.flatMap((ring) =>
    ring.map(
      (from, i) => /** @type {[number, number, number]} */ ([from, ring[i + 1 < ring.length ? i + 1 : 0], cell]),
    ),
  );
}
