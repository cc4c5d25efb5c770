// @ts-check
/* The map as it is seen, with its title, legend and provenance, as one picture. */

/** @import { Facts, Tint } from "../types.d.ts" */
/** @import { CellLayer } from "../canvas.js" */
/** @import { Shown } from "../layers/shown.js" */
/** @import { Areas } from "./areas.js" */

import { hatched, penOf } from "../cells/pixels.js";
import { inkOf } from "../elements.js";

const [EDGE, COLUMN, FINE] = [20, 250, 2];
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** @typedef {{ map: L.Map, layer: CellLayer, shown: Shown, areas: Areas, facts: Facts }} Seen */
/** @typedef {{ pen: CanvasRenderingContext2D, y: number }} Sheet */

/**
 * A canvas with all of it.
 *
 * @param {Seen} seen
 */
export function pictureOf(seen) {
  const { x: width, y: height } = seen.map.getSize();
  const wide = width + COLUMN + 3 * EDGE;
  const notes = [seen.facts.provenance, seen.facts.capped, "Land and borders: Natural Earth. Drawn with dpmap."];
  const canvas = document.createElement("canvas");
  const sheet = { pen: penOf(canvas), y: EDGE };
  const tall = 74 + height + 3 * EDGE + lines(sheet.pen, notes.join(" \u00b7 "), 12, wide - 2 * EDGE).length * 17;
  canvas.width = wide * FINE;
  canvas.height = tall * FINE;
  const { pen } = sheet;
  pen.scale(FINE, FINE);
  pen.fillStyle = inkOf("--paper");
  pen.fillRect(0, 0, wide, tall);
  write(sheet, seen.facts.title, EDGE, wide - 2 * EDGE, "bold 21", "--ink");
  sheet.y += 4;
  write(sheet, seen.shown.heading(), EDGE, wide - 2 * EDGE, "14", "--quiet");
  const top = sheet.y + 10;
  drawMap(pen, seen, EDGE, top);
  sheet.y = top;
  drawLegend(sheet, seen.shown, width + 2 * EDGE);
  sheet.y = top + height + 12;
  write(sheet, notes.join(" \u00b7 "), EDGE, wide - 2 * EDGE, "12", "--quiet");
  return canvas;
}

/**
 * What lies on the map, cut to what is seen of it.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {Seen} seen
 * @param {number} left
 * @param {number} top
 */
function drawMap(pen, { map, layer, areas }, left, top) {
  const { x: width, y: height } = map.getSize();
  const { canvas, at, size } = layer.drawn(map);
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
  pen.fillStyle = inkOf("--water");
  pen.fillRect(left, top, width, height);
  pen.drawImage(canvas, left + at.x, top + at.y, size.x, size.y);
  pen.translate(left, top);
  for (const { name, rings, answer } of areas.labelled()) drawArea(pen, map, rings, [name, answer]);
  drawScale(pen, map, height);
  pen.restore();
  pen.strokeStyle = inkOf("--line");
  pen.strokeRect(left, top, width, height);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {L.Map} map
 * @param {import("../types.d.ts").Ring[]} rings
 * @param {string[]} words
 */
function drawArea(pen, map, rings, words) {
  const bounds = L.latLngBounds(rings.flat().map(([longitude, latitude]) => L.latLng(latitude, longitude)));
  const { x, y } = map.latLngToContainerPoint([bounds.getNorth(), bounds.getCenter().lng]);
  pen.beginPath();
  for (const ring of rings) {
    ring.forEach(([longitude, latitude], i) => {
      const place = map.latLngToContainerPoint([latitude, longitude]);
      pen[i ? "lineTo" : "moveTo"](place.x, place.y);
    });
    pen.closePath();
  }
  for (const [colour, width] of /** @type {[string, number][]} */ ([
    ["#ffffff", 6],
    ["#0b5cad", 3],
  ])) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  pen.font = `bold 12px ${FONT}`;
  pen.textBaseline = "alphabetic";
  pen.lineWidth = 4;
  pen.strokeStyle = inkOf("--paper");
  pen.fillStyle = inkOf("--ink");
  pen.textAlign = "center";
  words.forEach((text, i) => {
    pen.strokeText(text, x, y - 22 + 15 * i);
    pen.fillText(text, x, y - 22 + 15 * i);
  });
  pen.textAlign = "left";
  pen.lineWidth = 1;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {L.Map} map
 * @param {number} height
 */
function drawScale(pen, map, height) {
  const bar = map.getContainer().querySelector(".leaflet-control-scale-line");
  if (!(bar instanceof HTMLElement)) return;
  pen.fillStyle = pen.strokeStyle = inkOf("--ink");
  pen.fillRect(10, height - 12, bar.offsetWidth, 2);
  pen.font = `12px ${FONT}`;
  pen.fillText(bar.textContent ?? "", 10, height - 18);
}

/**
 * @param {Sheet} sheet
 * @param {Shown} shown
 * @param {number} left
 */
function drawLegend(sheet, shown, left) {
  const { pen } = sheet;
  for (const [tint, words] of shown.legend.rows) {
    if (tint !== null) drawSwatch(pen, shown.legend.palette[tint], left, sheet.y);
    const indent = tint === null ? 0 : 38;
    write(sheet, words, left + indent, COLUMN - indent, "14", tint === null ? "--quiet" : "--ink");
    sheet.y += 6;
  }
  sheet.y += 8;
  write(sheet, shown.legend.note, left, COLUMN, "12", "--quiet");
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Tint} tint
 * @param {number} x
 * @param {number} y
 */
function drawSwatch(pen, tint, x, y) {
  pen.fillStyle = hatched(pen, tint);
  pen.fillRect(x, y, 30, 18);
  pen.strokeStyle = inkOf("--line");
  pen.strokeRect(x, y, 30, 18);
}

/**
 * Writes words line by line.
 *
 * @param {Sheet} sheet
 * @param {string} words
 * @param {number} x
 * @param {number} width
 * @param {string} size
 * @param {string} ink
 */
function write(sheet, words, x, width, size, ink) {
  const { pen } = sheet;
  const high = Number(size.replace(/\D/g, ""));
  pen.font = `${size}px ${FONT}`;
  pen.fillStyle = inkOf(ink);
  pen.textBaseline = "alphabetic";
  for (const line of broken(pen, words, width)) {
    pen.fillText(line, x, sheet.y + high);
    sheet.y += Math.round(high * 1.4);
  }
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {number} size
 * @param {number} width
 */
function lines(pen, words, size, width) {
  pen.font = `${size}px ${FONT}`;
  return broken(pen, words, width);
}

/**
 * Words in lines that fit a width.
 *
 * @param {CanvasRenderingContext2D} pen
 * @param {string} words
 * @param {number} width
 */
function broken(pen, words, width) {
  const found = [""];
  for (const word of words.split(/\s+/)) {
    const longer = `${found[found.length - 1]} ${word}`.trim();
    if (found[found.length - 1] && pen.measureText(longer).width > width) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
}
