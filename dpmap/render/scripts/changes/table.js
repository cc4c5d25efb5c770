// @ts-check
/* The table of changes: the same numbers for whoever cannot see the map. */

/** @import { ChangesFacts, TableRow } from "../types.d.ts" */

import { element, make } from "../elements.js";
import { many, percent } from "../words.js";

/**
 * Writes the table; the name of each row moves the map to it.
 *
 * @param {L.Map} map
 * @param {ChangesFacts} facts
 */
export function writeTable(map, facts) {
  const { rows, left } = facts.table;
  element("rows").replaceChildren(...rows.map((row) => lineOf(map, row)));
  element("table").hidden = !rows.length;
  element("table-note").textContent = noteOf(facts, rows.length, left);
}

/**
 * @param {ChangesFacts} facts
 * @param {number} shown
 * @param {number} left
 */
function noteOf({ called, change, level }, shown, left) {
  if (!shown) return `Of none of the ${called} can a change be told; there may be some.`;
  const each = `Below each change stands its ${percent(level)} interval.`;
  const which = change.names
    ? `Every one of the ${called}.`
    : `The ${called} that are told to have changed, the largest change first.`;
  const rest = left ? ` ${many(left)} more are left out here; the layer (--to change.gpkg) has all.` : "";
  return `${which} ${each}${rest}`;
}

/**
 * @param {L.Map} map
 * @param {TableRow} row
 */
function lineOf(map, { name, box: [west, south, east, north], numbers, interval, finding }) {
  const line = make("tr");
  const head = make("th");
  head.scope = "row";
  const button = make("button", name);
  button.type = "button";
  button.addEventListener("click", () => {
    const around = L.latLngBounds([south, west], [north, east]).pad(2);
    map.fitBounds(around, { animate: false });
    map.getContainer().focus({ preventScroll: false });
  });
  head.append(button, make("span", finding, "dp-code"));
  const [before, after, change] = numbers.map((words) => make("td", words));
  change.append(make("span", interval, "dp-code"));
  line.append(head, before, after, change);
  return line;
}
