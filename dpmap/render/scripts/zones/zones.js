// @ts-check
/* Totals of project areas with their intervals, from the released noisy numbers: what `release.ask` answers. The zone's
   cells and shares are those of dpmap/grid/zone_overlap.py, the words those of dpmap/inference/zones.py. */

/** @import { Bounds, Covered, Known, Reading, Ring, Total } from "../types.d.ts" */

import { counted } from "../words.js";
import { squareKm } from "./area.js";
import { measuredBounds, sumOf } from "./measured.js";
import { mergedBounds } from "./merged.js";
import { reportBounds } from "./reports.js";

/**
 * What answers for a zone given as rings of [longitude, latitude].
 *
 * @param {Known} known
 */
export function zonesOf(known) {
  const { reading, cells } = known;
  const bounds = boundsOf(known);
  return {
    /**
     * @param {Ring[]} rings
     * @returns {Total}
     */
    total(rings) {
      const covered = cells.cover(rings);
      const km2 = squareKm(rings);
      const counts = { within: covered.within.length, cut: covered.cut.length, km2 };
      if (!(counts.within + counts.cut)) return { ...counts, inMap: 0, note: "outside the map" };
      const strict = bounds(covered);
      const sum = added(covered, reading.estimate);
      const estimate = reading.believed ? sum : Math.min(Math.max(sum, strict.low), strict.high);
      const { low, high } = reading.believed?.zone(covered, sum) ?? strict;
      const [least, most] = [Math.min(strict.low, low), Math.max(strict.high, high)];
      const ground = added(covered, reading.areaOf);
      const inMap = ground > km2 * (1 - 1e-3) ? 1 : ground / km2;
      const found = { estimate, low, high, least, most, perKm2: estimate / (km2 * inMap) };
      return { ...counts, inMap, found, note: noteOf(covered, km2, inMap, low, reading) };
    },
  };
}

/**
 * The strict bounds of this kind of release.
 *
 * @param {Known} known
 * @returns {(covered: Covered) => Bounds}
 */
function boundsOf({ facts, reading, regions }) {
  const { zones, level } = facts;
  if ("partners" in zones) return mergedBounds(zones, level);
  if (zones.kind === "reports") return reportBounds(zones, level);
  return measuredBounds(zones, level, reading, regions);
}

/**
 * A value of all cells within a zone, and of those it cuts by their shares.
 *
 * @param {Covered} covered
 * @param {(cell: number) => number} value
 */
function added({ within, cut, shares }, value) {
  return sumOf(within, value) + sumOf(cut, (cell, i) => value(cell) * shares[i]);
}

/**
 * What a planner must know before using the numbers.
 *
 * @param {Covered} covered
 * @param {number} km2
 * @param {number} inMap
 * @param {number} low
 * @param {Reading} reading
 */
function noteOf({ within, cut }, km2, inMap, low, reading) {
  const words = [];
  const bracketed = !reading.believed;
  if (!within.length) {
    const small = km2 < Math.max(...cut.map(reading.areaOf));
    const only = bracketed ? "the map gives an upper bound only" : "each counts by the share inside";
    const whole = `holds no whole cell: ${only}`;
    words.push(small ? "smaller than one cell: the map cannot resolve it" : whole);
  } else if (cut.length) {
    words.push(`crosses ${counted(cut.length, "cell")}, ${bracketed ? "bracketed" : "shared by ground"}`);
  }
  if (inMap < 1) {
    const share = Math.round(100 * Math.max(0.01, Math.min(0.99, inMap)));
    words.push(`partly outside the map: ${share} % of it is covered`);
  }
  if (low === 0 && within.length) words.push("its total is not distinguishable from none");
  return words.join("; ");
}
