// @ts-check
/* Cells as polygons: areas, and up to 5,000 others. */

/** @import { Box, Cells, Covered, Edge, Groups, MeshFacts, Palette, Place, Ring, Rings, View } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { sorted } from "./coverage.js";
import { Mesh } from "./mesh.js";
import { oriented } from "./oriented.js";
import { ringsAround, sidesOf } from "./outline.js";
import { hatched } from "./pixels.js";
import { apart, boxOfAll, boxOfEdge, boxOfRings, edgesOf, encloses, holds, shared } from "./plane.js";
import { onWorld } from "./world.js";

/** How many cells are drawn at a time. */
const A_STEP = 64;

/**
 * Each cell's rings of vertices, outer ones anticlockwise and inner ones clockwise, and where a vertex is.
 *
 * @typedef {{ rings: number[][][], at: (vertex: number) => Place }} Shapes
 */

/**
 * Cells as polygons; those that belong together have their outline instead of lines between them.
 *
 * @implements {Cells}
 */
export class Polygons {
  /**
   * @param {Shapes} shapes
   * @param {(MeshFacts & { rings: Rings }) | null} [plane]
   */
  constructor(shapes, plane = null) {
    this.shapes = shapes;
    this.degrees = ringsOf(shapes);
    this.count = this.degrees.length;
    this.boxes = this.degrees.map(boxOfRings);
    this.onWorld = this.degrees.map(onWorld);
    this.mesh = plane ? new Mesh(plane) : null;
    this.onPlane = plane ? ringsOf(shapesOf(plane.rings)) : this.degrees;
    this.planeBoxes = plane ? this.onPlane.map(boxOfRings) : this.boxes;
    this.usualWidth = this.boxes.map(([west, , east]) => east - west).sort((a, b) => a - b)[this.count >> 1];
    /** @type {WeakMap<Groups, { first: number, rings: Ring[] }[]>} */
    this.outlines = new WeakMap();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    for (let cell = 0; cell < this.count; cell++) {
      const [west, south, east, north] = this.boxes[cell];
      if (x >= west && x <= east && y >= south && y <= north && holds(this.degrees[cell], x, y)) return cell;
    }
    return -1;
  }

  /**
   * @param {View} view
   * @param {Uint8Array} tints
   * @param {Palette} palette
   * @param {Groups} groups
   */
  *fill(view, tints, palette, groups) {
    const pen = view.context;
    const ink = palette.map((tint) => hatched(pen, tint));
    pen.lineWidth = 0.6;
    pen.lineJoin = "round";
    const roomy = view.pixels(this.usualWidth) > 11;
    for (let cell = this.count - 1; cell >= 0; cell--) {
      const tint = palette[tints[cell]];
      if (!tint || apart(this.boxes[cell], view.box) || (groups.alike && groups.sizeOf(cell) > 1)) continue;
      traceRings(view, this.onWorld[cell]);
      pen.fillStyle = ink[tints[cell]];
      pen.fill("evenodd");
      pen.strokeStyle = roomy && !tint.even && groups.sizeOf(cell) === 1 ? view.separator : ink[tints[cell]];
      pen.stroke();
      if (cell % A_STEP === 0) yield;
    }
    pen.lineWidth = 0.9;
    for (const { first, rings } of this.outlined(groups)) {
      const tint = palette[tints[first]];
      if (!tint || (tint.quiet && !groups.alike)) continue;
      traceRings(view, rings);
      pen.fillStyle = ink[tints[first]];
      if (groups.alike) pen.fill("evenodd");
      pen.strokeStyle = tint.quiet ? ink[tints[first]] : view.ink;
      pen.stroke();
      yield;
    }
  }

  /**
   * The outlines of groups of several cells, each with one of its cells.
   *
   * @param {Groups} groups
   */
  outlined(groups) {
    const known = this.outlines.get(groups) ?? [];
    if (this.outlines.has(groups)) return known;
    for (let group = 0; group < groups.count; group++) {
      const members = groups.membersOf(group);
      if (members.length > 1)
        known.push({ first: members[0], rings: onWorld(groups.outlines.get(group) ?? this.outlineOf(members)) });
    }
    this.outlines.set(groups, known);
    return known;
  }

  /** @param {ArrayLike<number>} members */
  outlineOf(members) {
    const sides = Array.from(members).flatMap((cell) => sidesOf(this.shapes.rings[cell], cell));
    return ringsAround(sides).map((ring) => ring.map(this.shapes.at));
  }

  /**
   * @param {number} cell
   * @returns {[number, number]}
   */
  centre(cell) {
    const [west, south, east, north] = this.boxes[cell];
    return [(south + north) / 2, (west + east) / 2];
  }

  /**
   * @param {Ring[]} zone
   * @returns {Covered}
   */
  cover(zone) {
    const edges = this.mesh ? this.mesh.edgesOf(zone) : oriented(zone);
    const bounds = edges.map(boxOfEdge);
    const all = boxOfAll(bounds);
    const reached = this.planeBoxes.flatMap((box, cell) => (apart(box, all) ? [] : [cell]));
    return sorted(reached, (cell) => this.shareOf(cell, edges, bounds), 1e-7);
  }

  /**
   * Which share of a cell lies within what edges enclose.
   *
   * @param {number} cell
   * @param {Edge[]} edges
   * @param {Box[]} bounds
   */
  shareOf(cell, edges, bounds) {
    const own = this.planeBoxes[cell];
    const rings = this.onPlane[cell];
    if (!bounds.some((box) => !apart(box, own))) return encloses(edges, ...rings[0][0]) ? 1 : 0;
    const above = edges.filter((_, i) => bounds[i][0] < own[2] && bounds[i][2] > own[0]);
    const cellEdges = edgesOf(rings);
    const twice = cellEdges.reduce((total, [ax, ay, bx, by]) => total + ax * by - bx * ay, 0);
    return Math.abs(shared(cellEdges, above) / (twice / 2));
  }
}

/**
 * Cells' vertices, unpacked; those of a ring may be written out one by one, or by their numbers.
 *
 * @param {Rings} packed
 * @returns {Shapes}
 */
export function shapesOf({ corner: [west, south], step, ...packed }) {
  const [points, lengths, owners] = [decode(packed.points), decode(packed.lengths), decode(packed.cells)];
  const numbers = packed.at && decode(packed.at);
  const count = 1 + owners.reduce((most, owner) => Math.max(most, owner), -1);
  /** @type {number[][][]} */
  const rings = Array.from({ length: count }, () => []);
  let next = 0;
  lengths.forEach((length, ring) => {
    const vertices = Array.from({ length }, (_, i) => (numbers ? numbers[next + i] : next + i));
    next += length;
    rings[owners[ring]].push(vertices.slice(0, -1));
  });
  return { rings, at: (vertex) => [west + step * points[2 * vertex], south + step * points[2 * vertex + 1]] };
}

/**
 * Each cell's rings of places.
 *
 * @param {Shapes} shapes
 */
export const ringsOf = ({ rings, at }) => rings.map((cell) => cell.map((ring) => ring.map(at)));

/**
 * @param {View} view
 * @param {Ring[]} rings
 */
function traceRings({ context, x, y }, rings) {
  context.beginPath();
  for (const ring of rings) {
    ring.forEach((place, i) => {
      context[i ? "lineTo" : "moveTo"](x(place[0]), y(place[1]));
    });
    context.closePath();
  }
}
