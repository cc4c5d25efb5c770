// @ts-check
/* What zones are told to hold by all that is known of their land: the answers of dpmap/inference/patches/zones.py. */

/** @import { Believed, BelievedPart, Bounds, Covered, Reading } from "../types.d.ts" */

import { decode } from "../arrays.js";

/** How often the beliefs' variance counts, which part of their errors all of a zone shares, and how far that may go. */
const [TWICE, TOGETHER, MOST] = [2, 0.02, 4];

/**
 * @param {Believed} plain
 * @param {(Int32Array | null)[]} labels Those of each release's last measurement.
 * @param {Reading} reading
 * @returns {(covered: Covered) => Bounds & { estimate: number }}
 */
export function believedTotals({ wide, parts }, labels, reading) {
  const told = parts.map((part, i) => partOf(part, part.labels ? decode(part.labels) : labels[i], reading));
  return (covered) => {
    let [total, variance] = [0, 0];
    for (const tell of told) {
      const [mean, spread] = tell(covered);
      total += mean;
      variance += spread;
    }
    const about = wide * Math.sqrt(variance);
    const [estimate, low, high] = [total, total - about, total + about].map((value) => Math.max(value, 0));
    return { estimate, low, high };
  };
}

/**
 * Total and variance of what one release tells.
 *
 * @param {BelievedPart} part
 * @param {Int32Array | null} labels
 * @param {Reading} reading
 * @returns {(covered: Covered) => [total: number, variance: number]}
 */
function partOf({ mean, spread, parent, above, uneven }, labels, reading) {
  const [means, spreads, parents] = [decode(mean), decode(spread), parent && decode(parent)];
  const tree = treeOf(above);
  /** @param {number} cell */
  const regionOf = (cell) => (labels ? labels[cell] : cell);
  const ground = new Float64Array(means.length);
  for (let cell = 0; cell < reading.count; cell++) ground[regionOf(cell)] += reading.areaOf(cell);
  return (covered) => {
    let [total, leaning, cut] = [0, 0, 0];
    const rising = tree();
    for (const [region, area] of groundOf(covered, regionOf, reading)) {
      const share = Math.min(area / ground[region], 1);
      const own = Math.max(means[region], 0);
      total += share * means[region];
      leaning += share * Math.sqrt(spreads[region]);
      cut += share * (1 - share) * (own + uneven * (own * own + spreads[region]));
      rising.add(parents ? parents[region] : -1, share * spreads[region], share * share * spreads[region]);
    }
    const variance = rising.variance();
    return [total, TWICE * variance + Math.min(TOGETHER * leaning * leaning, MOST * variance) + cut];
  };
}

/**
 * How much ground of each region a zone covers.
 *
 * @param {Covered} covered
 * @param {(cell: number) => number} regionOf
 * @param {Reading} reading
 */
function groundOf({ within, cut, shares }, regionOf, reading) {
  /** @type {Map<number, number>} */
  const found = new Map();
  /** @type {(cell: number, share: number) => void} */
  const add = (cell, share) => {
    found.set(regionOf(cell), (found.get(regionOf(cell)) || 0) + share * reading.areaOf(cell));
  };
  for (const cell of within) add(cell, 1);
  cut.forEach((cell, i) => add(cell, shares[i]));
  found.delete(-1);
  return found;
}

/**
 * The variance of a zone, from the smallest regions up: what is free of a region's total, and what hangs on it.
 *
 * @param {BelievedPart["above"]} above
 */
function treeOf(above) {
  const [spreads, wide, parents] = [decode(above.spread), decode(above.wide), decode(above.parent)];
  return () => {
    const [tied, free] = [new Float64Array(wide.length), new Float64Array(wide.length)];
    let found = 0;
    /** @type {(parent: number, hanging: number, own: number) => void} */
    const add = (parent, hanging, own) => {
      if (parent < 0) {
        found += own;
      } else {
        tied[parent] += hanging;
        free[parent] += own;
      }
    };
    const variance = () => {
      for (let i = wide.length - 1; i >= 0; i--) {
        if (!tied[i]) continue;
        const share = tied[i] / wide[i];
        const loose = Math.max(free[i] - (tied[i] * tied[i]) / wide[i], 0);
        add(parents[i], share * spreads[i], loose + share * share * spreads[i]);
      }
      return found;
    };
    return { add, variance };
  };
}
