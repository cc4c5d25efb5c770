// @ts-check
/* The layer that is shown: its choice, its colours and legend, and the threshold's slider. */

/** @import { Known, Layer, Palette, Ring } from "../types.d.ts" */
/** @import { CellLayer } from "../canvas.js" */

import { outlineOf } from "../cells/regions.js";
import { element, input, make } from "../elements.js";
import { whileOpen } from "../life.js";
import { describe, describePlace, numberText } from "../words.js";
import { answerText, clearanceLayer, landText } from "./clearance.js";
import { exceedsLayer } from "./exceeds.js";
import { hotLayer } from "./hot.js";
import { dark } from "./ink.js";
import { writeLegend } from "./legend.js";
import { Limit } from "./limit.js";
import { placeLayers } from "./places.js";
import { sureLayer } from "./sure.js";
import { estimateLayer, highLayer, lowLayer } from "./values.js";

/** One layer at a time, of places or of single cells; `onShow` is called after each change. */
export class Shown {
  /**
   * @param {Known} known
   * @param {CellLayer} canvas
   */
  constructor(known, canvas) {
    this.known = known;
    this.canvas = canvas;
    this.views = viewsOf(known);
    /** Whether it is places or cells that are shown. */
    this.by = known.places ? "places" : "cells";
    this.current = "estimate";
    this.onShow = () => {};
    this.slider = input("slider");
    this.mask = input("mask");
    this.limit = new Limit(known.facts);
    /** @type {{ place: number, outline: Ring[] }} */
    this.last = { place: -1, outline: [] };
    /** @type {{ rows: [number | null, string][], note: string, palette: Palette }} */
    this.legend = { rows: [], note: "", palette: [] };
    this.opacity = input("opacity");
    const last = known.reading.thresholds.length - 1;
    this.slider.max = String(last);
    this.slider.value = String(Math.round(last / 4));
    this.listen();
    this.turn(this.by, this.current);
  }

