// @ts-check
/* Where the cells are, in whichever of three forms they came: polygons, a lattice, an image of cell numbers. */

/** @import { Cells, Facts, LatticeFacts, Palette, Regions, View } from "../types.d.ts" */

import { inflateRows } from "../arrays.js";
import { CellImage } from "./image.js";
import { Lattice } from "./lattice.js";
import { Polygons } from "./polygons.js";

/**
 * The cells of a layer.
 *
 * @param {Facts} facts
 * @param {Regions} regions
 * @returns {Promise<Cells>}
 */
export async function cellsOf({ geometry, cells: count }, regions) {
  const { image, lattice, rings } = geometry;
  if (image) return new CellImage(image, await inflateRows(image.numbers, image.width), count, regions);
  const shapes = rings && new Polygons({ ...geometry, rings }, count, regions);
  if (lattice) return shapes ? new FewSquares(lattice, regions, shapes) : new Lattice(lattice, regions);
  if (shapes) return shapes;
  throw new Error("the page carries no cells");
}

/** Squares that answer through their lattice and are drawn as polygons. */
class FewSquares extends Lattice {
  /**
   * @param {LatticeFacts} plain
   * @param {Regions} regions
   * @param {Polygons} shapes
   */
  constructor(plain, regions, shapes) {
    super(plain, regions);
    this.shapes = shapes;
  }

  /**
   * @override
   * @param {View} view
   * @param {Uint8Array} tints
   * @param {Palette} palette
   */
  fill(view, tints, palette) {
    this.shapes.fill(view, tints, palette);
  }

  /**
   * @override
   * @param {number} cell
   */
  outline(cell) {
    return this.shapes.outline(cell);
  }
}
