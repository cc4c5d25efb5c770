// @ts-check
/* Square cells in rows and columns, of any number. */

/** @import { Cells, LatticeFacts, Palette, Place, Regions, Ring, View } from "../types.d.ts" */

import { bits } from "../arrays.js";
import { coverage, sorted } from "./coverage.js";
import { Mesh } from "./mesh.js";
import { fillPixels } from "./pixels.js";
import { latitudeOf, longitudeOf, onWorld } from "./world.js";

/**
 * Square cells, found through a mesh of exact places.
 *
 * @implements {Cells}
 */
export class Lattice {
  /**
   * @param {LatticeFacts} plain
   * @param {Regions} regions
   */
  constructor(plain, regions) {
    this.rows = plain.rows;
    this.columns = plain.columns;
    this.tolerance = plain.tolerance;
    this.regions = regions;
    this.mesh = new Mesh(plain);
    this.numbers = plain.inside && numbered(bits(plain.inside, plain.rows * plain.columns));
    this.places = this.numbers && placesOf(this.numbers);
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  number(row, column) {
    if (row < 0 || column < 0 || row >= this.rows || column >= this.columns) return -1;
    const place = row * this.columns + column;
    return this.numbers ? this.numbers[place] : place;
  }

  /**
   * @param {number} cell
   * @returns {[number, number]}
   */
  rowColumn(cell) {
    const place = this.places ? this.places[cell] : cell;
    return [Math.floor(place / this.columns), place % this.columns];
  }

  /**
   * @param {number} longitude
   * @param {number} latitude
   */
  cellAt(longitude, latitude) {
    const [column, row] = this.mesh.place(longitude, latitude);
    return this.number(Math.floor(row), Math.floor(column));
  }

  /**
   * [longitude, latitude] of a fractional column and row, by Newton's method on the mesh.
   *
   * @param {number} column
   * @param {number} row
   * @returns {Place}
   */
  lonLat(column, row) {
    const { mesh } = this;
    const [west, south, east, north] = mesh.box;
    let [x, y] = [west + ((east - west) * column) / this.columns, north - ((north - south) * row) / this.rows];
    const [dx, dy] = [(east - west) / 1e4, (north - south) / 1e4];
    for (let turn = 0; turn < 12; turn++) {
      const now = mesh.place(x, y);
      const [c, r] = now;
      const [cx, rx] = mesh.place(x + dx, y).map((value, k) => (value - now[k]) / dx);
      const [cy, ry] = mesh.place(x, y + dy).map((value, k) => (value - now[k]) / dy);
      const determinant = cx * ry - cy * rx;
      x -= ((c - column) * ry - (r - row) * cy) / determinant;
      y -= ((r - row) * cx - (c - column) * rx) / determinant;
    }
    return [x, y];
  }

  /** @param {number} cell */
  outline(cell) {
    const [row, column] = this.rowColumn(cell);
    const corners = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ];
    return onWorld([corners.map(([c, r]) => this.lonLat(column + c, row + r))]);
  }

  /**
   * @param {number} cell
   * @returns {[number, number]}
   */
  centre(cell) {
    const [row, column] = this.rowColumn(cell);
    const [longitude, latitude] = this.lonLat(column + 0.5, row + 0.5);
    return [latitude, longitude];
  }

  /**
   * @param {View} view
   * @param {Uint8Array} tints
   * @param {Palette} palette
   */
  fill(view, tints, palette) {
    const [west, , east] = this.mesh.box;
    fillPixels(view, tints, palette, (y) => this.rowAt(y), this.regions, (east - west) / this.columns);
  }

  /**
   * What finds the cell at each place of a row of pixels.
   *
   * @param {number} y
   */
  rowAt(y) {
    const { box, steps } = this.mesh;
    const [, south, , north] = box;
    const latitude = latitudeOf(y);
    if (latitude < south || latitude > north) return null;
    const down = ((north - latitude) / (north - south)) * steps;
    const j = Math.max(0, Math.min(steps - 1, Math.floor(down)));
    /** @param {number} x */
    return (x) => this.cellInRow(longitudeOf(x), j, down - j);
  }

  /**
   * `cellAt` without its allocations: it runs once for every pixel of the screen.
   *
   * @param {number} longitude
   * @param {number} j
   * @param {number} v
   */
  cellInRow(longitude, j, v) {
    const { box, steps, nodes, values } = this.mesh;
    const across = ((longitude - box[0]) / (box[2] - box[0])) * steps;
    if (across < 0 || across > steps) return -1;
    const i = Math.min(steps - 1, Math.floor(across));
    const u = across - i;
    const a = 2 * (j * nodes + i);
    const b = a + 2 * nodes;
    const column = (values[a] * (1 - u) + values[a + 2] * u) * (1 - v) + (values[b] * (1 - u) + values[b + 2] * u) * v;
    const row =
      (values[a + 1] * (1 - u) + values[a + 3] * u) * (1 - v) + (values[b + 1] * (1 - u) + values[b + 3] * u) * v;
    return this.number(Math.floor(row), Math.floor(column));
  }

  /** @param {Ring[]} zone */
  cover(zone) {
    /** @type {Map<number, number>} */
    const shares = new Map();
    coverage(this.mesh.edgesOf(zone), this.columns, this.rows, (row, column, share) => {
      const cell = this.number(row, column);
      if (cell >= 0 && share > this.tolerance) shares.set(cell, share);
    });
    return sorted(shares.keys(), (cell) => shares.get(cell) ?? 0, this.tolerance);
  }
}

/**
 * In-area cells by their place, numbered in row order; -1 is outside.
 *
 * @param {Uint8Array} inside
 */
function numbered(inside) {
  const found = new Int32Array(inside.length);
  let next = 0;
  for (let i = 0; i < inside.length; i++) found[i] = inside[i] ? next++ : -1;
  return found;
}

/** @param {Int32Array} numbers */
function placesOf(numbers) {
  const found = [];
  for (let i = 0; i < numbers.length; i++) if (numbers[i] >= 0) found.push(i);
  return Int32Array.from(found);
}
