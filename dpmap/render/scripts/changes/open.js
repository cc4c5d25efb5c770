// @ts-check
/* The page of a comparison: two maps that lie over each other, and what changed. */

/** @import { ChangesFacts } from "../types.d.ts" */

import { decode, inflateAll } from "../arrays.js";
import { cellsOf } from "../cells/cells.js";
import { element } from "../elements.js";
import { whenFilled } from "../filled.js";
import { emptyMap, limitZoom } from "../ground.js";
import { placeSearch } from "../places/search.js";
import { Pointing } from "../tools/pointing.js";
import { printing } from "../tools/printing.js";
import { Divider } from "./divider.js";
import { describeRow, rowsOf } from "./rows.js";
import { Shown } from "./shown.js";
import { writeTable } from "./table.js";

/** @typedef {Awaited<ReturnType<typeof fillPage>>} Page */

/**
 * The page that is open, once its cells are drawn.
 *
 * @type {Page | null}
 */
let opened = null;

export const openedPage = () => opened;

/**
 * Fills the page from its facts and returns the Leaflet map at once; the cells follow as soon as they are unpacked.
 *
 * @param {string} name of the map
 */
export function open(name) {
  /** @type {ChangesFacts} */
  const facts = JSON.parse(document.getElementById(`${name}_facts`)?.textContent ?? "{}");
  writeWords(facts);
  const map = emptyMap(name, facts);
  map.attributionControl?.remove();
  whenFilled(fillPage(map, facts), (page) => (opened = page));
  return map;
}

/** @param {ChangesFacts} facts */
function writeWords(facts) {
  element("title").textContent = facts.title;
  element("subtitle").textContent = `${facts.counted}.`;
  element("provenance").textContent = facts.provenance;
  element("capped").textContent = facts.capped;
  element("name-before").textContent = `Before: ${facts.before.title}`;
  element("name-after").textContent = `After: ${facts.after.title}`;
  for (const words of facts.words) {
    const line = document.createElement("li");
    line.textContent = `${words[0].toUpperCase()}${words.slice(1)}.`;
    element("rules").append(line);
  }
}

/**
 * Both maps, what changed, and what tells of it.
 *
 * @param {L.Map} map
 * @param {ChangesFacts} facts
 */
async function fillPage(map, facts) {
  await inflateAll({ ...facts, context: null });
  const counts = [facts.before, facts.after].map(({ place }) => decode(place).length);
  const rows = rowsOf(facts);
  const after = await cellsOf({ geometry: facts.geometry, cells: counts[1] });
  const before = facts.before_geometry && (await cellsOf({ geometry: facts.before_geometry, cells: counts[0] }));
  const zones = facts.change.zones && (await cellsOf({ geometry: facts.change.zones, cells: rows.count }));
  const cells = { before: before ?? after, after, change: zones ?? after };
  limitZoom(map, { cells: counts[1], geometry: facts.geometry }, () => facts.context.side ** 2);
  const shown = new Shown(map, facts, cells, rows);
  const divider = new Divider(map, facts, shown.pane);
  const pointing = new Pointing(map, cells.change, (cell) => describeRow(facts, rows, cells.change, cell));
  shown.onShow = (mode) => {
    divider.show(mode === "both");
    pointing.refresh();
  };
  shown.choose("both");
  writeTable(map, facts);
  placeSearch(map, facts, cells.after);
  printing(map, facts, shown);
  return { facts, map, cells, rows, shown, divider, pointing };
}
