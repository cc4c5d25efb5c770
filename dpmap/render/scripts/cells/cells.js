// @ts-check
/* Where the cells are, in whichever of three forms they came: a lattice, polygons, an image of cell numbers. */

/** @import { Cells, Facts, Groups, LatticeFacts, Palette, View } from "../types.d.ts" */

import { decode, inflateRows } from "../arrays.js";
import { CellImage } from "./image.js";
import { Lattice } from "./lattice.js";
import { Polygons, shapesOf } from "./polygons.js";

/**
 * The cells of a layer.
 *
 * @param {Pick<Facts, "cells" | "geometry">} facts
 * @returns {Promise<Cells>}
 */
export async function cellsOf({ geometry, cells: count }) {
  const { image, lattice, rings, plane, few, ids, codes } = geometry;
  if (ids) geometry.names = new TextDecoder().decode(decode(ids)).split(" ");
  if (codes) codes.all = decode(codes.marks);
  if (image) return new CellImage(image, await inflateRows(image.numbers, image.width), count);
  if (lattice) return few ? new FewSquares(lattice, count) : new Lattice(lattice);
  if (rings) return new Polygons(shapesOf(rings), plane);
  throw new Error("the page carries no cells");
}

/** Squares that answer through their lattice and are drawn as polygons. */
class FewSquares extends Lattice {
  /**
   * @param {LatticeFacts} plain
   * @param {number} count
   */
  constructor(plain, count) {
    super(plain);
    const rings = Array.from({ length: count }, (_, cell) => [this.corners(cell)]);
    this.shapes = new Polygons({ rings, at: (vertex) => this.corner(vertex) });
  }

  /**
   * @override
   * @param {View} view
   * @param {Uint8Array} tints
   * @param {Palette} palette
   * @param {Groups} groups
   */
  *fill(view, tints, palette, groups) {
    yield* this.shapes.fill(view, tints, palette, groups);
  }
}
