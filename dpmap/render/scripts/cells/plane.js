// @ts-check
/* Rings, edges and boxes in a plane. */

/** @import { Box, Edge, Ring } from "../types.d.ts" */

/**
 * Whether a place lies inside rings, by the even-odd rule.
 *
 * @param {Ring[]} rings
 * @param {number} x
 * @param {number} y
 */
export function holds(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i];
      const [bx, by] = ring[j];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}

/**
 * Whether a place lies inside what edges enclose, by the even-odd rule.
 *
 * @param {Edge[]} all
 * @param {number} x
 * @param {number} y
 */
export function encloses(all, x, y) {
  let inside = false;
  for (const [ax, ay, bx, by] of all) {
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

/**
 * The box around rings.
 *
 * @param {Ring[]} rings
 */
export function boxOfRings(rings) {
  return boxOfAll(rings.flatMap((ring) => ring.map(([x, y]) => /** @type {Box} */ ([x, y, x, y]))));
}

/**
 * The box around boxes.
 *
 * @param {Box[]} boxes
 */
export function boxOfAll(boxes) {
  /** @type {Box} */
  const found = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [west, south, east, north] of boxes) {
    found[0] = Math.min(found[0], west);
    found[1] = Math.min(found[1], south);
    found[2] = Math.max(found[2], east);
    found[3] = Math.max(found[3], north);
  }
  return found;
}

/**
 * Whether two boxes do not meet.
 *
 * @param {Box} a
 * @param {Box} b
 */
export const apart = (a, b) => a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3];

/**
 * The box around an edge.
 *
 * @param {Edge} edge
 * @returns {Box}
 */
export const boxOfEdge = ([ax, ay, bx, by]) => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];

/**
 * The edges of rings.
 *
 * @param {Ring[]} rings
 */
export function edgesOf(rings) {
  return rings
    .flatMap((ring) => ring.map((a, i) => /** @type {Edge} */ ([...a, ...ring[(i + 1) % ring.length]])))
    .filter(([ax, ay, bx, by]) => ax !== bx || ay !== by);
}

/**
 * The area that two shapes share, by their oriented edges: what lies under an edge of one and under an edge of the other,
 * added up with the sign of both directions.
 *
 * @param {Edge[]} one
 * @param {Edge[]} other
 */
export function shared(one, other) {
  const base = one.reduce((low, [, ay, , by]) => Math.min(low, ay, by), Infinity);
  let total = 0;
  for (const a of one) for (const b of other) total += sharedUnder(a, b, base);
  return total;
}

/**
 * What lies above `base` and under two edges, with the sign of both directions.
 *
 * @param {Edge} one
 * @param {Edge} other
 * @param {number} base
 */
function sharedUnder([ax, ay, bx, by], [cx, cy, dx, dy], base) {
  const left = Math.max(Math.min(ax, bx), Math.min(cx, dx));
  const right = Math.min(Math.max(ax, bx), Math.max(cx, dx));
  if (left >= right) return 0;
  /** @param {number} x */
  const f = (x) => ay + ((by - ay) * (x - ax)) / (bx - ax) - base;
  /** @param {number} x */
  const g = (x) => cy + ((dy - cy) * (x - cx)) / (dx - cx) - base;
  const mean = meanUnder(f(left), f(right), g(left), g(right));
  return ax > bx === cx > dx ? mean * (right - left) : -mean * (right - left);
}

/**
 * The mean of max(0, min(f, g)) of two straight lines, given by their ends, f never below 0.
 *
 * @param {number} f0
 * @param {number} f1
 * @param {number} g0
 * @param {number} g1
 */
function meanUnder(f0, f1, g0, g1) {
  const places = [0, 1];
  if ((f0 - g0) * (f1 - g1) < 0) places.push((f0 - g0) / (f0 - g0 - f1 + g1));
  if (g0 * g1 < 0) places.push(g0 / (g0 - g1));
  places.sort((a, b) => a - b);
  let total = 0;
  for (let i = 1; i < places.length; i++) {
    const t = (places[i - 1] + places[i]) / 2;
    total += Math.max(0, Math.min(f0 + (f1 - f0) * t, g0 + (g1 - g0) * t)) * (places[i] - places[i - 1]);
  }
  return total;
}
