// @ts-check
/* How surely any land holds what its cells add up to, by all that is known of it: BelievedEstimate of dpmap/inference/posterior_estimate.py. */

/** @import { BelievedLand, BelievedPart, Bounds, Covered, Facts, Regions } from "../types.d.ts" */
/** @typedef {[total: number, variance: number]} Told */
/** @typedef {(cell: number) => number} OfCell */

import { decode } from "../arrays.js";

/** How often the beliefs' variance counts, which part of their errors all of a zone shares, and how far that may go. */
const [TWICE, TOGETHER, MOST] = [2, 0.02, 4];

/**
 * What answers by the one belief, for zones and for single cells; null where the release has none.
 *
 * @param {Facts} facts
 * @param {Regions} regions
 * @param {OfCell} areaOf
 * @param {OfCell} estimate
 * @returns {BelievedLand | null}
 */
export function believedLand({ zones, cells: count }, regions, areaOf, estimate) {
  if (!zones.believed) return null;
  const labels = "partners" in zones ? zones.partners.map((one) => decode(one.labels)) : [regions.labels];
  const { wide, upwards, parts } = zones.believed;
  const known = parts.map((part, i) => partOf(part, part.labels ? decode(part.labels) : labels[i], count, areaOf));
  /** @type {(total: number, told: Told[]) => Bounds} */
  const bounds = (total, told) => {
    const [middle, variance] = [0, 1].map((which) => told.reduce((sum, part) => sum + part[which], 0));
    const about = wide * Math.sqrt(variance);
    const [low, high] = [middle - about, middle + upwards * about].map((value) => Math.max(value, 0));
    return { low: Math.min(low, total), high: Math.max(high, total) };
  };
  const [lows, highs] = [new Float64Array(count).fill(NaN), new Float64Array(count)];
  const ofCell = (/** @type {number} */ cell) => {
    if (Number.isNaN(lows[cell])) {
      const told = known.map((part) => part.ofCell(cell));
      ({ low: lows[cell], high: highs[cell] } = bounds(estimate(cell), told));
    }
    return cell;
  };
  return {
    zone: (covered, total) => {
      const told = known.map((part) => part.ofZone(covered));
      return bounds(total, told);
    },
    low: (cell) => lows[ofCell(cell)],
    high: (cell) => highs[ofCell(cell)],
  };
}

/**
 * Total and variance of what one release tells of zones, and of single cells.
 *
 * @param {BelievedPart} part
 * @param {Int32Array | null} labels
 * @param {number} count
 * @param {OfCell} areaOf
 */
function partOf({ mean, spread, parent, above, uneven, common }, labels, count, areaOf) {
  const [means, spreads, parents] = [decode(mean), decode(spread), parent && decode(parent)];
  const tree = treeOf(above);
  /** @type {OfCell} */
  const regionOf = (cell) => (labels ? labels[cell] : cell);
  const ground = new Float64Array(means.length);
  for (let cell = 0; cell < count; cell++) ground[regionOf(cell)] += areaOf(cell);
  /** @type {(shares: [region: number, share: number][], variance: number) => Told} */
  const told = (shares, variance) => {
    let [total, leaning, cut] = [0, 0, 0];
    for (const [region, share] of shares) {
      const own = Math.max(means[region], 0);
      total += share * means[region];
      leaning += share * Math.sqrt(spreads[region]);
      cut += share * (1 - share) * (own + uneven * (own * own + spreads[region]));
    }
    const shared = Math.min(TOGETHER * leaning * leaning, MOST * variance) + common * leaning * leaning;
    return [total, TWICE * variance + shared + cut];
  };
  /** @type {(region: number, area: number) => number} */
  const shareOf = (region, area) => Math.min(area / ground[region], 1);
  const parentOf = (/** @type {number} */ region) => (parents ? parents[region] : -1);
  return {
    /**
     * @param {Covered} covered
     * @returns {Told}
     */
    ofZone(covered) {
      const rising = tree.rising();
      /** @type {[region: number, share: number][]} */
      const shares = [];
      for (const [region, area] of groundOf(covered, regionOf, areaOf)) {
        const share = shareOf(region, area);
        shares.push([region, share]);
        rising.add(parentOf(region), share * spreads[region], share * share * spreads[region]);
      }
      return told(shares, rising.variance());
    },
    /**
     * @param {number} cell
     * @returns {Told}
     */
    ofCell(cell) {
      const region = regionOf(cell);
      if (region < 0) return [0, 0];
      const share = shareOf(region, areaOf(cell));
      const own = [share * spreads[region], share * share * spreads[region]];
      return told([[region, share]], tree.climbed(parentOf(region), own[0], own[1]));
    },
  };
}

/**
 * How much ground of each region a zone covers.
 *
 * @param {Covered} covered
 * @param {OfCell} regionOf
 * @param {OfCell} areaOf
 */
function groundOf({ within, cut, shares }, regionOf, areaOf) {
  /** @type {Map<number, number>} */
  const found = new Map();
  /** @type {(cell: number, share: number) => void} */
  const add = (cell, share) => {
    found.set(regionOf(cell), (found.get(regionOf(cell)) || 0) + share * areaOf(cell));
  };
  for (const cell of within) add(cell, 1);
  cut.forEach((cell, i) => add(cell, shares[i]));
  found.delete(-1);
  return found;
}

/**
 * The variance of a zone, from the smallest, from the smallest regions up: what is free of a region's total, and what hangs on it.
 *
 * @param {BelievedPart["above"]} above
 */
function treeOf(above) {
  const [spreads, wide, parents] = [decode(above.spread), decode(above.wide), decode(above.parent)];
  /** @type {(region: number, tied: number, free: number) => [tied: number, free: number]} */
  const passed = (region, tied, free) => {
    const share = tied / wide[region];
    const loose = Math.max(free - (tied * tied) / wide[region], 0);
    return [share * spreads[region], loose + share * share * spreads[region]];
  };
  const rising = () => {
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
        if (tied[i]) add(parents[i], ...passed(i, tied[i], free[i]));
      }
      return found;
    };
    return { add, variance };
  };
  /** @type {(region: number, tied: number, free: number) => number} */
  const climbed = (region, tied, free) => {
    let [at, hanging, own] = [region, tied, free];
    while (at >= 0 && hanging) {
      [hanging, own] = passed(at, hanging, own);
      at = parents[at];
    }
    return at < 0 ? own : 0;
  };
  return { rising, climbed };
}
