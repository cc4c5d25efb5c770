"use strict";
/* The noise law and the reading of the released numbers: the same formulas as dpmap/noise/laws.py, dpmap/inference/flat.py
   and dpmap.inference.discoveries, so that the page and the library answer alike. No drawing here. */

const dpmap = {};

dpmap.law = (() => {
  const POINTS = 1 << 15;
  const STEP = 1 / 400;
  const quantiles = new Map();

  /** P(noise >= noisy - threshold) for the discrete Laplace, or Gaussian, of `scale` lattice steps. */
  function pValue(noisy, threshold, scale, lattice, kind) {
    const steps = Math.ceil((noisy - threshold) * lattice);
    if (kind === "gaussian") return steps <= 0 ? 1 : normalTail((steps - 1) / scale);
    return steps <= 0 ? 1 : Math.exp(-steps / scale) / (1 + Math.exp(-1 / scale));
  }

  /** P(X >= x), X standard normal, x >= 0: by its series, and far out by its continued fraction. */
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

  /** The x at which `normalTail` is this chance, at most a half. */
  function normalQuantile(chance) {
    let [low, high] = [0, 40];
    for (let i = 0; i < 80; i++) {
      const middle = (low + high) / 2;
      if (normalTail(middle) > chance) low = middle;
      else high = middle;
    }
    return high;
  }

  /** In-place radix-2 Fourier transform; both arrays have a power of two entries. */
  function fourier(real, imaginary) {
    const size = real.length;
    for (let i = 1, j = 0; i < size; i++) {
      let bit = size >> 1;
      for (; j & bit; bit >>= 1) j ^= bit;
      j ^= bit;
      if (i < j) {
        [real[i], real[j]] = [real[j], real[i]];
        [imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]];
      }
    }
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

  /** A q with P(|S| <= q) >= level, S the sum of `count` independent noises of this scale: of Gaussian ones by the
      normal law; of Laplace ones as `sumsQuantile`. */
  function sumQuantile(level, scale, count, kind) {
    if (count === 0 || scale === 0) return 0;
    if (kind === "gaussian") return Math.sqrt(count) * scale * normalQuantile((1 - level) / 2) + 1;
    return sumsQuantile(level, [[scale, count]]);
  }

  /** The same for Laplace noises of several scales, for each [scale, count] so many: read off the characteristic function,
      as `sum_quantile` does. */
  function sumsQuantile(level, parts) {
    const some = parts.filter(([scale, count]) => scale * count > 0);
    if (!some.length) return 0;
    const widest = Math.max(...some.map(([scale]) => scale));
    const unit = some.map(([scale, count]) => [scale / widest, count]);
    const key = `${level} ${unit}`;
    if (!quantiles.has(key)) quantiles.set(key, unitQuantile(level, unit));
    return quantiles.get(key) * widest;
  }

  /** The same where the widest scale is 1. */
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

  /** The largest p-value that Benjamini and Hochberg's rule accepts at this rate; -1 for none. */
  function largestAccepted(ascending, rate) {
    for (let i = ascending.length - 1; i >= 0; i--) {
      if (ascending[i] <= (rate * (i + 1)) / ascending.length) return ascending[i];
    }
    return -1;
  }

  return { pValue, sumQuantile, sumsQuantile, largestAccepted };
})();

dpmap.arrays = (() => {
  const TYPES = { uint8: Uint8Array, int32: Int32Array, float32: Float32Array, float64: Float64Array };

  function bytes(text) {
    const raw = atob(text);
    const out = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
    return out;
  }

  /** A typed array from its base64 form; null stays null. */
  function decode(packed) {
    return packed && new TYPES[packed.type](bytes(packed.data).buffer);
  }

  /** 0 or 1 for each of `count` bits. */
  function bits(packed, count) {
    const source = bytes(packed.data);
    const out = new Uint8Array(count);
    for (let i = 0; i < count; i++) out[i] = (source[i >> 3] >> (7 - (i & 7))) & 1;
    return out;
  }

  /** Row-wise differences, deflated: the form the image of cell numbers travels in. */
  async function inflateRows(packed, width) {
    const stream = new Blob([bytes(packed.data)]).stream().pipeThrough(new DecompressionStream("deflate"));
    const out = new Int32Array(await new Response(stream).arrayBuffer());
    for (let i = 0; i < out.length; i++) if (i % width) out[i] += out[i - 1];
    return out;
  }

  return { decode, bits, inflateRows };
})();

