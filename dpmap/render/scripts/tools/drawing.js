// @ts-check
/* Drawing project areas with a mouse, a finger or the keyboard (the cross is the pen). */

/** @import { Place } from "../types.d.ts" */
/** @import { Areas } from "./areas.js" */
/** @import { Pointing } from "./pointing.js" */

import { button, element, find, inkOf } from "../elements.js";
import { whileOpen } from "../life.js";
import { rectangle } from "./corners.js";

/** @typedef {"rectangle" | "polygon"} Mode */

const HINTS = {
  rectangle: "Drag from corner to corner, or tap two corners. Keyboard: arrows move, Enter sets a corner.",
  polygon: "Tap each corner, then Finish. Keyboard: arrows move, Enter sets a corner.",
};
const LEAST = { rectangle: 2, polygon: 3 };

/** One area at a time. */
export class Drawing {
  /**
   * @param {L.Map} map
   * @param {Areas} areas
   * @param {Pointing} pointing
   */
  constructor(map, areas, pointing) {
    this.map = map;
    this.areas = areas;
    this.pointing = pointing;
    this.buttons = { rectangle: button("rectangle"), polygon: button("polygon") };
    this.stage = find(".dp-stage", HTMLElement);
    this.bar = find(".dp-drawing", HTMLElement);
    this.sketch = L.polygon([], { dashArray: "6 5", weight: 2.5, interactive: false });
    /** @type {Mode | null} */
    this.mode = null;
    /** @type {L.LatLng[]} */
    this.corners = [];
    /** @type {{ x: number, y: number, latlng: L.LatLng } | null} */
    this.pressed = null;
    this.listen();
  }

  listen() {
    for (const mode of /** @type {Mode[]} */ (["rectangle", "polygon"])) {
      this.buttons[mode].addEventListener("click", () => (this.mode === mode ? this.stop() : this.start(mode)));
    }
    button("finish").addEventListener("click", () => this.finish());
    button("cancel").addEventListener("click", () => this.stop());
    this.map.getContainer().addEventListener("pointerdown", (event) => this.press(event), true);
    window.addEventListener("pointermove", (event) => this.move(event), whileOpen());
    window.addEventListener("pointerup", (event) => this.release(event), whileOpen());
    window.addEventListener("pointercancel", () => this.forget(), whileOpen());
    document.addEventListener("keydown", (event) => this.key(event), whileOpen());
  }

  /** @param {Mode} mode */
  start(mode) {
    this.stop();
    this.mode = mode;
    this.pointing.paused = true;
    this.buttons[mode].setAttribute("aria-pressed", "true");
    this.stage.classList.add("dp-drawing-now");
    this.bar.hidden = false;
    button("finish").hidden = mode === "rectangle";
    hint(HINTS[mode]);
    for (const handler of this.handlers()) handler.disable();
    this.sketch.setStyle({ color: inkOf("--accent") });
    this.map.getContainer().focus();
    this.stage.scrollIntoView({ block: "nearest" });
  }

  stop() {
    if (!this.mode) return;
    this.buttons[this.mode].setAttribute("aria-pressed", "false");
    this.mode = null;
    this.corners = [];
    this.forget();
    this.pointing.paused = false;
    this.stage.classList.remove("dp-drawing-now");
    this.bar.hidden = true;
    this.sketch.remove();
    for (const handler of this.handlers()) handler.enable();
  }

  /** What the map does with the pointer while nothing is drawn. */
  handlers() {
    const { dragging, doubleClickZoom, touchZoom } = this.map;
    return [dragging, doubleClickZoom, touchZoom].filter(Boolean);
  }

  forget() {
    this.pressed = null;
  }

  /** @param {PointerEvent} event */
  press(event) {
    const target = /** @type {Element} */ (event.target);
    if (!this.mode || event.button !== 0 || target.closest(".leaflet-control")) return;
    event.preventDefault();
    this.pressed = { x: event.clientX, y: event.clientY, latlng: this.map.mouseEventToLatLng(event) };
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.mode) return;
    const here = this.map.mouseEventToLatLng(event);
    if (this.mode === "rectangle" && this.pressed) this.outline([this.pressed.latlng, here]);
    else if (this.corners.length) this.outline([...this.corners, here]);
  }

  /** @param {PointerEvent} event */
  release(event) {
    if (!this.mode || !this.pressed) return;
    const { x, y, latlng } = this.pressed;
    const far = Math.hypot(event.clientX - x, event.clientY - y) > 8;
    this.forget();
    if (this.mode === "rectangle" && far) {
      this.corners = [latlng, this.map.mouseEventToLatLng(event)];
      this.finish();
    } else this.corner(this.mode, latlng);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.mode) return;
    if (event.key === "Escape") this.stop();
    else if (event.key === "Enter" && document.activeElement === this.map.getContainer()) {
      event.preventDefault();
      this.corner(this.mode, this.map.getCenter());
    }
  }

  /**
   * @param {Mode} mode
   * @param {L.LatLng} latlng
   */
  corner(mode, latlng) {
    this.corners.push(latlng);
    this.outline(this.corners);
    const count = this.corners.length;
    const left = LEAST[mode] - count;
    hint(left > 0 ? `${count} set, ${left} more.` : `${count} corners set; add more, or Finish.`);
    if (mode === "rectangle" && count === 2) this.finish();
  }

  /** @param {L.LatLng[]} latlngs */
  outline(latlngs) {
    this.sketch.setLatLngs(this.ringOf(latlngs).map(([x, y]) => L.latLng(y, x))).addTo(this.map);
  }

  /**
   * @param {L.LatLng[]} latlngs
   * @returns {Place[]}
   */
  ringOf(latlngs) {
    if (this.mode !== "rectangle") return latlngs.map(({ lat, lng }) => [lng, lat]);
    const [from, to] = [latlngs[0], latlngs[latlngs.length - 1]];
    return rectangle(from.lng, from.lat, to.lng, to.lat);
  }

  finish() {
    if (!this.mode) return;
    if (this.corners.length < LEAST[this.mode]) {
      hint("Set at least three corners first.");
      return;
    }
    this.areas.addAll([{ name: this.areas.nextName(), rings: [this.ringOf(this.corners)] }]);
    this.stop();
  }
}

/** @param {string} words */
function hint(words) {
  element("hint").textContent = words;
}
