// @ts-check
/* Lines around what is told to have changed, and the words for the largest of it. */

/** @import { OutlinedFacts } from "../types.d.ts" */

import { labelled, outlined } from "../tools/outlines.js";

/** The room that words take, in pixels. */
const [WIDE, HIGH] = [130, 50];

/** Outlines are always there; words are shown with the change, as many as do not overlap. */
export class Outlines {
  /**
   * @param {L.Map} map
   * @param {OutlinedFacts[]} told the largest change first
   */
  constructor(map, told) {
    this.map = map;
    this.worded = false;
    const rings = told.map((one) => one.rings.map((ring) => ring.map(([x, y]) => L.latLng(y, x))));
    const weight = told.length > 200 ? 0.6 : told.length > 40 ? 1.5 : 2.5;
    L.featureGroup(rings.map((one) => outlined(one, "#111111", weight).group)).addTo(map);
    this.labels = told.flatMap(({ named, change, interval }, at) => {
      const bounds = L.latLngBounds(rings[at].flat());
      return named ? [{ label: labelled(bounds, change, interval), bounds }] : [];
    });
    map.on("zoomend", () => this.show(this.worded));
  }

  /** @param {boolean} worded */
  show(worded) {
    this.worded = worded;
    /** @type {L.Point[]} */
    const placed = [];
    for (const { label, bounds } of this.labels) {
      const at = this.map.latLngToLayerPoint([bounds.getNorth(), bounds.getCenter().lng]);
      const free = placed.every((one) => Math.abs(one.x - at.x) > WIDE || Math.abs(one.y - at.y) > HIGH);
      if (worded && free) {
        placed.push(at);
        label.addTo(this.map);
      } else label.remove();
    }
  }
}
