// @ts-check
/* Project areas and their answers. */

/** @import { Known, Total, Zone } from "../types.d.ts" */

import { button, element, make } from "../elements.js";
import { counted, groundText, numberText, percent, range } from "../words.js";
import { zonesOf } from "../zones/zones.js";
import { AreaTable } from "./areatable.js";
import { labelled, outlined } from "./outlines.js";

/** The lines of areas that surely hold something, and of those that may hold none. */
const [TOLD, UNTOLD] = ["#0b5cad", "#6b7280"];
/** With more areas than these, the list alone names them. */
const MOST_LABELS = 12;

/** The list of project areas. */
export class Areas {
  /**
   * @param {L.Map} map
   * @param {Known} known
   */
  constructor(map, known) {
    this.map = map;
    this.facts = known.facts;
    this.zones = zonesOf(known);
    this.shapes = L.layerGroup().addTo(map);
    /** @type {Zone[]} */
    this.drawn = [];
    /** @type {(Zone & { answer: string })[]} */
    this.shown = [];
    this.onChange = () => {};
    this.drawnSoFar = 0;
    this.answers = element("answers");
    /** @type {L.Tooltip[]} */
    this.labels = [];
    this.many = new AreaTable(map, known.facts, this.answers);
    this.note = element("answers-note");
    this.clearing = button("clear");
    this.clearing.addEventListener("click", () => this.clear());
  }

  nextName() {
    this.drawnSoFar += 1;
    return `Drawn area ${this.drawnSoFar}`;
  }

  clear() {
    this.drawn.length = this.shown.length = 0;
    this.onChange();
    this.shapes.clearLayers();
    this.answers.replaceChildren();
    this.labels.length = 0;
    this.many.clear();
    this.note.hidden = this.clearing.disabled = true;
    complain("");
  }

  /**
   * Draws and answers one; gives its outline.
   *
   * @param {Zone} zone
   */
  add({ name, rings }) {
    this.drawn.push({ name, rings });
    const total = this.zones.total(rings);
    const isTold = Boolean(total.found && total.found.low > 0);
    const shape = outlined(
      rings.map((ring) => ring.map(([x, y]) => [y, x])),
      isTold ? TOLD : UNTOLD,
    );
    shape.group.addTo(this.shapes);
    const row = make("li");
    row.append(make("span", name, "dp-name"), ...this.words(total));
    this.answers.append(row);
    const answer = answerIn(row);
    this.shown.push({ name, rings, answer });
    const bounds = shape.group.getBounds();
    this.many.add({ name, total, isTold, bounds });
    const label = labelled(bounds, name, answer);
    this.labels.push(label);
    if (this.shown.length <= MOST_LABELS) label.addTo(this.shapes);
    else for (const other of this.labels) other.remove();
    this.onChange();
    this.note.hidden = this.clearing.disabled = false;
    this.note.textContent = this.caveat();
    return shape.group;
  }

  /**
   * The same for several, and moves the map to where all are seen.
   *
   * @param {Zone[]} zones
   */
  addAll(zones) {
    complain("");
    const outlines = zones.map((zone) => this.add(zone));
    const inside = L.latLngBounds(this.facts.geometry.bounds);
    const all = outlines.reduce((bounds, shape) => bounds.extend(shape.getBounds()), L.latLngBounds([]));
    if (outlines.length && inside.intersects(all) && !this.map.getBounds().contains(all)) {
      this.map.fitBounds(all, { padding: [24, 24], animate: false });
    }
  }

  /** Each area with its answer in one line. */
  labelled() {
    return this.shown;
  }

  caveat() {
    const { noun, level, geometry } = this.facts;
    const exact = geometry.image ? " Cells are known to this page to a sixth of their width: dpmap ask is exact." : "";
    return (
      `Capped totals of ${noun}, each with its own ${percent(level)} interval, which holds for areas ` +
      "drawn without looking at the map. Cells that the edge cuts count by the share inside. At least and at most: the same " +
      `from the last noise alone, with none or all of each cell that is cut.${exact}`
    );
  }

  /** @param {Total} total */
  words({ within, cut, km2, note, found }) {
    const notes = note ? [make("div", note, "dp-quiet")] : [];
    if (!found) return notes;
    const crossed = cut ? `, ${counted(cut, "cell")} cut by its edge` : "";
    const wider = found.least < found.low || found.most > found.high;
    const ground = `${numberText(km2)} km\u00b2, about ${groundText(this.facts, found.perKm2)}`;
    return [
      make("strong", `about ${numberText(found.estimate)}`),
      make("div", `${percent(this.facts.level)} interval ${range(found.low, found.high)}`),
      ...(wider
        ? [make("div", `at least ${numberText(found.least)}, at most ${numberText(found.most)}`, "dp-quiet")]
        : []),
      ...notes,
      make(
        "div",
        `${within ? `${counted(within, "cell")} wholly inside` : "no cell wholly inside"}${crossed}; ${ground}`,
        "dp-quiet",
      ),
    ];
  }
}

/**
 * What is wrong with what was drawn, typed or dropped; nothing, if nothing is.
 *
 * @param {string} words
 */
export function complain(words) {
  element("problem").textContent = words;
}

/**
 * The answer of a row in one line: the number and its interval, or why there is none.
 *
 * @param {HTMLElement} row
 */
function answerIn(row) {
  const number = row.querySelector("strong");
  const words = number ? [number, number.nextElementSibling] : [row.querySelector("div")];
  return words.map((part) => part?.textContent ?? "").join(", ");
}
