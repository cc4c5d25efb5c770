// @ts-check
/* The map's numbers for those who read rather than look. */

/** @import { Known, Places } from "../types.d.ts" */
/** @import { Pointing } from "./pointing.js" */

import { element, make } from "../elements.js";
import {
  cellName,
  codeOf,
  counted,
  hotName,
  many,
  middleOf,
  numberText,
  percent,
  nameOfPlace,
  range,
} from "../words.js";

const MOST_ROWS = 50;

/** @typedef {(some: ArrayLike<number>, first: number) => void} GoTo */

/**
 * The table of strongest cells, and that of hot spots.
 *
 * @param {L.Map} map
 * @param {Known} known
 * @param {Pointing} pointing
 */
export function tables(map, known, pointing) {
  /** @type {GoTo} */
  const goTo = (some, first) => showCells(map, known, pointing, some, first);
  element("interval-head").textContent = `${percent(known.facts.level)} interval`;
  element("strongest-table").hidden = true;
  if (known.places) strongestPlaces(known, known.places, goTo);
  else strongestCells(known, goTo);
  hotSpots(known, goTo);
}

/**
 * The strongest places, whose intervals hold as chosen.
 *
 * @param {Known} known
 * @param {Places} places
 * @param {GoTo} goTo
 */
function strongestPlaces(known, places, goTo) {
  const { facts } = known;
  const { low, high, estimate, sizes, told } = places;
  const ranked = Array.from(sizes.keys()).filter(
    (place) => told[place] && low[place] > 0 && !places.nearlyEmpty(place),
  );
  ranked.sort((a, b) => low[b] / sizes[b] - low[a] / sizes[a] || estimate[b] / sizes[b] - estimate[a] / sizes[a]);
  const shown = ranked.slice(0, MOST_ROWS);
  element("strongest-title").textContent = "Strongest places as a table";
  element("strongest-caption").textContent = facts.units;
  element("strongest-what").textContent = "Place";
  element("strongest-note").textContent = ranked.length
    ? `The ${counted(shown.length, "place")} with the highest lower ends, of ${many(ranked.length)} that surely hold something. The ` +
      "intervals were rehearsed for places that are chosen like this. Choose one to see it on the map."
    : "No place surely holds something. That does not mean that there is nothing.";
  for (const place of shown) {
    const numbers = [estimate[place], low[place], high[place]].map(
      (total) => (total / sizes[place]) * facts.unit.square_km,
    );
    const members = places.membersOf(place);
    const name = nameOfPlace(known, places, place);
    const several = members.length > 1;
    const words = several ? `${name} (${counted(members.length, "cell")})` : name;
    const go = () => goTo(members, middleOf(known, places, place));
    addStrongest(tableRow(words, numbers, go, several ? "" : codeOf(facts, members[0])));
  }
}

/**
 * The strongest cells, where there are no places.
 *
 * @param {Known} known
 * @param {GoTo} goTo
 */
function strongestCells(known, goTo) {
  const { facts, reading } = known;
  const ranked = [];
  for (let cell = 0; cell < facts.cells; cell++) if (reading.sure[cell]) ranked.push(cell);
  ranked.sort((a, b) => reading.low(b) - reading.low(a) || reading.estimate(b) - reading.estimate(a));
  const shown = ranked.slice(0, MOST_ROWS);
  element("strongest-note").textContent = ranked.length
    ? `The ${counted(shown.length, "cell")} with the highest lower ends, of ${many(ranked.length)} that surely hold something. Each interval ` +
      "holds for its cell by itself, and less often for the few that look strongest. Choose one to see it on the map."
    : "No cell surely holds something. That does not mean that there is nothing.";
  for (const cell of shown) {
    const numbers = [reading.estimate(cell), reading.low(cell), reading.high(cell)];
    const go = () => goTo([cell], cell);
    addStrongest(tableRow(cellName(known, cell), numbers, go, codeOf(facts, cell)));
  }
}

/**
 * @param {Known} known
 * @param {GoTo} goTo
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
  element("hot-table").hidden = !hot.members.length;
  hot.members.slice(0, MOST_ROWS).forEach((members, cluster) => {
    element("hot-rows").append(tableRow(hotName(known, cluster), hot.totals[cluster], () => goTo(members, members[0])));
  });
}

/** @param {HTMLElement} row */
function addStrongest(row) {
  element("strongest-table").hidden = false;
  element("strongest-rows").append(row);
}

/**
 * A row: a button that shows something on the map, with a cell's code to be copied below it, an estimate, an interval.
 *
 * @param {string} name
 * @param {number[]} numbers
 * @param {() => void} goThere
 * @param {string} [code]
 */
function tableRow(name, [estimate, low, high], goThere, code) {
  const made = make("tr");
  const head = make("th");
  head.scope = "row";
  const link = make("button", name);
  link.type = "button";
  link.addEventListener("click", goThere);
  head.append(link, ...(code ? [make("span", code, "dp-code")] : []));
  made.append(head, make("td", numberText(estimate)), make("td", range(low, high)));
  return made;
}

/**
 * Shows cells in the middle of the map, with the words for the first.
 *
 * @param {L.Map} map
 * @param {Known} known
 * @param {Pointing} pointing
 * @param {ArrayLike<number>} some
 * @param {number} first
 */
function showCells(map, { cells }, pointing, some, first) {
  const places = cells.outlineOf(some).flat();
  const centre = cells.centre(first);
  const bounds = L.latLngBounds(places.length ? places.map(([x, y]) => L.latLng(y, x)) : [L.latLng(centre)]);
  const zoom = Math.max(map.getZoom(), Math.min(16, map.getBoundsZoom(bounds.pad(some.length > 1 ? 2 : 8))));
  map.setView(bounds.getCenter(), zoom, { animate: false });
  pointing.show(first, map.latLngToContainerPoint(centre));
}