/** Each cell's estimate, interval and confidence, by cell number. */
dpmap.reading = (facts) => {
  const plain = facts.reading;
  const count = facts.cells;
  const sure = dpmap.arrays.bits(facts.sure, count);
  const area = dpmap.arrays.decode(facts.area);
  const areaOf = (cell) => area[area.length === 1 ? 0 : cell];
  const common = { count, sure, areaOf, thresholds: plain.thresholds };
  const read = { laplace: fromNoise, gaussian: fromNoise, regions: fromRegions, ladder: fromLadder };
  return Object.assign(common, read[plain.law]());

  function fromNoise() {
    const noisy = dpmap.arrays.decode(plain.noisy);
    const lowered = plain.lowered === null ? Infinity : plain.lowered;
    const p = (cell, threshold) => dpmap.law.pValue(noisy[cell], threshold, plain.scale, plain.lattice, plain.law);
    const descending = noisy.slice().sort().reverse();
    function exceeding(index) {
      const threshold = plain.thresholds[index];
      const ascending = Float64Array.from(descending, (value) =>
        dpmap.law.pValue(value, threshold, plain.scale, plain.lattice, plain.law));
      const limit = dpmap.law.largestAccepted(ascending, facts.rate);
      return (cell) => p(cell, threshold) <= limit;
    }
    return {
      noisy,
      estimate: (cell) => Math.max(noisy[cell] - lowered, 0),
      low: (cell) => (noisy[cell] <= plain.one ? 0 : Math.max(noisy[cell] - plain.two, 1 / plain.lattice)),
      high: (cell) => Math.max(noisy[cell] + plain.two, 0),
      confidence: (index) => (cell) => 1 - p(cell, plain.thresholds[index]),
      exceeding,
    };
  }

  /** RegionBounds: the noise law for cells measured by themselves; 0 to the block's upper bound for those in blocks. */
  function fromRegions() {
    const estimate = dpmap.arrays.decode(plain.estimate);
    const { of, sizeOf } = dpmap.regions(facts);
    const { scale, lattice, noisy: packed } = facts.zones;
    const noisy = dpmap.arrays.decode(packed);
    const value = (cell) => noisy[of(cell)];
    const alone = (cell) => sizeOf(cell) === 1;
    const p = (cell, threshold) => dpmap.law.pValue(value(cell), threshold, scale, lattice);
    const lowest = (y) => (y <= plain.one ? 0 : Math.max(y - plain.two, 1 / lattice));
    function exceeding(index) {
      const threshold = plain.thresholds[index];
      const tested = [];
      for (let cell = 0; cell < count; cell++) if (alone(cell)) tested.push(p(cell, threshold));
      const limit = dpmap.law.largestAccepted(Float64Array.from(tested).sort(), facts.rate);
      return (cell) => alone(cell) && p(cell, threshold) <= limit;
    }
    return {
      noisy: null,
      estimate: (cell) => estimate[cell],
      low: (cell) => Math.min(alone(cell) ? lowest(value(cell)) : 0, estimate[cell]),
      high: (cell) => Math.max(value(cell) + (alone(cell) ? plain.two : plain.one), 0, estimate[cell]),
      confidence: (index) => (cell) => (alone(cell) ? 1 - p(cell, plain.thresholds[index]) : 0),
      exceeding,
    };
  }

  function fromLadder() {
    const [estimate, low, high] = ["estimate", "low", "high"].map((name) => dpmap.arrays.decode(plain[name]));
    const rungs = new Map();
    function rung(index) {
      if (!rungs.has(index)) {
        const packed = plain.rungs[index];
        rungs.set(index, { p: dpmap.arrays.decode(packed.p), exceeds: dpmap.arrays.bits(packed.exceeds, count) });
      }
      return rungs.get(index);
    }
    return {
      noisy: null,
      estimate: (cell) => estimate[cell],
      low: (cell) => low[cell],
      high: (cell) => high[cell],
      confidence: (index) => (cell) => 1 - Math.exp(-rung(index).p[cell] / 16),
      exceeding: (index) => (cell) => rung(index).exceeds[cell] === 1,
    };
  }
};

/** Cells and clusters above their surroundings, as the library found them. */
dpmap.hotSpots = ({ hot, cells: count }) => {
  if (!hot) return { tested: new Uint8Array(count), totals: [], members: [], clusterOf: new Map() };
  const [cells, clusters] = [hot.cells, hot.clusters].map(dpmap.arrays.decode);
  const members = hot.totals.map(() => []);
  const clusterOf = new Map();
  cells.forEach((cell, i) => {
    members[clusters[i]].push(cell);
    clusterOf.set(cell, clusters[i]);
  });
  return { tested: dpmap.arrays.bits(hot.tested, count), totals: hot.totals, members, clusterOf };
};
