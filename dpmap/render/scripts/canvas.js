// @ts-check
/* The canvas that Leaflet moves and zooms: background and cells. */

/** @import { Cells, Context, Facts, Groups, Named, Palette, Ring, View } from "./types.d.ts" */

import { penOf } from "./cells/pixels.js";
import { onWorld, worldX, worldY } from "./cells/world.js";
import { inkOf } from "./elements.js";
import { drawNames } from "./places/labels.js";

/** Draws background and cells on one canvas. */
export class CellLayer extends L.Renderer {
  /**
   * @param {Facts} facts
   * @param {Cells} cells
   */
  constructor(facts, cells) {
    super({ pane: "cells", padding: 0.15 });
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
   * Shows each cell in `palette[tints[cell]]`, and outlines those that belong together.
   *
   * @param {Uint8Array} tints
   * @param {Palette} palette
   * @param {Groups} groups
   */
  paint(tints, palette, groups) {
    this.tints = tints;
    this.palette = palette;
    this.groups = groups;
    if (this._map) this._update();
  }

  _initContainer() {
    this._container = document.createElement("canvas");
    this._container.setAttribute("aria-hidden", "true");
    if (this.tiled) this._container.style.opacity = "0.75";
  }

  _destroyContainer() {
    this._container.remove();
  }

  /** @override */
  _update() {
    if (!this._map || (this._map._animatingZoom && this._bounds)) return;
    super._update();
    const size = this._bounds.getSize();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this._container.width = Math.round(size.x * ratio);
    this._container.height = Math.round(size.y * ratio);
    this._container.style.width = `${size.x}px`;
    this._container.style.height = `${size.y}px`;
    L.DomUtil.setPosition(this._container, this._bounds.min);
    this.draw(this.view(this._map, ratio));
    this.fire("update");
  }

  /**
   * How world coordinates fall on this canvas.
   *
   * @param {L.Map} map
   * @param {number} ratio
   * @returns {View}
   */
  view(map, ratio) {
    const context = penOf(this._container);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const world = 256 * 2 ** map.getZoom();
    const origin = map.getPixelOrigin().add(this._bounds.min);
    const corner = map.layerPointToLatLng(this._bounds.min);
    const opposite = map.layerPointToLatLng(this._bounds.max);
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

  /**
   * The cells in their tints, as one layer that the ground may show through.
   *
   * @param {View} view
   */
  fillCells(view) {
    if (!this.groups) return;
    if (this.opacity === 1) {
      this.cells.fill(view, this.tints, this.palette, this.groups);
      return;
    }
    const { canvas } = view.context;
    const sheet = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = penOf(sheet);
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    this.cells.fill({ ...view, context }, this.tints, this.palette, this.groups);
    view.context.save();
    view.context.resetTransform();
    view.context.globalAlpha = this.opacity;
    view.context.drawImage(sheet, 0, 0);
    view.context.restore();
  }

  /**
   * What is drawn, where it begins on the map, and how large it is there.
   *
   * @param {L.Map} map
   */
  drawn(map) {
    const at = map.layerPointToContainerPoint(this._bounds.min);
    return { canvas: this._container, at, size: this._bounds.getSize() };
  }

  /** @param {View} view */
  draw(view) {
    const { box, land, lakes, borders, rivers } = this.background;
    if (!this.tiled) {
      fillLines(view, box, "--water");
      fillLines(view, land, "--ground");
      fillLines(view, lakes, "--water");
    }
    fillLines(view, this.own.areas, "--own-area");
    this.fillCells(view);
    if (!this.tiled) {
      lineTheSea(view, box, land);
      strokeLines(view, rivers, "--river", 1, []);
      strokeLines(view, lakes, "--river", 0.8, []);
      strokeLines(view, land, "--coast", 0.9, []);
      strokeLines(view, borders, "--border", 1, [5, 3]);
    }
    strokeLines(view, this.own.lines, "--name-edge", 2.6, []);
    strokeLines(view, this.own.lines, "--own-line", 1.2, []);
    drawNames(view, this.names);
  }
}

/** @param {Context} context */
function ownOf({ own = [] }) {
  const areas = onWorld(own.flatMap((layer) => layer.areas));
  return { areas, lines: [...areas, ...onWorld(own.flatMap((layer) => layer.lines))] };
}

/**
 * Names of own layers, then those of towns; tiles have the towns.
 *
 * @param {Context} context
 * @param {boolean} tiled
 * @returns {Named[]}
 */
function namesOf({ own = [], towns = [] }, tiled) {
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
