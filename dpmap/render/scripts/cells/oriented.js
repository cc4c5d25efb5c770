// @ts-check
/* Rings as edges that have the inside on their left, however the rings were drawn. */

/** @import { Edge, Place, Ring } from "../types.d.ts" */

import { apart, boxOfEdge, boxOfRings, edgesOf, encloses, holds } from "./plane.js";

/**
 * Rings as edges with the inside, by the even-odd rule, on their left; parts of them that cross are cut apart.
 *
 * @param {Ring[]} rings
 * @returns {Edge[]}
 */
export function oriented(rings) {
  const [west, south, east, north] = boxOfRings(rings);
  const step = 1e-7 * Math.max(east - west, north - south);
  const all = edgesOf(rings);
  const cuts = crossings(all);
  if (cuts.every((places) => !places.length)) return rings.flatMap((_, i) => orientedRing(rings, i, step));
  return all
    .flatMap((edge, i) => pieces(edge, cuts[i]))
    .flatMap((piece) => {
      const [left, right] = beside(piece, step).map(([x, y]) => holds(rings, x, y));
      return left === right ? [] : [left ? piece : turned(piece)];
    });
}

/**
 * One ring among others that it does not cross: a hole where it lies in an odd number of them.
 *
 * @param {Ring[]} rings
 * @param {number} at
 * @param {number} step
 */
function orientedRing(rings, at, step) {
  const own = edgesOf([rings[at]]);
  if (!own.length) return [];
  const [left, right] = beside(own[0], step);
  const onLeft = encloses(own, ...left);
  const [x, y] = onLeft ? left : right;
  const depth = rings.filter((ring, i) => i !== at && holds([ring], x, y)).length;
  return (depth % 2 === 0) === onLeft ? own : own.map(turned);
}

/**
 * An edge cut at these shares of it.
 *
 * @param {Edge} edge
 * @param {number[]} cuts
 * @returns {Edge[]}
 */
function pieces([ax, ay, bx, by], cuts) {
  const stops = [0, ...cuts.sort((a, b) => a - b), 1];
  const ends = stops.map((t) => /** @type {Place} */ ([ax + (bx - ax) * t, ay + (by - ay) * t]));
  return ends.slice(1).map((end, k) => [...ends[k], ...end]);
}

/**
 * For each edge, in order, where others cross it.
 *
 * @param {Edge[]} all
 */
function crossings(all) {
  /** @type {number[][]} */
  const cuts = all.map(() => []);
  const boxes = all.map(boxOfEdge);
  const order = all.map((_, i) => i).sort((i, j) => boxes[i][0] - boxes[j][0]);
  order.forEach((i, at) => {
    for (let next = at + 1; next < order.length && boxes[order[next]][0] <= boxes[i][2]; next++) {
      const j = order[next];
      const [one, other] = apart(boxes[i], boxes[j]) ? [] : crossing(all[i], all[j]);
      if (one === undefined || other === undefined) continue;
      cuts[i].push(one);
      cuts[j].push(other);
    }
  });
  return cuts;
}

/**
 * Where two edges cross at an inner point of both, as a share of each; nothing where they do not.
 *
 * @param {Edge} one
 * @param {Edge} other
 */
function crossing([ax, ay, bx, by], [cx, cy, dx, dy]) {
  const [s, t] = [sideOf(cx, cy, ax, ay, bx, by), sideOf(dx, dy, ax, ay, bx, by)];
  const [u, v] = [sideOf(ax, ay, cx, cy, dx, dy), sideOf(bx, by, cx, cy, dx, dy)];
  return s * t < 0 && u * v < 0 ? [u / (u - v), s / (s - t)] : [];
}

/**
 * On which side of the line between two places a place lies, by the sign.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} fromX
 * @param {number} fromY
 * @param {number} toX
 * @param {number} toY
 */
function sideOf(x, y, fromX, fromY, toX, toY) {
  return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
}

/**
 * Places a little to the left and to the right of an edge's middle.
 *
 * @param {Edge} edge
 * @param {number} step
 * @returns {Place[]}
 */
function beside([ax, ay, bx, by], step) {
  const length = Math.hypot(bx - ax, by - ay);
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
  return [step, -step].map((aside) => [x - (aside * (by - ay)) / length, y + (aside * (bx - ax)) / length]);
}

/**
 * @param {Edge} edge
 * @returns {Edge}
 */
const turned = ([ax, ay, bx, by]) => [bx, by, ax, ay];
