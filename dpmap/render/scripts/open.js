// @ts-check
/* The page of one layer, and the way from one layer to another. */

/** @import { Facts } from "./types.d.ts" */

import { CellLayer } from "./canvas.js";
import { inflateAll } from "./arrays.js";
import { cellsOf } from "./cells/cells.js";
import { regionsOf } from "./cells/regions.js";
import { element, find, make } from "./elements.js";
import { factsOf } from "./facts.js";
import { whenFilled } from "./filled.js";
import { addTiles, emptyMap, limitZoom } from "./ground.js";
import { Shown } from "./layers/shown.js";
import { endLife, whileOpen } from "./life.js";
import { hotSpotsOf } from "./reading/hot.js";
import { placeSearch } from "./places/search.js";
import { placesOf } from "./reading/places.js";
import { readingOf } from "./reading/reading.js";
import { switches } from "./switches.js";
import { Areas } from "./tools/areas.js";
import { typing } from "./tools/corners.js";
import { Drawing } from "./tools/drawing.js";
import { downloads } from "./tools/downloads.js";
import { files } from "./tools/files.js";
import { askedBy, hashOf } from "./tools/link.js";
import { Pointing } from "./tools/pointing.js";
import { printing } from "./tools/printing.js";
import { tables } from "./tools/tables.js";
import { percent } from "./words.js";

/**
 * What stays when the page turns to another layer.
 *
 * @typedef {import("./tools/link.js").Asked} Before
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
export function open(name, layer, before) {
  const asked = before ?? askedBy(location.hash) ?? {};
  const { first = 0, axes = [] } = factsOf(name, 0);
  const count = axes.reduce((product, { names }) => product * names.length, 1);
  const wanted = layer ?? asked.layer ?? first;
  return openLayer(name, wanted < count ? wanted : first, asked);
}

/**
 * @param {string} name
 * @param {number} layer
 * @param {Before} before
 */
function openLayer(name, layer, before) {
  const facts = factsOf(name, layer);
  blank ??= find(".dp-page", HTMLElement).cloneNode(true);
  if (facts.axes) {
    switches(facts.axes, layer, (next, control) => changeTo(name, next, control));
  }
  writeWords(facts);
  const map = emptyMap(name, facts);
  if (facts.tiles) addTiles(map, facts.tiles);
  whenFilled(fillPage(map, facts, before), (page) => {
    opened = page;
    keepInAddress(name, layer, page);
  });
  return map;
}

/** @param {Facts} facts */
function writeWords(facts) {
  element("title").textContent = facts.title;
  element("subtitle").textContent = `${facts.noun}, capped; ${percent(facts.level)} intervals throughout`;
  element("provenance").textContent = facts.provenance;
  element("capped").textContent = facts.capped;
  for (const [term, words] of facts.about) element("facts").append(make("dt", term), make("dd", words));
}

/**
 * Cells, layers and tools.
 *
 * @param {L.Map} map
 * @param {Facts} facts
 * @param {Before} before
 */
async function fillPage(map, facts, { view, drawn = [], show, index, limit }) {
  await inflateAll({ ...facts, context: null });
  const regions = regionsOf(facts);
  const cells = await cellsOf(facts);
  const reading = readingOf(facts, regions);
  const [places, hot] = [placesOf(facts, reading), hotSpotsOf(facts)];
  const known = { facts, cells, regions, reading, places, hot };
  limitZoom(map, facts, reading.areaOf);
  if (view) map.setView(...view, { animate: false });
  const layer = new CellLayer(facts, cells).addTo(map);
  const shown = new Shown(known, layer);
  if (show) shown.choose(show, index, limit);
  const pointing = new Pointing(map, cells, (cell) => shown.told(cell));
  const areas = new Areas(map, known);
  document.documentElement.classList.toggle("dp-is-local", facts.local);
  for (const zone of drawn) areas.add(zone);
  new Drawing(map, areas, pointing);
  typing(areas);
  files(areas);
  tables(map, known, pointing);
  placeSearch(map, facts, cells, (at) => pointing.point(at, map.latLngToContainerPoint(at)));
  printing(map, facts, shown);
  downloads(known, { map, layer, shown, areas, facts });
  return { ...known, map, layer, pointing, areas, shown };
}

/**
 * Keeps what is shown in the page's address, and follows an address that is put there.
 *
 * @param {string} name
 * @param {number} layer
 * @param {Page} page
 */
function keepInAddress(name, layer, page) {
  const { map, shown, areas, pointing } = page;
  let waiting = 0;
  const write = () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      try {
        if (opened === page) history.replaceState(null, "", hashOf({ ...stateOf(page), layer }));
      } catch {
        /* a page within another has no address of its own */
      }
    }, 200);
  };
  map.on("moveend", write);
  shown.onShow = () => {
    pointing.refresh();
    write();
  };
  areas.onChange = write;
  const follow = () => {
    const asked = askedBy(location.hash);
    if (asked) changeTo(name, asked.layer ?? layer, "", asked);
  };
  window.addEventListener("hashchange", follow, whileOpen());
}

/**
 * What is shown now.
 *
 * @param {Page} page
 * @returns {Required<Before>}
 */
function stateOf({ map, shown, areas }) {
  const { lat, lng } = map.getCenter();
  const index = Number(shown.slider.value);
  return {
    view: [[lat, lng], map.getZoom()],
    show: [shown.by, shown.current],
    index,
    limit: shown.limit.density,
    layer: 0,
    drawn: [...areas.drawn],
  };
}

/**
 * The same page for another layer: the view stays, what is shown of it, and the areas that were drawn; or all as asked.
 *
 * @param {string} name
 * @param {number} layer
 * @param {string} control to have the focus
 * @param {Before} [asked]
 */
function changeTo(name, layer, control, asked) {
  if (!opened || !blank) return;
  const before = asked ?? stateOf(opened);
  const { map } = opened;
  endLife();
  opened = null;
  map.remove();
  delete document.documentElement.dataset.ready;
  find(".dp-page", HTMLElement).replaceWith(blank.cloneNode(true));
  open(name, layer, before);
  document.getElementById(control)?.focus();
}
