// @ts-check
/* What is shown: both maps beside each other, or what changed. */

/** @import { Cells, ChangesFacts, Groups, Palette, SideFacts } from "../types.d.ts" */
/** @import { Rows } from "./rows.js" */

import { decode } from "../arrays.js";
import { CellLayer } from "../canvas.js";
import { groupsOf } from "../cells/regions.js";
import { element, find, inkOf } from "../elements.js";
import { dark, nearlyEmpty, unsure } from "../layers/ink.js";
import { writeLegend } from "../layers/legend.js";
import { Outlines } from "./outlines.js";

const NOTES = {
  both:
    "Both maps have the same classes. Two colours that differ prove nothing, since each map has noise of its own: " +
    "what is told to have changed has a dark outline.",
  change: "Grey hatched land may have changed or not: the noise of the two maps hides which.",
};

/** @typedef {keyof typeof NOTES} Mode */

/** Both maps, or the change; `onShow` is called after each choice. */
export class Shown {
  /**
   * @param {L.Map} map
   * @param {ChangesFacts} facts
   * @param {{ before: Cells, after: Cells, change: Cells }} cells
   * @param {Rows} rows
   */
  constructor(map, facts, cells, rows) {
    this.map = map;
    this.facts = facts;
    /** @type {(mode: Mode) => void} */
    this.onShow = () => {};
    /** @type {Mode} */
    this.mode = "both";
    this.before = sideOf(map, facts, cells.before, facts.before, 250);
    this.after = sideOf(map, facts, cells.after, facts.after, 251);
    const tints = rows.row.map((row) => rows.classes[row]);
    this.change = layerOf(map, facts, cells.change, { name: "change", tints, groups: rows.groups, order: 252 });
    this.pane = /** @type {HTMLElement} */ (map.getPane("after"));
    this.outlines = new Outlines(map, facts.change.outlined);
    for (const radio of document.querySelectorAll("#dp-modes input"))
      radio.addEventListener("change", () => this.choose(/** @type {Mode} */ (radio.getAttribute("value"))));
    dark.addEventListener("change", () => this.show());
  }

  /** What is chosen again, such as in other colours or at another size. */
  show() {
    this.choose(this.mode);
  }

  /** @param {Mode} mode */
  choose(mode) {
    this.mode = mode;
    find(`#dp-modes [value=${mode}]`, HTMLInputElement).checked = true;
    const [here, gone] =
      mode === "both" ? [[this.before, this.after], [this.change]] : [[this.change], [this.before, this.after]];
    const palette = mode === "both" ? mapPalette(this.facts) : changePalette(this.facts);
    for (const { layer } of gone) layer.remove();
    for (const { layer, tints, groups } of here) {
      layer.addTo(this.map);
      layer.paint(tints, palette, groups);
    }
    writeLegend(mode === "both" ? mapRows(this.facts) : changeRows(this.facts), palette);
    element("legend-title").textContent = mode === "both" ? "Both maps" : "Change";
    element("explain").textContent = NOTES[mode];
    this.outlines.show(mode === "change");
    this.onShow(mode);
  }
}

/**
 * @param {L.Map} map
 * @param {ChangesFacts} facts
 * @param {Cells} cells
 * @param {SideFacts} side
 * @param {number} order
 */
function sideOf(map, facts, cells, side, order) {
  const classes = decode(side.classes);
  const place = decode(side.place);
  const tints = Uint8Array.from(place, (one) => classes[one]);
  const groups = { ...groupsOf(place, classes.length, side.outlines), alike: true };
  return layerOf(map, facts, cells, { name: order === 250 ? "before" : "after", tints, groups, order });
}

/**
 * @param {L.Map} map
 * @param {ChangesFacts} facts
 * @param {Cells} cells
 * @param {{ name: string, tints: Uint8Array | Int32Array, groups: Groups, order: number }} drawn
 */
function layerOf(map, facts, cells, { name, tints, groups, order }) {
  map.createPane(name).style.zIndex = String(order);
  const layer = new CellLayer({ cells: tints.length, context: facts.context, tiles: null }, cells, name);
  return { layer, tints: Uint8Array.from(tints), groups };
}

/**
 * @param {{ colours: string[], dark_colours: string[] }} facts
 * @returns {Palette}
 */
const ramp = ({ colours, dark_colours }) => (dark.matches ? dark_colours : colours).map((fill) => ({ fill }));

/** @param {ChangesFacts} facts */
const mapPalette = ({ classes }) => [...ramp(classes), unsure(), nearlyEmpty()];

/**
 * The classes, not told, not compared, and the classes again for clusters that are told only as a whole.
 *
 * @param {ChangesFacts} facts
 * @returns {Palette}
 */
function changePalette({ change }) {
  const told = ramp(change);
  const whole = told.map(({ fill }) => ({ fill, hatch: inkOf("--block"), quiet: true, even: true }));
  return [...told, unsure(), { fill: "transparent", quiet: true, even: true }, ...whole];
}

/**
 * @param {ChangesFacts} facts
 * @returns {[number | null, string][]}
 */
function mapRows({ classes, before, after }) {
  const many = classes.colours.length;
  /** @type {[number | null, string][]} */
  const rows = classes.labels.map((words, at) => [at, words]);
  rows.reverse();
  if (before.empty || after.empty) rows.push([many + 1, "told to be nearly empty"]);
  if (before.unsure || after.unsure) rows.push([many, "not distinguishable from none"]);
  return [[null, classes.units], ...rows];
}

/**
 * From the most to the fewest, with the grey in the middle.
 *
 * @param {ChangesFacts} facts
 * @returns {[number | null, string][]}
 */
function changeRows({ change }) {
  const many = change.colours.length;
  /** @type {[number | null, string][]} */
  const rows = change.labels.map((words, at) => [at, words]);
  rows.reverse().splice(many / 2, 0, [many, change.untold]);
  if (change.whole) rows.push(change.whole);
  if (change.apart) rows.push([many + 1, "not compared"]);
  return [[null, change.heading], ...rows];
}
