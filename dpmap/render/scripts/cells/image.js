// @ts-check
/* Many hexagons: cells read off an image of their numbers in Web Mercator. */

/** @import { Cells, Edge, Groups, ImageFacts, Palette, Ring, View } from "../types.d.ts" */

import { coverage, sorted } from "./coverage.js";
import { oriented } from "./oriented.js";
import { ringsAround } from "./outline.js";
import { fillPixels } from "./pixels.js";
import { edgesOf } from "./plane.js";
import { latitudeOf, longitudeOf, onWorld, worldX, worldY } from "./world.js";

const SLACK = 1e-9;

/**
 * Cells known by some six pixels each.
 *
 * @implements {Cells}
 */
export class CellImage {
  /**
   * @param {ImageFacts} plain
   * @param {Int32Array} numbers from 1; 0 is outside
   * @param {number} count
   */
  constructor({ width, height, box }, numbers, count) {
    this.width = width;
    this.height = height;
    this.numbers = numbers;
    this.count = count;
    this.west = box[0] + 0.5;
    this.east = box[2] + 0.5;
    this.top = 0.5 - box[3];
    this.bottom = 0.5 - box[1];
    this.boxes = pixelBoxes(numbers, width, count);
  }

  /** @param {number} column */
  toX(column) {
    return this.west + ((this.east - this.west) * column) / this.width;
  }

  /** @param {number} row */
  toY(row) {
    return this.top + ((this.bottom - this.top) * row) / this.height;
  }

  /** @param {number} x */
  toColumn(x) {
    return ((x - this.west) / (this.east - this.west)) * this.width;
  }

