// @ts-check
/* On paper: light colours, the whole map in the paper's width, facts unfolded. */

/** @import { Geometry } from "../types.d.ts" */

import { details } from "../elements.js";
import { whileOpen } from "../life.js";

/**
 * Makes the page ready for paper, and puts it back.
 *
 * @param {L.Map} map
 * @param {{ geometry: Geometry }} facts
 * @param {{ show: () => void }} shown
 */
export function printing(map, facts, shown) {
  const about = details("about");
  const paper = window.matchMedia("print");
  /** @type {[L.LatLng, number] | null} */
  let before = null;
  const remember = () => {
    about.dataset.was = about.open ? "open" : "";
  };
  const unfold = () => {
    remember();
    about.open = true;
  };
  const turn = () => {
    if (paper.matches && !("was" in about.dataset)) remember();
    about.open = paper.matches || about.dataset.was === "open";
    /** @type {[L.LatLng, number]} */
    const view = [map.getCenter(), map.getZoom()];
    map.invalidateSize({ animate: false, pan: false });
    if (paper.matches) {
      before = view;
      map.fitBounds(facts.geometry.bounds, { animate: false, padding: [8, 8] });
    } else {
      delete about.dataset.was;
      if (before) map.setView(...before, { animate: false });
    }
    shown.show();
  };
  window.addEventListener("beforeprint", unfold, whileOpen());
  paper.addEventListener("change", turn, whileOpen());
}