  listen() {
    let waiting = 0;
    this.slider.addEventListener("input", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    });
    this.mask.addEventListener("change", () => this.show());
    this.limit.onChange = () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    };
    this.opacity.addEventListener("input", () => {
      this.canvas.scene.opacity = Number(this.opacity.value) / 100;
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    });
    dark.addEventListener("change", () => this.show(), whileOpen());
  }

  /** Every layer of what is shown, by its key. */
  get layers() {
    return /** @type {Map<string, Layer>} */ (this.views.get(this.by));
  }

  /** The layer whose colours are shown: the estimate's, until there is a number to hold places against. */
  get layer() {
    const waiting = this.current === COMPARE && !(this.limit.density > 0);
    return /** @type {Layer} */ (this.layers.get(waiting ? "estimate" : this.current));
  }

  get settings() {
    return { mask: this.mask.checked, index: Number(this.slider.value), limit: this.limit.density };
  }

  /** What is shown, in a few words. */
  heading() {
    const { title, heading } = this.layer;
    const words = heading ? heading(this.settings) : title.toLowerCase();
    return `${this.views.size > 1 ? NAMES[this.by] : "Cells"}: ${words}`;
  }

  /** The number of the threshold, while it matters. */
  threshold() {
    return this.current === "exceeds" ? Number(this.slider.value) : null;
  }

  /**
   * Shows places or cells, by this layer if they have it, and offers their others.
   *
   * @param {string} by
   * @param {string} key
   */
  turn(by, key) {
    this.by = this.views.has(by) ? by : this.by;
    this.current = this.layers.has(key) ? key : "estimate";
    element("by").hidden = this.views.size === 1;
    const kinds = [...this.views.keys()].map((name) =>
      choice("dp-by", name, NAMES[name], name === this.by, () => this.turn(name, this.current)),
    );
    const layers = [...this.layers].map(([name, { title }]) =>
      choice("dp-layer", name, title, name === this.current, () => {
        this.current = name;
        this.show();
      }),
    );
    replaceChoices(element("by"), kinds);
    replaceChoices(element("layers"), layers);
    this.show();
  }

  /**
   * Shows what a link asks for, as far as it is there.
   *
   * @param {[by: string, key: string]} view
   * @param {number} [index] of the threshold
   * @param {number} [limit] the density that places are held against
   */
  choose([by, key], index, limit = NaN) {
    this.limit.density = limit;
    if (index !== undefined) this.slider.value = String(index);
    this.turn(by, key);
  }

  show() {
    const { layer, settings } = this;
    const { facts, reading, places } = this.known;
    element("threshold").hidden = this.current !== "exceeds";
    element("mask-label").hidden = this.by !== "cells" || this.current !== "estimate";
    const words = `${numberText(reading.thresholds[settings.index])} ${facts.noun}`;
    element("threshold-value").textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    const compared = places && layer.heading ? landText(facts, places, settings.limit) : "";
    this.limit.tell(this.current === COMPARE, compared);
    const palette = layer.palette();
    const { rows, note } = layer.legend(settings);
    this.legend = { rows, note, palette };
    writeLegend(rows, palette);
    element("legend-title").textContent = this.heading();
    element("explain").textContent = note;
    this.canvas.paint(layer.tints(settings), palette, layer.groups);
    this.onShow();
  }

  /**
   * What is told of where somebody points: of the place, or of the cell by itself.
   *
   * @param {number} cell
   */
  told(cell) {
    const { known } = this;
    const { places, cells } = known;
    if (!places || this.by === "cells") {
      return { lines: describe(known, cell, this.threshold()), outline: () => cells.outlineOf([cell]) };
    }
    const place = places.of(cell);
    const lines = describePlace(known, places, place);
    if (this.layer.heading) lines.splice(1, 0, [answerText(known.facts, places, place, this.limit.density), ""]);
    return {
      lines,
      outline: () => {
        if (this.last.place !== place) this.last = { place, outline: outlineOf(cells, places, place) };
        return this.last.outline;
      },
    };
  }
}

/** @type {Record<string, string>} */
const NAMES = { places: "Places", cells: "Single cells" };
/** The key of the layer that holds places against a number. */
const COMPARE = "compare";

/**
 * Every way to look at this release: places where it has them, and cells.
 *
 * @param {Known} known
 */
function viewsOf(known) {
  /** @type {Map<string, Map<string, Layer>>} */
  const views = new Map();
  if (known.places) {
    const layers = new Map(placeLayers(known, known.places));
    if (!known.facts.local) layers.set(COMPARE, clearanceLayer(known, known.places));
    views.set("places", layers);
  }
  /** @type {Map<string, Layer>} */
  const layers = new Map();
  layers.set("estimate", estimateLayer(known));
  layers.set("low", lowLayer(known));
  layers.set("high", highLayer(known));
  layers.set("sure", sureLayer(known));
  layers.set("exceeds", exceedsLayer(known));
  if (known.facts.hot) layers.set("hot", hotLayer(known));
  return views.set("cells", layers);
}

/**
 * A radio button with its words.
 *
 * @param {string} name
 * @param {string} value
 * @param {string} title
 * @param {boolean} checked
 * @param {() => void} chosen
 */
function choice(name, value, title, checked, chosen) {
  const label = make("label");
  const radio = make("input");
  Object.assign(radio, { type: "radio", name, value, checked });
  radio.addEventListener("change", chosen);
  label.append(radio, make("span", title));
  return label;
}

/**
 * Puts other radio buttons under a heading; whoever used one of them stays on it.
 *
 * @param {HTMLElement} box
 * @param {HTMLElement[]} choices
 */
function replaceChoices(box, choices) {
  const inside = box.contains(document.activeElement);
  for (const old of box.querySelectorAll("label")) old.remove();
  box.append(...choices);
  if (inside) /** @type {HTMLElement | null} */ (box.querySelector("input:checked"))?.focus();
}
