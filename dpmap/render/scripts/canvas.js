// @ts-check
/* The canvas that Leaflet moves and zooms: background and cells. */

/** @import { Cells, Context, Facts, Palette, Ring, View } from "./types.d.ts" */

import { penOf } from "./cells/pixels.js";
import { onWorld } from "./cells/world.js";
import { inkOf } from "./elements.js";

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
    this.tiled = Boolean(facts.tiles);
    this.background = backgroundOf(facts.context);
  }

  /**
   * Shows each cell in `palette[tints[cell]]`.
   *
   * @param {Uint8Array} tints
   * @param {Palette} palette
   */
  paint(tints, palette) {
    this.tints = tints;
    this.palette = palette;
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

  /** @param {View} view */
  draw(view) {
    const { box, land, lakes, borders, rivers } = this.background;
    if (!this.tiled) {
      fillLines(view, box, "--water");
      fillLines(view, land, "--ground");
      fillLines(view, lakes, "--water");
    }
    this.cells.fill(view, this.tints, this.palette);
    if (this.tiled) return;
    strokeLines(view, rivers, "--river", 1, []);
    strokeLines(view, [...land, ...lakes], "--river", 0.8, []);
    strokeLines(view, borders, "--border", 1, [5, 3]);
  }
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
