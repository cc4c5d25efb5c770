// @ts-check
/* What is drawn of a map: background, cells and names. */

/** @import { Cells, Context, Ground, Groups, Named, Palette, Ring, View } from "./types.d.ts" */

import { penOf } from "./cells/pixels.js";
import { onWorld, worldX, worldY } from "./cells/world.js";
import { inkOf } from "./elements.js";
import { drawNames } from "./places/labels.js";

/** Background and cells, to be drawn on any canvas. */
export class Scene {
  /**
   * @param {Ground} facts
   * @param {Cells} cells
   */
  constructor(facts, cells) {
    this.cells = cells;
    /** @type {Uint8Array} */
    this.tints = new Uint8Array(facts.cells);
    /** @type {Palette} */
    this.palette = [];
    /** @type {Groups | null} */
    this.groups = null;
    /** How much of the ground shows through: 1 is nothing. */
    this.opacity = 1;
    this.tiled = Boolean(facts.tiles);
    this.background = backgroundOf(facts.context);
    this.own = ownOf(facts.context);
    this.names = namesOf(facts.context, this.tiled);
  }

  /**
   * Draws all of it, step by step.
   *
   * @param {View} view
   */
  *draw(view) {
    const { box, land, lakes, borders, rivers } = this.background;
    if (!this.tiled) {
      fillLines(view, box, "--water");
      fillLines(view, land, "--ground");
      yield;
      fillLines(view, lakes, "--water");
      yield;
    }
    fillLines(view, this.own.areas, "--own-area");
    yield;
    yield* this.fillCells(view);
    yield;
    if (!this.tiled) {
      lineTheSea(view, box, land);
      yield;
      strokeLines(view, rivers, "--river", 1, []);
      strokeLines(view, lakes, "--river", 0.8, []);
      yield;
      strokeLines(view, land, "--coast", 0.9, []);
      strokeLines(view, borders, "--border", 1, [5, 3]);
      yield;
    }
    strokeLines(view, this.own.lines, "--name-edge", 2.6, []);
    yield;
    strokeLines(view, this.own.lines, "--own-line", 1.2, []);
    yield;
    drawNames(view, this.names);
  }

  /**
   * The cells in their tints, as one layer that the ground may show through.
   *
   * @param {View} view
   */
  *fillCells(view) {
    if (!this.groups) return;
    if (this.opacity === 1) {
      yield* this.cells.fill(view, this.tints, this.palette, this.groups);
      return;
    }
    const { canvas } = view.context;
    const sheet = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = penOf(sheet);
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    yield* this.cells.fill({ ...view, context }, this.tints, this.palette, this.groups);
    view.context.save();
    view.context.resetTransform();
    view.context.globalAlpha = this.opacity;
    view.context.drawImage(sheet, 0, 0);
    view.context.restore();
  }
}

/**
 * A canvas made to hold a part of the map, and how world coordinates fall on it.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {L.Map} map
 * @param {L.Renderer["_bounds"]} bounds
 * @returns {View}
 */
export function viewOn(canvas, map, bounds) {
  const size = bounds.getSize();
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  canvas.width = Math.round(size.x * ratio);
  canvas.height = Math.round(size.y * ratio);
  canvas.style.width = `${size.x}px`;
  canvas.style.height = `${size.y}px`;
  const context = penOf(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const world = 256 * 2 ** map.getZoom();
  const origin = map.getPixelOrigin().add(bounds.min);
  const corner = map.layerPointToLatLng(bounds.min);
  const opposite = map.layerPointToLatLng(bounds.max);
  return {
    context,
    ratio,
    origin: [origin.x, origin.y],
    box: [corner.lng, opposite.lat, opposite.lng, corner.lat],
    x: (x) => x * world - origin.x,
    y: (y) => y * world - origin.y,
    worldX: (pixel) => (pixel / ratio + origin.x) / world,
    worldY: (pixel) => (pixel / ratio + origin.y) / world,
    pixels: (degrees) => (degrees / 360) * world,
    separator: inkOf("--separator"),
    ink: inkOf("--block"),
  };
}

/** @param {Context} context */
function ownOf({ own = [] }) {
  const areas = onWorld(own.flatMap((layer) => layer.areas));
  return { areas, lines: [...areas, ...onWorld(own.flatMap((layer) => layer.lines))] };
}

/**
 * Names of own layers, then those of towns and of regions, for which there is room once one is near; tiles have both.
 *
 * @param {Context} context
 * @param {boolean} tiled
 * @returns {Named[]}
 */
function namesOf({ own = [], towns = [], regions = [] }, tiled) {
  const named = new Set(own.flatMap(({ points }) => points.map(([x, y]) => `${x},${y}`)));
  const given = own.flatMap(({ names }) =>
    names.map(([words, x, y]) => ({ words, x, y, dot: named.has(`${x},${y}`) })),
  );
  const known = new Set(given.map(({ x, y }) => `${x},${y}`));
  const others = own.flatMap(({ points }) => points).filter(([x, y]) => !known.has(`${x},${y}`));
  return [
    ...given,
    ...others.map(([x, y]) => ({ words: "", x, y, dot: true })),
    ...(tiled ? [] : towns).map(([words, x, y]) => ({ words, x, y, dot: true })),
    ...(tiled ? [] : regions).map(([words, x, y]) => ({ words, x, y, dot: false })),
  ].map(({ words, x, y, dot }) => ({ words, at: [worldX(x), worldY(y)], dot }));
}

/** @param {Context} context */
function backgroundOf({ box: [west, south, east, north], land = [], lakes = [], borders = [], rivers = [] }) {
  /** @type {Ring} */
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return {
    box: onWorld([corners]),
    land: onWorld(land),
    lakes: onWorld(lakes),
    borders: onWorld(borders),
    rivers: onWorld(rivers),
  };
}

/**
 * @param {View} view
 * @param {Ring[]} lines
 */
function traceLines({ context, x, y }, lines) {
  context.beginPath();
  for (const line of lines) {
    line.forEach((place, i) => {
      context[i ? "lineTo" : "moveTo"](x(place[0]), y(place[1]));
    });
  }
}

/**
 * @param {View} view
 * @param {Ring[]} lines
 * @param {string} name of a colour of the style sheet
 */
function fillLines(view, lines, name) {
  traceLines(view, lines);
  view.context.fillStyle = inkOf(name);
  view.context.fill("evenodd");
}

/**
 * A light edge along the coast on the side of the sea only, so that cells over it are told from those on land.
 *
 * @param {View} view
 * @param {Ring[]} box
 * @param {Ring[]} land
 */
function lineTheSea(view, box, land) {
  view.context.save();
  traceLines(view, [...box, ...land]);
  view.context.clip("evenodd");
  strokeLines(view, land, "--shore", 5, []);
  view.context.restore();
}

/**
 * @param {View} view
 * @param {Ring[]} lines
 * @param {string} name of a colour of the style sheet
 * @param {number} width
 * @param {number[]} dash
 */
function strokeLines(view, lines, name, width, dash) {
  traceLines(view, lines);
  view.context.strokeStyle = inkOf(name);
  view.context.lineWidth = width;
  view.context.setLineDash(dash);
  view.context.stroke();
  view.context.setLineDash([]);
}