  /** @param {number} y */
  toRow(y) {
    return ((y - this.top) / (this.bottom - this.top)) * this.height;
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  numberAt(row, column) {
    const outside = row < 0 || column < 0 || row >= this.height || column >= this.width;
    return outside ? -1 : this.numbers[row * this.width + column] - 1;
  }

  /**
   * @param {number} longitude
   * @param {number} latitude
   */
  cellAt(longitude, latitude) {
    return this.numberAt(Math.floor(this.toRow(worldY(latitude))), Math.floor(this.toColumn(worldX(longitude))));
  }

  /**
   * @param {View} view
   * @param {Uint8Array} tints
   * @param {Palette} palette
   * @param {Groups} groups
   */
  *fill(view, tints, palette, groups) {
    const cellWidth = (360 * (this.east - this.west)) / Math.sqrt(this.count);
    yield* fillPixels(view, tints, palette, (y) => this.rowAt(y), groups, cellWidth);
  }

  /** @param {number} y */
  rowAt(y) {
    const row = Math.floor(this.toRow(y));
    if (row < 0 || row >= this.height) return null;
    /** @param {number} x */
    return (x) => this.numberAt(row, Math.floor(this.toColumn(x)));
  }

  /**
   * Along the pixels of the cells.
   *
   * @param {ArrayLike<number>} members
   * @returns {Ring[]}
   */
  outlineOf(members) {
    const wide = this.width + 1;
    const rings = ringsAround(this.sidesAround(members));
    return rings.map((ring) =>
      ring.map((vertex) => [longitudeOf(this.toX(vertex % wide)), latitudeOf(this.toY(Math.floor(vertex / wide)))]),
    );
  }

  /**
   * The sides of pixels between these cells and others.
   *
   * @param {ArrayLike<number>} members
   */
  sidesAround(members) {
    const mine = new Uint8Array(this.count);
    let [left, top, right, bottom] = [this.width, this.height, -1, -1];
    for (const cell of Array.from(members)) {
      mine[cell] = 1;
      const [x, y, far, down] = this.boxes.subarray(4 * cell, 4 * cell + 4);
      if (x < 0) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, far), Math.max(bottom, down)];
    }
    const wide = this.width + 1;
    /** @type {(row: number, column: number) => boolean} */
    const other = (row, column) => mine[this.numberAt(row, column)] !== 1;
    /** @type {[number, number, number][]} */
    const sides = [];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = this.numberAt(row, column);
        if (mine[cell] !== 1) continue;
        const corner = row * wide + column;
        if (other(row, column - 1)) sides.push([corner, corner + wide, cell]);
        if (other(row + 1, column)) sides.push([corner + wide, corner + wide + 1, cell]);
        if (other(row, column + 1)) sides.push([corner + wide + 1, corner + 1, cell]);
        if (other(row - 1, column)) sides.push([corner + 1, corner, cell]);
      }
    }
    return sides;
  }

  /**
   * @param {number} cell
   * @returns {[number, number]}
   */
  centre(cell) {
    const [x, y, right, down] = this.boxes.subarray(4 * cell, 4 * cell + 4);
    return [latitudeOf(this.toY((y + down + 1) / 2)), longitudeOf(this.toX((x + right + 1) / 2))];
  }

  /**
   * Shares are those of a cell's pixels; a cell is within the zone where all of them are and no edge comes near it.
   *
   * @param {Ring[]} zone
   */
  cover(zone) {
    const held = this.pixelsHeld(zone);
    const crossed = this.cellsCrossed(zone);
    const whole = this.sizes();
    /** @param {number} cell */
    const shareOf = (cell) => {
      const share = (held.get(cell) || 0) / whole[cell];
      return crossed.has(cell) ? Math.max(2 * SLACK, Math.min(1 - 2 * SLACK, share)) : share;
    };
    return sorted(new Set([...held.keys(), ...crossed]), shareOf, SLACK);
  }

  /**
   * How many pixels of each cell lie in a zone.
   *
   * @param {Ring[]} zone
   */
  pixelsHeld(zone) {
    /** @type {Edge[]} */
    const edges = oriented(zone).map(([ax, ay, bx, by]) => [
      this.toColumn(worldX(ax)),
      this.toRow(worldY(ay)),
      this.toColumn(worldX(bx)),
      this.toRow(worldY(by)),
    ]);
    /** @type {Map<number, number>} */
    const held = new Map();
    coverage(edges, this.width, this.height, (row, column, share) => {
      const cell = share > 0 ? this.numberAt(row, column) : -1;
      if (cell >= 0) held.set(cell, (held.get(cell) || 0) + share);
    });
    return held;
  }

  /**
   * Cells that an edge runs through are cut, however narrow the zone is there; so are those a pixel beside it, since a
   * pixel belongs wholly to one cell of the several it may touch.
   *
   * @param {Ring[]} zone
   */
  cellsCrossed(zone) {
    /** @type {Set<number>} */
    const crossed = new Set();
    for (const [ax, ay, bx, by] of edgesOf(onWorld(zone))) {
      const [left, up] = [this.toColumn(ax), this.toRow(ay)];
      const [right, down] = [this.toColumn(bx), this.toRow(by)];
      const steps = Math.ceil(2 * Math.max(Math.abs(right - left), Math.abs(down - up))) || 1;
      for (let i = 0; i <= steps; i++) {
        const row = Math.floor(this.toRow(ay + ((by - ay) * i) / steps));
        const column = Math.floor(this.toColumn(ax + ((bx - ax) * i) / steps));
        for (let near = 0; near < 9; near++) {
          const cell = this.numberAt(row + Math.floor(near / 3) - 1, column + (near % 3) - 1);
          if (cell >= 0) crossed.add(cell);
        }
      }
    }
    return crossed;
  }

  /** How many pixels each cell has. */
  sizes() {
    const found = new Int32Array(this.count);
    for (const number of this.numbers) if (number) found[number - 1] += 1;
    return found;
  }
}

/**
 * The first and last column and row of each cell, as [left, top, right, bottom]; -1 for a cell of no pixel.
 *
 * @param {Int32Array} numbers
 * @param {number} width
 * @param {number} count
 */
function pixelBoxes(numbers, width, count) {
  const found = new Int32Array(4 * count).fill(-1);
  for (let i = 0; i < numbers.length; i++) {
    const at = 4 * (numbers[i] - 1);
    if (at < 0) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    const fresh = found[at] < 0;
    found[at] = fresh ? x : Math.min(found[at], x);
    found[at + 1] = fresh ? y : found[at + 1];
    found[at + 2] = fresh ? x : Math.max(found[at + 2], x);
    found[at + 3] = y;
  }
  return found;
}
