// @ts-check
/* The map's numbers for those who read rather than look. */

/** @import { Known } from "../types.d.ts" */
/** @import { Pointing } from "./pointing.js" */

import { latLngs } from "../cells/world.js";
import { element, make } from "../elements.js";
import { cellName, hotName, many, numberText, percent, range } from "../words.js";

const MOST_ROWS = 50;

/**
 * The table of strongest cells, and that of hot spots.
 *
 * @param {L.Map} map
 * @param {Known} known
 * @param {Pointing} pointing
 */
export function tables(map, known, pointing) {
  /** @param {number[]} some */
  const goTo = (some) => showCells(map, known, pointing, some);
  strongest(known, goTo);
  hotSpots(known, goTo);
}

/**
 * @param {Known} known
 * @param {(cells: number[]) => void} goTo
 */
function strongest(known, goTo) {
  const { facts, reading } = known;
  const ranked = [];
  for (let cell = 0; cell < facts.cells; cell++) if (reading.sure[cell]) ranked.push(cell);
  ranked.sort((a, b) => reading.low(b) - reading.low(a) || reading.estimate(b) - reading.estimate(a));
  const shown = ranked.slice(0, MOST_ROWS);
  element("interval-head").textContent = `${percent(facts.level)} interval`;
  element("strongest-note").textContent = ranked.length
    ? `The ${shown.length} highest lower bounds among the ${many(ranked.length)} cells that stand out from noise. ` +
      "Choose a cell to see it on the map."
    : "No cell stands out from noise. That does not mean that there is nothing.";
  for (const cell of shown) {
    const numbers = [reading.estimate(cell), reading.low(cell), reading.high(cell)];
    element("strongest-rows").append(tableRow(cellName(known, cell), numbers, () => goTo([cell])));
  }
}

/**
 * @param {Known} known
 * @param {(cells: number[]) => void} goTo
 */
function hotSpots(known, goTo) {
  const { facts, hot } = known;
  element("hot").hidden = !facts.hot;
  if (!facts.hot) return;
  element("hot-interval").textContent = `${percent(facts.hot.level)} interval`;
  element("hot-note").textContent = hot.members.length
    ? "Cells denser than their surroundings, joined where they touch. These intervals hold although the areas were chosen by " +
      "looking at the map, and are wider for that."
    : "No cell is shown to be denser than its surroundings. That does not mean that there is no dense place.";
  hot.members.slice(0, MOST_ROWS).forEach((members, cluster) => {
    element("hot-rows").append(tableRow(hotName(known, cluster), hot.totals[cluster], () => goTo(members)));
  });
}

/**
 * A row: a button that shows something on the map, an estimate, an interval.
 *
 * @param {string} name
 * @param {number[]} numbers
 * @param {() => void} goThere
 */
function tableRow(name, [estimate, low, high], goThere) {
  const made = make("tr");
  const head = make("th");
  head.scope = "row";
  const link = make("button", name);
  link.type = "button";
  link.addEventListener("click", goThere);
  head.append(link);
  made.append(head, make("td", numberText(estimate)), make("td", range(low, high)));
  return made;
}

/**
 * Shows cells in the middle of the map, with the words for the first.
 *
 * @param {L.Map} map
 * @param {Known} known
 * @param {Pointing} pointing
 * @param {number[]} some
 */
function showCells(map, { cells }, pointing, some) {
  const places = some.flatMap((cell) => cells.outline(cell)).flatMap(latLngs);
  const centre = cells.centre(some[0]);
  const bounds = L.latLngBounds(places.length ? places : [centre]);
  const zoom = Math.max(map.getZoom(), Math.min(16, map.getBoundsZoom(bounds.pad(some.length > 1 ? 2 : 8))));
  map.setView(bounds.getCenter(), zoom, { animate: false });
  pointing.show(some[0], map.latLngToContainerPoint(centre));
}
