// @ts-check
/* The noise law: the same formulas as dpmap/noise/distributions.py and dpmap.inference.discoveries, so that the page and the library
   answer alike. */

/** @import { NoiseKind } from "../types.d.ts" */

/**
 * P(noise >= noisy - threshold) for the discrete Laplace, or Gaussian, of `scale` lattice steps.
 *
 * @param {number} noisy
 * @param {number} threshold
 * @param {number} scale
 * @param {number} lattice
 * @param {NoiseKind} [kind]
 */
export function pValue(noisy, threshold, scale, lattice, kind) {
  const steps = Math.ceil((noisy - threshold) * lattice);
  if (kind === "gaussian") return steps <= 0 ? 1 : normalTail((steps - 1) / scale);
  return steps <= 0 ? 1 : Math.exp(-steps / scale) / (1 + Math.exp(-1 / scale));
}

/**
 * P(X >= x), X standard normal, x >= 0: by its series, and far out by its continued fraction.
 *
 * @param {number} x
 */
function normalTail(x) {
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x < 3) {
    let [term, sum] = [x, x];
    for (let k = 3; term > sum * 1e-17; k += 2) {
      term *= (x * x) / k;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let below = x;
  for (let k = 80; k > 0; k--) below = x + k / below;
  return density / below;
}

/**
 * The x at which `normalTail` is this chance, at most a half.
 *
 * @param {number} chance
 */
export function normalQuantile(chance) {
  let [low, high] = [0, 40];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > chance) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The largest p-value that Benjamini and Hochberg's rule accepts at this rate; -1 for none.
 *
 * @param {Float64Array} ascending
 * @param {number} rate
 */
export function largestAccepted(ascending, rate) {
  for (let i = ascending.length - 1; i >= 0; i--) {
    if (ascending[i] <= (rate * (i + 1)) / ascending.length) return ascending[i];
  }
  return -1;
}
