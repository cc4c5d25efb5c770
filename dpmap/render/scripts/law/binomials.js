// @ts-check
/* Sums of two binomials: `binomials_at_least` of dpmap/noise/theory.py. */

/** @typedef {[trials: number, chance: number]} Coins */

/**
 * P(X + Y >= least), X and Y independent binomials.
 *
 * @param {number} least
 * @param {Coins} one
 * @param {Coins} other
 */
export function binomialsAtLeast(least, [trials, chance], [others, other]) {
  const reach = 9 * Math.sqrt(trials * chance * (1 - chance)) + 25;
  const from = Math.max(0, Math.floor(trials * chance - reach));
  const to = Math.min(trials, Math.floor(trials * chance + reach));
  let tail = upper(least - from, others, other);
  let total = 1e-15;
  for (let x = from; x <= to; x++) {
    if (x > from) tail = least - x <= 0 ? 1 : Math.min(1, tail + binomial(least - x, others, other));
    total += binomial(x, trials, chance) * tail;
  }
  return Math.min(total, 1);
}

/**
 * P(Y >= value).
 *
 * @param {number} value
 * @param {number} trials
 * @param {number} chance
 */
function upper(value, trials, chance) {
  if (value <= 0 || value > trials) return value <= 0 ? 1 : 0;
  return beta(value, trials - value + 1, chance);
}

/**
 * The chance of so many heads of n coins.
 *
 * @param {number} heads
 * @param {number} n
 * @param {number} share
 */
function binomial(heads, n, share) {
  if (heads < 0 || heads > n) return 0;
  const ways = logGamma(n + 1) - logGamma(heads + 1) - logGamma(n - heads + 1);
  return Math.exp(ways + unlessNone(heads, Math.log(share)) + unlessNone(n - heads, Math.log1p(-share)));
}

/**
 * A product that is 0 for no coins, however impossible each is.
 *
 * @param {number} count
 * @param {number} value
 */
function unlessNone(count, value) {
  return count ? count * value : 0;
}

/**
 * The logarithm of the gamma function (Stirling's series from 10 on).
 *
 * @param {number} value
 */
function logGamma(value) {
  let [z, lifted] = [value, 0];
  for (; z < 10; z++) lifted -= Math.log(z);
  const w = 1 / (z * z);
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z;
  return lifted + (z - 0.5) * Math.log(z) - z + 0.9189385332046728 + series;
}

/**
 * The regularised incomplete beta function: P(Y >= a) of a binomial of a + b - 1 trials.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} x
 */
function beta(a, b, x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, 1 - x)) / b;
}

/**
 * Its continued fraction, by Lentz's method.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} x
 */
function fraction(a, b, x) {
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1))];
  let value = d;
  for (let m = 1; m < 100_000; m++) {
    for (const part of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / (1 + part * d || 1e-300);
      c = 1 + part / c || 1e-300;
      value *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return value;
}
