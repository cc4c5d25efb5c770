// @ts-check
/* Numbers and names as people read them. */

/** @import { Facts, Known, Places } from "./types.d.ts" */

import { polygonsIn } from "./cells/outline.js";
import { outlineOf } from "./cells/regions.js";
import { landName } from "./places/land.js";
import { placeName } from "./places/names.js";

/**
 * No more digits than matter, thousands apart.
 *
 * @param {number} value
 */
export function numberText(value) {
  if (!Number.isFinite(value)) return value > 0 ? "unbounded" : "unknown";
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en");
  if (size >= 1 || size === 0) return String(Math.round(value * 10) / 10);
  return size >= 5e-4 ? String(Number(value.toPrecision(2))) : "0";
}

/**
 * How many, thousands apart.
 *
 * @param {number} count
 */
export const many = (count) => count.toLocaleString("en");

/**
 * `1 cell`, `2,000 cells`.
 *
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${many(count)} ${noun}${count === 1 ? "" : "s"}`;

/** @param {number} share */
export const percent = (share) => `${Math.round(share * 1000) / 10} %`;

/**
 * From one number to another; a low end that is above 0 without reaching a number that can be read is said so.
 *
 * @param {number} low
 * @param {number} high
 */
export const range = (low, high) => `${low > 0 && low < 5e-4 ? "over 0" : numberText(low)} to ${numberText(high)}`;

/**
 * `3 per 100 km²`: a density, given per square kilometre, in the unit that is plainest here.
 *
 * @param {Facts} facts
 * @param {number} density
 */
export const densityText = ({ unit }, density) => `${numberText(density * unit.square_km)} per ${unit.words}`;

/**
 * A density of ground, which is one per square kilometre too where colours show totals per cell.
 *
 * @param {Facts} facts
 * @param {number} density
 */
export const groundText = (facts, density) =>
  facts.per_km2 ? densityText(facts, density) : `${numberText(density)} per km\u00b2`;

/**
 * A cell's own name, or its place.
 *
 * @param {Known} known
 * @param {number} cell
 */
export function cellName({ facts, cells }, cell) {
  const { names } = facts.geometry;
  if (names) return names[cell];
  const [latitude, longitude] = cells.centre(cell);
  return placeName(facts, longitude, latitude);
}

/**
 * The code of a cell in the official grid that it is in; empty where it has none.
 *
 * @param {Pick<Facts, "geometry" | "cells">} facts
 * @param {number} cell
 */
export function codeOf({ geometry, cells }, cell) {
  const { width = 0, all = new Uint8Array() } = geometry.codes ?? {};
  const marks = Array.from({ length: width }, (_, at) => all[at * cells + cell]);
  return String.fromCharCode(...marks.filter((mark) => mark > 0));
}

/**
 * `10kmE428N267 in the EEA reference grid`, as the last of a cell's lines; none where it has no code.
 *
 * @param {Facts} facts
 * @param {number} cell
 */
function codeLines(facts, cell) {
  const code = codeOf(facts, cell);
  return code ? [[`${code} in the ${facts.geometry.codes?.title}`, "code"]] : [];
}

/**
 * `1 (4 cells)`, for a cluster of hot cells.
 *
 * @param {Known} known
 * @param {number} cluster
 */
export const hotName = ({ hot }, cluster) => `${cluster + 1} (${counted(hot.members[cluster].length, "cell")})`;

/**
 * Words for one cell, as lines of [words, class name of a style]; `index` is that of the threshold which is shown, if any.
 *
 * @param {Known} known
 * @param {number} cell
 * @param {number | null} index
 */
export function describe(known, cell, index) {
  const { facts, reading, regions, hot } = known;
  const [value, size, cluster] = [reading.estimate(cell), regions.sizeOf(cell), hot.clusterOf.get(cell)];
  const lines = [
    [cellName(known, cell), "name"],
    [`${numberText(value)} ${facts.noun}`, "value"],
    [`${percent(facts.level)} interval ${range(reading.low(cell), reading.high(cell))}`, ""],
  ];
  if (facts.per_km2) lines.push([densityText(facts, value / reading.areaOf(cell)), ""]);
  if (index !== null && size === 1) {
    const confidence = Math.floor(reading.confidence(index)(cell) * 1000) / 10;
    const words = confidence > 99.8 ? "over 99.8" : confidence;
    lines.push([`above ${numberText(reading.thresholds[index])}: ${words} % confidence`, ""]);
  }
  if (!reading.sure[cell]) lines.push(["not distinguishable from none", "quiet"]);
  if (size > 1)
    lines.push([`one of ${many(size)} cells measured as one block: how it lies within is a guess`, "quiet"]);
  if (cluster !== undefined) lines.push([`in hot spot ${hotName(known, cluster)}`, ""]);
  return [...lines, ...codeLines(facts, cell)];
}

/**
 * A place's number, and where it is; an area's own name.
 *
 * @param {Known} known
 * @param {Places} places
 * @param {number} place
 */
export function nameOfPlace(known, places, place) {
  const { facts, cells } = known;
  const [members, areas] = [places.membersOf(place), facts.geometry.kind === "areas"];
  if (members.length === 1) {
    const name = cellName(known, members[0]);
    return areas ? name : `Place ${place + 1}: ${name}`;
  }
  if (areas) {
    const middle = cellName(known, middleOf(known, places, place));
    return `Place ${place + 1}: ${counted(members.length, "area")}, ${middle} among them`;
  }
  return `Place ${place + 1}: ${landName(facts, polygonsIn(outlineOf(cells, places, place)))}`;
}

/**
 * The cell of a place that is nearest to its middle.
 *
 * @param {Known} known
 * @param {Places} places
 * @param {number} place
 */
export function middleOf({ cells }, places, place) {
  const members = Array.from(places.membersOf(place));
  const some = members.filter((_, i) => i % Math.ceil(members.length / 400) === 0);
  const centres = some.map((cell) => cells.centre(cell));
  const [y, x] = [0, 1].map((side) => centres.reduce((total, centre) => total + centre[side], 0) / some.length);
  const far = centres.map((centre) => Math.hypot(centre[0] - y, centre[1] - x));
  return some[far.indexOf(Math.min(...far))];
}

/**
 * The same words for a place.
 *
 * @param {Known} known
 * @param {Places} places
 * @param {number} place
 */
export function describePlace(known, places, place) {
  const { facts } = known;
  const [count, size] = [places.membersOf(place).length, places.sizes[place]];
  const ground = `${numberText(places.squareKm[place])} km\u00b2, ${counted(count, "cell")}`;
  const [low, high, unit] = [places.low[place], places.high[place], facts.unit.square_km / size];
  const lines = [[nameOfPlace(known, places, place), "name"]];
  if (places.told[place]) {
    lines.push(
      [`${numberText(places.estimate[place])} ${facts.noun}`, "value"],
      [`${percent(facts.level)} interval ${range(low, high)}`, ""],
      [`${densityText(facts, places.estimate[place] / size)} (${range(low * unit, high * unit)})`, ""],
    );
  } else {
    lines.push(["not told", "value"]);
    if (Number.isFinite(high))
      lines.push([`at most ${numberText(high)} ${facts.noun}, ${densityText(facts, high / size)}`, ""]);
  }
  lines.push([ground, ""]);
  if (count > 1) lines.push(["How it lies within this place is not known.", "quiet"]);
  return count > 1 ? lines : [...lines, ...codeLines(facts, places.membersOf(place)[0])];
}

/**
 * A name as it is searched for: without regard to case, accents and outer blanks.
 *
 * @param {string} text
 */
export const foldName = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();
