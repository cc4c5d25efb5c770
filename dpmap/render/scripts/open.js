// @ts-check
/* The page of one layer, and the way from one layer to another. */

/** @import { Facts, Zone } from "./types.d.ts" */

import { CellLayer } from "./canvas.js";
import { cellsOf } from "./cells/cells.js";
import { regionsOf } from "./cells/regions.js";
import { element, find, make } from "./elements.js";
import { factsOf } from "./facts.js";
import { addTiles, emptyMap } from "./ground.js";
import { Shown } from "./layers/shown.js";
import { endLife } from "./life.js";
import { hotSpotsOf } from "./reading/hot.js";
import { placeSearch } from "./places/search.js";
import { readingOf } from "./reading/reading.js";
import { switches } from "./switches.js";
import { Areas } from "./tools/areas.js";
import { typing } from "./tools/corners.js";
import { Drawing } from "./tools/drawing.js";
import { files } from "./tools/files.js";
import { Pointing } from "./tools/pointing.js";
import { printing } from "./tools/printing.js";
import { tables } from "./tools/tables.js";
import { describe, percent } from "./words.js";

/**
 * What stays when the page turns to another layer.
 *
 * @typedef {{ view?: [L.LatLng, number], drawn?: Zone[] }} Before
 * @typedef {Awaited<ReturnType<typeof fillPage>>} Page
 */

/**
 * The page that is open, once its cells are drawn.
 *
 * @type {Page | null}
 */
let opened = null;

/**
 * The page as it was before anything was written on it.
 *
 * @type {Node | null}
 */
let blank = null;

export const openedPage = () => opened;

/**
 * Fills the page from its facts and returns the Leaflet map at once; the cells follow as soon as they are unpacked.
 *
 * @param {string} name of the map
 * @param {number} [layer]
 * @param {Before} [before]
 */
export function open(name, layer = 0, before = {}) {
  const facts = factsOf(name, layer);
  if (facts.axes) {
    blank ??= find(".dp-page", HTMLElement).cloneNode(true);
    switches(facts.axes, layer, (next, control) => changeTo(name, next, control));
  }
  writeWords(facts);
  const map = emptyMap(name, facts);
  if (before.view) map.setView(...before.view, { animate: false });
  if (facts.tiles) addTiles(map, facts.tiles);
  fillPage(map, facts, before.drawn ?? []).then(
    (page) => {
      opened = page;
      document.documentElement.dataset.ready = "yes";
    },
    (error) => {
      element("problem").textContent = `This browser cannot show the cells: ${error.message}`;
      throw error;
    },
  );
  return map;
}

/** @param {Facts} facts */
function writeWords(facts) {
  element("title").textContent = facts.title;
  element("subtitle").textContent = `${facts.noun}, capped; ${percent(facts.level)} intervals throughout`;
  element("provenance").textContent = facts.provenance;
  for (const [term, words] of facts.about) element("facts").append(make("dt", term), make("dd", words));
}

/**
 * Cells, layers and tools.
 *
 * @param {L.Map} map
 * @param {Facts} facts
 * @param {Zone[]} drawn
 */
async function fillPage(map, facts, drawn) {
  const regions = regionsOf(facts);
  const cells = await cellsOf(facts, regions);
  const known = { facts, cells, regions, reading: readingOf(facts, regions), hot: hotSpotsOf(facts) };
  const layer = new CellLayer(facts, cells).addTo(map);
  const shown = new Shown(known, layer);
  const pointing = new Pointing(map, cells, (cell) => describe(known, cell, shown.threshold()));
  shown.onShow = () => pointing.refresh();
  const areas = new Areas(map, known);
  document.documentElement.classList.toggle("dp-is-local", facts.local);
  for (const zone of drawn) areas.add(zone);
  new Drawing(map, areas, pointing);
  typing(areas);
  files(areas);
  tables(map, known, pointing);
  placeSearch(map, facts);
  printing(map, facts, shown);
  return { ...known, map, layer, pointing, areas };
}

/**
 * The same page for another layer: the view stays, and so do the areas that were drawn.
 *
 * @param {string} name
 * @param {number} layer
 * @param {string} control to have the focus
 */
function changeTo(name, layer, control) {
  if (!opened || !blank) return;
  const { map, areas } = opened;
  /** @type {Before} */
  const before = { view: [map.getCenter(), map.getZoom()], drawn: [...areas.drawn] };
  endLife();
  opened = null;
  map.remove();
  delete document.documentElement.dataset.ready;
  find(".dp-page", HTMLElement).replaceWith(blank.cloneNode(true));
  open(name, layer, before);
  document.getElementById(control)?.focus();
}
