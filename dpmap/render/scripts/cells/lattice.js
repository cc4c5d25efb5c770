// @ts-check
/* Square cells in rows and columns, of any number. */

/** @import { Cells, Groups, LatticeFacts, Palette, Place, Ring, View } from "../types.d.ts" */

import { bits } from "../arrays.js";
import { coverage, sorted } from "./coverage.js";
import { Mesh } from "./mesh.js";
import { ringsAround, sidesOf } from "./outline.js";
import { fillPixels } from "./pixels.js";
import { latitudeOf, longitudeOf } from "./world.js";

/**
 * Square cells, found through a mesh of exact places.
 *
 * @implements {Cells}
 */
export class Lattice {
  /** @param {LatticeFacts} plain */
  constructor(plain) {
    this.rows = plain.rows;
    this.columns = plain.columns;
    this.tolerance = plain.tolerance;
    this.mesh = new Mesh(plain);
    /** So many vertices along a side of a cell that long ones stay in place. */
    this.fine = this.mesh.steps > 1 ? Math.max(1, Math.ceil(64 / Math.max(this.rows, this.columns))) : 1;
    /** @type {Map<number, Place>} */
    this.known = new Map();
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
    for (let turn = 0, moved = Infinity; turn < 12 && moved > 1e-13; turn++) {
      const now = mesh.place(x, y);
      const [c, r] = now;
      const [cx, rx] = mesh.place(x + dx, y).map((value, k) => (value - now[k]) / dx);
      const [cy, ry] = mesh.place(x, y + dy).map((value, k) => (value - now[k]) / dy);
      const determinant = cx * ry - cy * rx;
      const across = ((c - column) * ry - (r - row) * cy) / determinant;
      const down = ((r - row) * cx - (c - column) * rx) / determinant;
      [x, y] = [x - across, y - down];
      moved = Math.hypot(across, down);
    }
    return [x, y];
  }

  /**
   * The vertices of a cell, from its north-west corner and the inside on their left; neighbours share theirs.
   *
   * @param {number} cell
   */
  corners(cell) {
    const { fine } = this;
    const wide = this.columns * fine + 1;
    const [row, column] = this.rowColumn(cell);
    const first = row * fine * wide + column * fine;
    const far = fine * wide + fine;
    /** @type {number[]} */
    const found = [];
    for (let k = 0; k < fine; k++) found.push(first + k * wide);
    for (let k = 0; k < fine; k++) found.push(first + fine * wide + k);
    for (let k = 0; k < fine; k++) found.push(first + far - k * wide);
    for (let k = 0; k < fine; k++) found.push(first + fine - k);
    return found;
  }

  /**
   * Where a vertex is.
   *
   * @param {number} vertex
   */
  corner(vertex) {
    const wide = this.columns * this.fine + 1;
    const known =
      this.known.get(vertex) ?? this.lonLat((vertex % wide) / this.fine, Math.floor(vertex / wide) / this.fine);
    this.known.set(vertex, known);
    return known;
  }

  /** @param {ArrayLike<number>} members */
  outlineOf(members) {
    const sides = Array.from(members).flatMap((cell) => sidesOf([this.corners(cell)], cell));
    return ringsAround(sides).map((ring) => ring.map((vertex) => this.corner(vertex)));
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
   * @param {Groups} groups
   */
  *fill(view, tints, palette, groups) {
    const [west, , east] = this.mesh.box;
    yield* fillPixels(view, tints, palette, (y) => this.rowAt(y), groups, (east - west) / this.columns);
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
