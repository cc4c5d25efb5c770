// @ts-check
/* How far sums of independent noises reach: `sum_quantile` of dpmap/noise/theory.py, read off the characteristic function. */

/** @import { NoiseKind } from "../types.d.ts" */

import { normalQuantile } from "./noise.js";

const POINTS = 1 << 15;
const STEP = 1 / 400;

/** @type {Map<string, number>} */
const quantiles = new Map();

/**
 * A q with P(|S| <= q) >= level, S the sum of `count` independent noises of this scale: of Gaussian ones by the normal law;
 * of Laplace ones as `sumsQuantile`.
 *
 * @param {number} level
 * @param {number} scale
 * @param {number} count
 * @param {NoiseKind} [kind]
 */
export function sumQuantile(level, scale, count, kind) {
  if (count === 0 || scale === 0) return 0;
  if (kind === "gaussian") return Math.sqrt(count) * scale * normalQuantile((1 - level) / 2) + 1;
  return sumsQuantile(level, [[scale, count]]);
}

/**
 * The same for Laplace noises of several scales, for each [scale, count] so many.
 *
 * @param {number} level
 * @param {[scale: number, count: number][]} parts
 */
export function sumsQuantile(level, parts) {
  const some = parts.filter(([scale, count]) => scale * count > 0);
  if (!some.length) return 0;
  const widest = Math.max(...some.map(([scale]) => scale));
  /** @type {[number, number][]} */
  const unit = some.map(([scale, count]) => [scale / widest, count]);
  const key = `${level} ${unit}`;
  const quantile = quantiles.get(key) ?? unitQuantile(level, unit);
  quantiles.set(key, quantile);
  return quantile * widest;
}

/**
 * The same where the widest scale is 1.
 *
 * @param {number} level
 * @param {[scale: number, count: number][]} parts
 */
function unitQuantile(level, parts) {
  const real = new Float64Array(POINTS);
  const deviation = Math.sqrt(parts.reduce((sum, [scale, count]) => sum + 2 * count * scale * scale, 0));
  for (let j = 0; j <= POINTS / 2; j++) {
    const angle = (2 * Math.PI * j) / POINTS / STEP / deviation;
    const value = Math.exp(-parts.reduce((sum, [scale, count]) => sum + count * Math.log1p((angle * scale) ** 2), 0));
    real[j] = value;
    if (j > 0 && j < POINTS / 2) real[POINTS - j] = value;
  }
  fourier(real, new Float64Array(POINTS));
  let reach = 1;
  let within = (real[0] + 2 * real[1]) / POINTS;
  while (within < level && reach < POINTS / 2 - 1) {
    reach += 1;
    within += (2 * real[reach]) / POINTS;
  }
  return (reach + 1) * STEP * deviation;
}

/**
 * In-place radix-2 Fourier transform; both arrays have a power of two entries.
 *
 * @param {Float64Array} real
 * @param {Float64Array} imaginary
 */
function fourier(real, imaginary) {
  reverseBits(real, imaginary);
  const size = real.length;
  for (let span = 2; span <= size; span <<= 1) {
    const half = span >> 1;
    for (let k = 0; k < half; k++) {
      const cosine = Math.cos((2 * Math.PI * k) / span);
      const sine = Math.sin((2 * Math.PI * k) / span);
      for (let i = k; i < size; i += span) {
        const j = i + half;
        const re = real[j] * cosine - imaginary[j] * sine;
        const im = real[j] * sine + imaginary[j] * cosine;
        real[j] = real[i] - re;
        imaginary[j] = imaginary[i] - im;
        real[i] += re;
        imaginary[i] += im;
      }
    }
  }
}

/**
 * Puts each entry where the bits of its number, read backwards, say.
 *
 * @param {Float64Array} real
 * @param {Float64Array} imaginary
 */
function reverseBits(real, imaginary) {
  for (let i = 1, j = 0; i < real.length; i++) {
    let bit = real.length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [real[i], real[j]] = [real[j], real[i]];
    [imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]];
  }
}
