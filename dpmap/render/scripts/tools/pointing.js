// @ts-check
/* Pointing with a mouse, a finger, or the cross in the middle when the keyboard moves the map. */

/** @import { Cells, Ring } from "../types.d.ts" */

import { find, make } from "../elements.js";
import { outlined } from "./outlines.js";

/** Tells of what is pointed at: a cell, or the place it is in. */
export class Pointing {
  /**
   * @param {L.Map} map
   * @param {Cells} cells
   * @param {(cell: number) => { lines: string[][], outline: () => Ring[] }} tell gives lines of [words, class name of a style]
   */
  constructor(map, cells, tell) {
    this.map = map;
    this.cells = cells;
    this.tell = tell;
    this.tip = find(".dp-tip", HTMLElement);
    this.cross = find(".dp-cross", HTMLElement);
    this.mark = outlined([], "#111111");
    this.byKeyboard = false;
    /** While something is drawn, the mouse does not point. */
    this.paused = false;
    this.last = -1;
    this.listen();
  }

  listen() {
    const { map } = this;
    map.on("mousemove click", (event) => {
      const { latlng, containerPoint } = /** @type {L.LeafletMouseEvent} */ (event);
      this.point(latlng, containerPoint);
    });
    map.on("mouseout", () => this.hide());
    map.on("dragstart zoomstart", () => this.byKeyboard || this.hide());
    map.on("moveend", () => this.byKeyboard && this.pointAtCross());
    const box = map.getContainer();
    box.addEventListener("keydown", () => this.setKeyboard(true));
    box.addEventListener("pointerdown", () => this.setKeyboard(false));
    box.addEventListener("focus", () => box.matches(":focus-visible") && this.setKeyboard(true));
    box.addEventListener("blur", () => {
      this.setKeyboard(false);
      this.hide();
    });
  }

  /** Says again what it says, in the words of the layer that is shown now. */
  refresh() {
    if (!this.tip.hidden) this.write(this.last);
  }

  /**
   * @param {number} cell
   * @param {L.Point} at
   */
  show(cell, at) {
    this.write(cell);
    this.place(at);
  }

  /** @param {boolean} on */
  setKeyboard(on) {
    if (on === this.byKeyboard) return;
    this.byKeyboard = on;
    this.cross.classList.toggle("dp-on", on);
    if (on) this.pointAtCross();
  }

  pointAtCross() {
    const middle = this.map.getSize().divideBy(2);
    this.cross.style.left = `${middle.x - 11}px`;
    this.cross.style.top = `${middle.y - 11}px`;
    this.point(this.map.getCenter(), middle);
  }

  /**
   * @param {L.LatLng} latlng
   * @param {L.Point} at
   */
  point(latlng, at) {
    const silent = this.paused && !this.byKeyboard;
    const cell = silent ? -1 : this.cells.cellAt(latlng.lng, latlng.lat);
    if (cell < 0) {
      this.hide();
      return;
    }
    if (cell !== this.last) this.write(cell);
    this.place(at);
  }

  /** @param {number} cell */
  write(cell) {
    this.last = cell;
    const { lines, outline } = this.tell(cell);
    const made = lines.map(([words, style]) =>
      make(style === "value" ? "strong" : "div", words, style && `dp-${style}`),
    );
    this.tip.replaceChildren(...made);
    this.mark.move(outline().map((ring) => [ring.map(([x, y]) => [y, x])]));
    this.mark.group.addTo(this.map);
    this.tip.hidden = false;
  }

  /**
   * Beside the place, inside the map.
   *
   * @param {L.Point} at
   */
  place(at) {
    const { tip } = this;
    const size = this.map.getSize();
    const [right, bottom] = [size.x - tip.offsetWidth - 8, size.y - tip.offsetHeight - 8];
    const left = at.x + 18 > right ? at.x - tip.offsetWidth - 18 : at.x + 18;
    const top = at.y + 18 > bottom ? at.y - tip.offsetHeight - 18 : at.y + 18;
    tip.style.left = `${Math.max(8, Math.min(right, left))}px`;
    tip.style.top = `${Math.max(8, Math.min(bottom, top))}px`;
  }

  hide() {
    this.last = -1;
    this.tip.hidden = true;
    this.mark.group.remove();
  }
}
