// @ts-check
/* Lines of round longitudes and latitudes, each with its degrees where it begins. */

/** @import { Lattice } from "./types.d.ts" */

import { rowColumn } from "./places.js";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30];

/**
 * The whole net; `pixel` is where a row and column are on the canvas.
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {Lattice} places
 * @param {(row: number, column: number) => [x: number, y: number]} pixel
 */
export function net(brush, places, pixel) {
  const [west, south, east, north] = places.box;
  const step = STEPS.find((size) => Math.max(east - west, north - south) / size <= 5) ?? 60;
  brush.font = "22px system-ui, sans-serif";
  brush.strokeStyle = brush.fillStyle = "#555";
  for (const upright of [true, false]) {
    const [low, high] = upright ? [west, east] : [south, north];
    for (let at = Math.ceil(low / step) * step; at <= high; at += step) {
      const dots = along(at, upright, places).map(([row, column]) => pixel(row, column));
      stroke(brush, dots);
      if (dots.length) degrees(brush, at, upright, dots[0], pixel(3, 3));
    }
  }
}

/**
 * Rows and columns along a meridian (upright) or a parallel, from the north or the west on.
 *
 * @param {number} at
 * @param {boolean} upright
 * @param {Lattice} places
 */
function along(at, upright, places) {
  const [west, south, east, north] = places.box;
  const [rows, columns] = places.shape;
  const found = [];
  for (let i = 0; i <= 64; i++) {
    const [lon, lat] = upright ? [at, north - ((north - south) * i) / 64] : [west + ((east - west) * i) / 64, at];
    const [row, column] = rowColumn(lon, lat, places) ?? [-1, -1];
    if (row >= 0 && column >= 0 && row <= rows && column <= columns) found.push([row, column]);
  }
  return found;
}

/**
 * @param {CanvasRenderingContext2D} brush
 * @param {[number, number][]} dots
 */
function stroke(brush, dots) {
  brush.globalAlpha = 0.45;
  brush.beginPath();
  for (const [x, y] of dots) brush.lineTo(x, y);
  brush.stroke();
  brush.globalAlpha = 1;
}

/**
 * The degrees of a line, where it begins near the map's edge.
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {number} at
 * @param {boolean} upright
 * @param {[number, number]} first
 * @param {[number, number]} near
 */
function degrees(brush, at, upright, [x, y], [nearX, nearY]) {
  const sides = upright ? ["W", "E"] : ["S", "N"];
  const words = `${+Math.abs(at).toFixed(2)}°${sides[at < 0 ? 0 : 1]}`;
  brush.textAlign = upright ? "center" : "right";
  if (upright && y < nearY) brush.fillText(words, Math.max(x, 40), 26);
  if (!upright && x < nearX) brush.fillText(words, 86, y + 7);
}
