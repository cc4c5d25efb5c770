// @ts-check
/* Cells as polygons: areas, and up to 5,000 others. */

/** @import { Box, Cells, Covered, Edge, Geometry, Palette, Regions, Ring, Rings, View } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { sorted } from "./coverage.js";
import { Mesh } from "./mesh.js";
import { oriented } from "./oriented.js";
import { hatched } from "./pixels.js";
import { apart, boxOfAll, boxOfEdge, boxOfRings, edgesOf, encloses, holds, shared } from "./plane.js";
import { onWorld } from "./world.js";

/**
 * Cells as polygons; blocks that were measured as one have their outline instead of lines between their cells.
 *
 * @implements {Cells}
 */
export class Polygons {
  /**
   * @param {Geometry & { rings: Rings }} geometry
   * @param {number} count
   * @param {Regions} regions
   */
  constructor({ rings, blocks, plane }, count, regions) {
    this.regions = regions;
    this.degrees = ringsOf(rings);
    this.count = count;
    this.boxes = this.degrees.map(boxOfRings);
    this.onWorld = this.degrees.map(onWorld);
    this.blocks = blocks ? ringsOf(blocks).map(onWorld) : [];
    this.firstOf = blocks ? decode(blocks.first) : [];
    this.mesh = plane ? new Mesh(plane) : null;
    this.onPlane = plane ? ringsOf(plane.rings) : this.degrees;
    this.planeBoxes = plane ? this.onPlane.map(boxOfRings) : this.boxes;
    this.usualWidth = this.boxes.map(([west, , east]) => east - west).sort((a, b) => a - b)[count >> 1];
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
   */
  fill(view, tints, palette) {
    const pen = view.context;
    const ink = palette.map((tint) => hatched(pen, tint));
    pen.lineWidth = 0.6;
    pen.lineJoin = "round";
    const roomy = view.pixels(this.usualWidth) > 11;
    for (let cell = this.count - 1; cell >= 0; cell--) {
      const tint = palette[tints[cell]];
      if (!tint || apart(this.boxes[cell], view.box)) continue;
      traceRings(view, this.onWorld[cell]);
      pen.fillStyle = ink[tints[cell]];
      pen.fill("evenodd");
      pen.strokeStyle = roomy && this.regions.sizeOf(cell) === 1 ? view.separator : tint.fill;
      pen.stroke();
    }
    this.outlineBlocks(view, tints, palette);
  }

  /**
   * @param {View} view
   * @param {Uint8Array} tints
   * @param {Palette} palette
   */
  outlineBlocks(view, tints, palette) {
    view.context.strokeStyle = view.ink;
    view.context.lineWidth = 0.9;
    this.blocks.forEach((rings, i) => {
      const tint = palette[tints[this.firstOf[i]]];
      if (!tint || tint.quiet) return;
      traceRings(view, rings);
      view.context.stroke();
    });
  }

  /** @param {number} cell */
  outline(cell) {
    return this.onWorld[cell];
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
 * Each cell's rings, outer ones anticlockwise and inner ones clockwise.
 *
 * @param {Rings} packed
 */
function ringsOf({ corner: [west, south], step, ...packed }) {
  const [points, lengths, owners] = [decode(packed.points), decode(packed.lengths), decode(packed.cells)];
  const count = 1 + owners.reduce((most, owner) => Math.max(most, owner), -1);
  /** @type {Ring[][]} */
  const found = Array.from({ length: count }, () => []);
  let at = 0;
  lengths.forEach((length, ring) => {
    /** @type {Ring} */
    const places = [];
    for (let i = 0; i < length; i++, at++)
      places.push([west + step * points[2 * at], south + step * points[2 * at + 1]]);
    found[owners[ring]].push(places);
  });
  return found;
}

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
