// @ts-check
/* The layer that is shown: its choice, its colours and legend, and the threshold's slider. */

/** @import { Known, Layer, Palette, Tint } from "../types.d.ts" */
/** @import { CellLayer } from "../canvas.js" */

import { element, input, make } from "../elements.js";
import { whileOpen } from "../life.js";
import { numberText } from "../words.js";
import { exceedsLayer } from "./exceeds.js";
import { hotLayer } from "./hot.js";
import { dark } from "./ink.js";
import { sureLayer } from "./sure.js";
import { estimateLayer, lowLayer } from "./values.js";

/** One layer at a time; `onShow` is called after each change. */
export class Shown {
  /**
   * @param {Known} known
   * @param {CellLayer} canvas
   */
  constructor(known, canvas) {
    this.known = known;
    this.canvas = canvas;
    this.layers = layersOf(known);
    this.current = "estimate";
    this.onShow = () => {};
    this.slider = input("slider");
    this.mask = input("mask");
    const last = known.reading.thresholds.length - 1;
    this.slider.max = String(last);
    this.slider.value = String(Math.round(last / 4));
    for (const [key, { title }] of this.layers) element("layers").append(this.choice(key, title));
    this.listen();
    this.show();
  }

  listen() {
    let waiting = 0;
    this.slider.addEventListener("input", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    });
    this.mask.addEventListener("change", () => this.show());
    dark.addEventListener("change", () => this.show(), whileOpen());
  }

  /** The number of the threshold, while it matters. */
  threshold() {
    return this.current === "exceeds" ? Number(this.slider.value) : null;
  }

  /**
   * @param {string} key
   * @param {string} title
   */
  choice(key, title) {
    const label = make("label");
    const radio = make("input");
    Object.assign(radio, { type: "radio", name: "dp-layer", value: key, checked: key === this.current });
    radio.addEventListener("change", () => {
      this.current = key;
      this.show();
    });
    label.append(radio, make("span", title));
    return label;
  }

  show() {
    const layer = /** @type {Layer} */ (this.layers.get(this.current));
    const settings = { mask: this.mask.checked, index: Number(this.slider.value) };
    const { facts, reading } = this.known;
    element("threshold").hidden = this.current !== "exceeds";
    element("mask-label").hidden = this.current !== "estimate";
    const words = `${numberText(reading.thresholds[settings.index])} ${facts.noun}`;
    element("threshold-value").textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    const palette = layer.palette();
    const { rows, note } = layer.legend(settings);
    writeLegend(rows, palette);
    element("explain").textContent = note;
    this.canvas.paint(layer.tints(settings), palette);
    this.onShow();
  }
}

/**
 * Every way to look at this release, by its key.
 *
 * @param {Known} known
 */
function layersOf(known) {
  /** @type {Map<string, Layer>} */
  const layers = new Map();
  layers.set("estimate", estimateLayer(known));
  layers.set("low", lowLayer(known));
  layers.set("sure", sureLayer(known));
  layers.set("exceeds", exceedsLayer(known));
  if (known.facts.hot) layers.set("hot", hotLayer(known));
  return layers;
}

/**
 * @param {[number | null, string][]} rows
 * @param {Palette} palette
 */
function writeLegend(rows, palette) {
  const made = rows.map(([index, words]) => {
    const row = make("li", "", index === null ? "dp-units" : "");
    if (index !== null) row.append(swatch(palette[index]));
    row.append(make("span", words));
    return row;
  });
  element("legend").replaceChildren(...made);
}

/** @param {Tint} tint */
function swatch({ fill, hatch }) {
  const made = make("span", "", "dp-swatch");
  made.setAttribute("aria-hidden", "true");
  made.style.background = hatch ? `repeating-linear-gradient(135deg, ${fill} 0 3px, ${hatch} 3px 4px)` : fill;
  return made;
}
