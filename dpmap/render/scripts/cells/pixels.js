// @ts-check
/* Painting on the canvas: hatches, and cells pixel by pixel. */

/** @import { Groups, Palette, Tint, View } from "../types.d.ts" */

/** How many rows of pixels are drawn at a time. */
const ROWS = 16;

/** @typedef {(worldY: number) => ((worldX: number) => number) | null} RowLocator */

/**
 * A tint's colour, or for cells that are named by hatching, not by a colour alone, a canvas pattern.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Tint} tint
 */
export function hatched(context, tint) {
  if (!tint.hatch) return tint.fill;
  const tile = document.createElement("canvas");
  const ratio = context.getTransform().a || 1;
  tile.width = tile.height = Math.round(6 * ratio);
  const pen = penOf(tile);
  pen.scale(tile.width / 6, tile.width / 6);
  pen.fillStyle = tint.fill;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = tint.hatch;
  pen.lineWidth = 0.7;
  pen.beginPath();
  for (const start of [-6, 0, 6]) {
    pen.moveTo(start, 6);
    pen.lineTo(start + 6, 0);
  }
  pen.stroke();
  const pattern = /** @type {CanvasPattern} */ (context.createPattern(tile, "repeat"));
  pattern.setTransform(new DOMMatrix().scale(6 / tile.width));
  return pattern;
}

/** @param {HTMLCanvasElement} canvas */
export function penOf(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}

/**
 * Draws, pixel by pixel, whatever cell `rowLocator` names there: the nearest cell, warped for this very view. Cells that
 * belong together, where they are large enough on the screen, are outlined.
 *
 * @param {View} view
 * @param {Uint8Array} tints
 * @param {Palette} palette
 * @param {RowLocator} rowLocator
 * @param {Groups} groups
 * @param {number} cellWidth in degrees
 */
export function* fillPixels(view, tints, palette, rowLocator, groups, cellWidth) {
  const { width, height } = view.context.canvas;
  const ink = pixelOf(view.ink);
  const blockOf = blocksShown(view, tints, palette, groups, cellWidth);
  const colourAt = painter(view, tints, palette);
  const above = new Int32Array(width).fill(-1);
  const band = new Band(width);
  for (let row = 0; row < height; row++) {
    const locate = rowLocator(view.worldY(row + 0.5));
    const pixels = band.row(row);
    let before = -1;
    for (let column = 0; locate && column < width; column++) {
      const cell = locate(view.worldX(column + 0.5));
      const block = groups.some ? blockOf(cell) : -1;
      const edge = block !== before || block !== above[column];
      before = above[column] = block;
      if (edge) pixels[column] = ink;
      else if (cell >= 0) pixels[column] = colourAt(cell, row, column);
    }
    if ((row + 1) % ROWS && row + 1 < height) continue;
    band.lay(view.context, row);
    yield;
  }
}

/**
 * Which block is outlined at a cell; -1 for none.
 *
 * @param {View} view
 * @param {Uint8Array} tints
 * @param {Palette} palette
 * @param {Groups} groups
 * @param {number} cellWidth
 */
function blocksShown(view, tints, palette, groups, cellWidth) {
  const least = Math.max(2, (12 / view.pixels(cellWidth)) ** 2);
  const loud = palette.map((tint) => !tint.quiet);
  /** @param {number} cell */
  return (cell) => (cell >= 0 && loud[tints[cell]] && groups.sizeOf(cell) >= least ? groups.of(cell) : -1);
}

/**
 * The colour of a cell's pixel: on a hatched one, every few pixels, that of its lines.
 *
 * @param {View} view
 * @param {Uint8Array} tints
 * @param {Palette} palette
 */
function painter(view, tints, palette) {
  const fills = palette.map((tint) => pixelOf(tint.fill));
  const lines = palette.map((tint) => pixelOf(tint.hatch || tint.fill));
  const spacing = Math.round(6 * view.ratio);
  const [left, top] = view.origin.map((value) => Math.round(value * view.ratio));
  /** @type {(cell: number, row: number, column: number) => number} */
  return (cell, row, column) => {
    const place = (((column + left + row + top) % spacing) + spacing) % spacing;
    return (place < view.ratio ? lines : fills)[tints[cell]];
  };
}

/** Some rows of pixels, from one that is a multiple of their number. */
class Band {
  /** @param {number} width */
  constructor(width) {
    this.picture = new ImageData(width, ROWS);
    this.pixels = new Uint32Array(this.picture.data.buffer);
    this.sheet = Object.assign(document.createElement("canvas"), { width, height: ROWS });
  }

  /**
   * The pixels of a row.
   *
   * @param {number} row
   */
  row(row) {
    const { width } = this.picture;
    return this.pixels.subarray((row % ROWS) * width, ((row % ROWS) + 1) * width);
  }

  /**
   * Lays the rows up to this one over a canvas; what is clear in them stays.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {number} last
   */
  lay(context, last) {
    penOf(this.sheet).putImageData(this.picture, 0, 0);
    context.save();
    context.resetTransform();
    context.drawImage(this.sheet, 0, last - (last % ROWS));
    context.restore();
    this.pixels.fill(0);
  }
}

/**
 * `#rrggbb` as one opaque little-endian pixel.
 *
 * @param {string} colour
 */
function pixelOf(colour) {
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
