// @ts-check
/* The rows that were compared: cells, regions or zones, each with its change. */

/** @import { Cells, ChangesFacts, Groups, Ring } from "../types.d.ts" */

import { bits, decode } from "../arrays.js";
import { groupsOf, outlineOf } from "../cells/regions.js";
import { placeName } from "../places/names.js";
import { counted, numberText, percent } from "../words.js";

/** @typedef {ReturnType<typeof rowsOf>} Rows */

/**
 * Each row's numbers and class, and the cells that it has; a cell of no row is in a last one, of nothing.
 *
 * @param {ChangesFacts} facts
 */
export function rowsOf({ change }) {
  const [before, after, difference, low, high] = [
    change.before,
    change.after,
    change.change,
    change.low,
    change.high,
  ].map((packed) => decode(packed));
  const count = before.length;
  const row = decode(change.row).map((one) => (one < 0 ? count : one));
  const none = change.colours.length + 1;
  const classes = Uint8Array.from([...decode(change.classes), none]);
  /** @type {Groups} */
  const groups = { ...groupsOf(row, count + 1, null), alike: true };
  return { count, before, after, change: difference, low, high, told: bits(change.told, count), row, classes, groups };
}

/**
 * A change with its sign.
 *
 * @param {number} value
 */
export const signed = (value) => `${value > 0 ? "+" : value < 0 ? "\u2212" : ""}${numberText(Math.abs(value))}`;

/**
 * What is told of the row that a cell is in, as lines of [words, class name of a style], and its outline.
 *
 * @param {ChangesFacts} facts
 * @param {Rows} rows
 * @param {Cells} cells
 * @param {number} cell
 */
export function describeRow(facts, rows, cells, cell) {
  const row = rows.row[cell];
  const lines = row < rows.count ? linesOf(facts, rows, row) : [["not compared", "value"]];
  const { names } = facts.change;
  const [latitude, longitude] = cells.centre(cell);
  const name = names && row < rows.count ? names[row] : placeName(facts, longitude, latitude);
  return {
    lines: [[name, "name"], ...lines],
    /** @type {() => Ring[]} */
    outline: () => (row < rows.count ? outlineOf(cells, rows.groups, row) : cells.outlineOf([cell])),
  };
}

/**
 * @param {ChangesFacts} facts
 * @param {Rows} rows
 * @param {number} row
 */
function linesOf(facts, rows, row) {
  const [change, size] = [rows.change[row], rows.groups.membersOf(row).length];
  if (Number.isNaN(change)) return [["not compared", "value"]];
  const finding = rows.told[row]
    ? `${numberText(Math.abs(change))} ${change > 0 ? "more" : "fewer"}`
    : "no change can be told";
  const lines = [
    [finding, "value"],
    [
      `change ${signed(change)}, ${percent(facts.level)} interval ${signed(rows.low[row])} to ${signed(rows.high[row])}`,
      "",
    ],
    [`before ${numberText(rows.before[row])}, after ${numberText(rows.after[row])} ${facts.noun}`, ""],
  ];
  if (!rows.told[row] && (rows.low[row] > 0 || rows.high[row] < 0))
    lines.push([`The interval leaves 0 out, but among so many ${facts.called} some do by chance.`, "quiet"]);
  if (size > 1) lines.push([`${counted(size, "cell")} together`, "quiet"]);
  return lines;
}
