// @ts-check
/* The divider between the two maps: a native slider, for mouse, finger and keys. */

/** @import { ChangesFacts } from "../types.d.ts" */

import { element, input } from "../elements.js";

/** The width of the slider's handle: its middle never comes closer to the edge of the map than half of it. */
const HANDLE = 44;

/** Shows the later map from the divider to the right, the earlier one to the left of it. */
export class Divider {
  /**
   * @param {L.Map} map
   * @param {ChangesFacts} facts
   * @param {HTMLElement} pane of the later map
   */
  constructor(map, facts, pane) {
    this.map = map;
    this.pane = pane;
    this.titles = [facts.before.title, facts.after.title];
    this.slider = input("divider");
    this.slider.addEventListener("input", () => this.move());
    map.on("move resize zoomend viewreset", () => this.move());
  }

  /** @param {boolean} on */
  show(on) {
    element("dividing").hidden = !on;
    this.move();
  }

  /** Where the divider is, in pixels from the left edge of the map. */
  get at() {
    return HANDLE / 2 + (Number(this.slider.value) / 100) * (this.map.getSize().x - HANDLE);
  }

  /** Cuts the later map at the divider. */
  move() {
    const { map, at } = this;
    const [corner, opposite] = [map.containerPointToLayerPoint([0, 0]), map.containerPointToLayerPoint(map.getSize())];
    const edges = [corner.y, opposite.x, opposite.y, corner.x + at];
    this.pane.style.clip = `rect(${edges.map((edge) => `${edge}px`).join(", ")})`;
    element("line").style.left = `${at}px`;
    const share = Number(this.slider.value);
    const words = `${share} % of the map shows ${this.titles[0]}, the rest ${this.titles[1]}`;
    this.slider.setAttribute("aria-valuetext", words);
  }
}
