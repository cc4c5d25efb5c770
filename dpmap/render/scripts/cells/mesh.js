// @ts-check
/* The way from longitude and latitude to another plane. */

/** @import { Edge, MeshFacts, Place, Ring } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { oriented } from "./oriented.js";
import { boxOfRings } from "./plane.js";

/**
 * A mesh of exact places to interpolate between, by cubics where a zone or a pointer is placed, and straight where pixels
 * are. Two nodes a side mean that it is straight.
 */
export class Mesh {
  /** @param {MeshFacts} plain */
  constructor({ box, nodes, mesh }) {
    this.box = box;
    this.nodes = nodes;
    this.steps = nodes - 1;
    this.values = decode(mesh);
  }

  /**
   * [column, row] as fractions.
   *
   * @param {number} longitude
   * @param {number} latitude
   * @returns {Place}
   */
  place(longitude, latitude) {
    const { nodes, steps, values } = this;
    const [west, south, east, north] = this.box;
    const order = Math.min(3, steps);
    const [i, u] = weighted(((longitude - west) / (east - west)) * steps, steps, order);
    const [j, v] = weighted(((north - latitude) / (north - south)) * steps, steps, order);
    /** @type {Place} */
    const found = [0, 0];
    v.forEach((b, row) => {
      u.forEach((a, column) => {
        const at = 2 * ((j + row) * nodes + i + column);
        found[0] += a * b * values[at];
        found[1] += a * b * values[at + 1];
      });
    });
    return found;
  }

  /**
   * A zone's oriented edges in the plane: straight between vertices 1/200 of its span apart, as the library has them.
   *
   * @param {Ring[]} rings
   */
  edgesOf(rings) {
    const [left, bottom, right, top] = boxOfRings(rings);
    const longest = Math.max(right - left, top - bottom) / 200;
    return oriented(rings).flatMap((edge) => this.follow(edge, longest));
  }

  /**
   * An edge in degrees as edges of the plane, none longer than `longest` degrees; beyond the mesh it runs along its rim,
   * where no cell is.
   *
   * @param {Edge} edge
   * @param {number} longest
   * @returns {Edge[]}
   */
  follow([ax, ay, bx, by], longest) {
    if (this.steps === 1) return [[...this.place(ax, ay), ...this.place(bx, by)]];
    const [west, south, east, north] = this.box;
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / longest));
    const stops = Array.from({ length: parts + 1 }, (_, k) => k / parts);
    stops.push(...meetings(ax, bx, [west, east]), ...meetings(ay, by, [south, north]));
    const places = stops
      .sort((a, b) => a - b)
      .map((t) => this.place(clamped(ax + (bx - ax) * t, west, east), clamped(ay + (by - ay) * t, south, north)));
    return places.slice(1).map((end, k) => [...places[k], ...end]);
  }
}

/**
 * The first node to interpolate from, and the weight of each from there on.
 *
 * @param {number} at
 * @param {number} steps
 * @param {number} order
 * @returns {[first: number, weights: number[]]}
 */
function weighted(at, steps, order) {
  const first = Math.max(0, Math.min(steps - order, Math.floor(at) - (order >> 1)));
  const t = at - first;
  if (order === 1) return [first, [1 - t, t]];
  return [
    first,
    [
      (-(t - 1) * (t - 2) * (t - 3)) / 6,
      (t * (t - 2) * (t - 3)) / 2,
      (-t * (t - 1) * (t - 3)) / 2,
      (t * (t - 1) * (t - 2)) / 6,
    ],
  ];
}

/**
 * Where the way from one number to another crosses others, as shares of it.
 *
 * @param {number} from
 * @param {number} to
 * @param {number[]} sides
 */
function meetings(from, to, sides) {
  return sides.filter((side) => (from - side) * (to - side) < 0).map((side) => (side - from) / (to - from));
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
const clamped = (value, low, high) => Math.max(low, Math.min(high, value));
