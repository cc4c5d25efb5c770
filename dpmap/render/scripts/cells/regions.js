// @ts-check
/* Cells that belong together: land that was measured as one, or is told as one place. */

/** @import { Cells, Facts, Groups, Outlines, Regions, Ring } from "../types.d.ts" */

import { decode } from "../arrays.js";
import { ringsOf, shapesOf } from "./polygons.js";

/**
 * How many cells each of so many regions has; a label of -1 is none.
 *
 * @param {Int32Array | null} labels
 * @param {number} regions
 */
export function sizesOf(labels, regions) {
  const sizes = new Int32Array(regions);
  for (const region of labels || []) if (region >= 0) sizes[region] += 1;
  return sizes;
}

/**
 * Cells by the number of their group.
 *
 * @param {Int32Array} labels
 * @param {number} count
 * @param {Outlines | null} outlines
 * @returns {Groups}
 */
export function groupsOf(labels, count, outlines) {
  const sizes = sizesOf(labels, count);
  /** @type {Int32Array | undefined} */
  let order;
  /** @type {Int32Array} */
  const starts = new Int32Array(count + 1);
  sizes.forEach((size, group) => (starts[group + 1] = starts[group] + size));
  return {
    count,
    outlines: unpacked(outlines),
    some: sizes.some((size) => size > 1),
    of: (cell) => labels[cell],
    sizeOf: (cell) => sizes[labels[cell]],
    membersOf(group) {
      order ??= sortedBy(labels, starts);
      return order.subarray(starts[group], starts[group + 1]);
    },
  };
}

/**
 * Outlines by the number of their group.
 *
 * @param {Outlines | null} outlines
 */
function unpacked(outlines) {
  /** @type {Map<number, Ring[]>} */
  const found = new Map();
  if (!outlines) return found;
  const numbers = decode(outlines.groups);
  ringsOf(shapesOf(outlines)).forEach((rings, i) => found.set(numbers[i], rings));
  return found;
}

/**
 * The rings of [longitude, latitude] around a group.
 *
 * @param {Cells} cells
 * @param {Groups} groups
 * @param {number} group
 */
export const outlineOf = (cells, groups, group) =>
  groups.outlines.get(group) ?? cells.outlineOf(groups.membersOf(group));

/**
 * Cells in the order of their groups.
 *
 * @param {Int32Array} labels
 * @param {Int32Array} starts
 */
function sortedBy(labels, starts) {
  const next = starts.slice();
  const order = new Int32Array(starts[starts.length - 1]);
  labels.forEach((group, cell) => {
    if (group >= 0) order[next[group]++] = cell;
  });
  return order;
}

/**
 * Which region of the last measurement each cell is in.
 *
 * @param {Facts} facts
 * @returns {Regions}
 */
export function regionsOf({ zones, alone, cells, blocks }) {
  const labels = zones.labels && decode(zones.labels);
  const sizes = sizesOf(labels, zones.regions);
  const each = labels ?? Int32Array.from({ length: cells }, (_, cell) => cell);
  const groups = groupsOf(each, labels ? zones.regions : cells, blocks);
  return {
    ...groups,
    labels,
    sizes,
    some: alone !== null,
    of: (cell) => (labels ? labels[cell] : cell),
    sizeOf: (cell) => (labels ? sizes[labels[cell]] : 1),
  };
}
