"use strict";
/* Totals of project areas with their intervals, from the released noisy numbers: what `release.ask` answers. The zone's
   cells and shares are those of dpmap/grid/cover.py, the bounds those of FlatEstimate.zone and RegionBounds.zone, and
   the words those of dpmap/inference/zones.py. */

dpmap.zones = (facts, reading, cells) => {
  const plain = facts.zones;
  const noisy = plain.noisy ? dpmap.arrays.decode(plain.noisy) : reading.noisy;
  const { labels, sizes } = dpmap.regions(facts);
  const partners = (plain.partners || []).map((one) => {
    const [of, values] = [one.labels, one.noisy].map(dpmap.arrays.decode);
    return { scale: one.scale, noisy: values, labels: of, sizes: dpmap.sizesOf(of, values.length) };
  });

  /** Regions wholly inside, and regions that the zone cuts. */
  function regions({ within, cut }, { labels, sizes }) {
    if (!labels) return { within, cut };
    const held = new Map();
    for (const cell of within) held.set(labels[cell], (held.get(labels[cell]) || 0) + 1);
    for (const cell of cut) held.set(labels[cell], (held.get(labels[cell]) || 0));
    held.delete(-1);
    const found = { within: [], cut: [] };
    for (const [region, cellsHeld] of held) found[cellsHeld === sizes[region] ? "within" : "cut"].push(region);
    return found;
  }

  const sum = (indices, value) => indices.reduce((total, index, i) => total + value(index, i), 0);
  const reports = plain.kind === "reports" ? dpmap.reports(plain, facts.level) : null;
  const spread = (count, level) => dpmap.law.sumQuantile(level, plain.scale, count, plain.kind) / plain.lattice;

  /** The total of a zone given as rings of [longitude, latitude]. */
  function total(rings) {
    const found = cells.cover(rings);
    const km2 = dpmap.squareKm(rings);
    const counts = { within: found.within.length, cut: found.cut.length, km2 };
    if (!(counts.within + counts.cut)) return { ...counts, inMap: 0, note: "outside the map" };
    const own = partners.length ? mergedBounds : (cells) => bounds(regions(cells, { labels, sizes }));
    const { low, high } = reports ? reports.bounds(found) : own(found);
    const estimate = sum(found.within, reading.estimate) + sum(found.cut, (cell, i) => reading.estimate(cell) * found.shares[i]);
    const kept = Math.min(Math.max(estimate, low), high);
    const covered = sum(found.within, reading.areaOf) + sum(found.cut, (cell, i) => reading.areaOf(cell) * found.shares[i]);
    const inMap = covered > km2 * (1 - 1e-3) ? 1 : covered / km2;
    return { ...counts, inMap, estimate: kept, low, high, perKm2: kept / (km2 * inMap), note: note(found, km2, inMap, low) };
  }

  /** A one-sided test at 0 where every cell was measured by itself; else whole regions below and all those met above. */
  function bounds({ within, cut }) {
    const level = cut.length ? 1 - (1 - facts.level) / 2 : facts.level;
    const inside = sum(within, (region) => noisy[region]);
    const reach = inside + sum(cut, (region) => noisy[region]);
    const two = inside - spread(within.length, level);
    const high = Math.max(reach + spread(within.length + cut.length, level), 0);
    if (labels) return { low: Math.max(two, 0), high };
    const one = spread(within.length, 2 * level - 1);
    return { low: inside <= one ? 0 : Math.max(two, 1 / plain.lattice), high };
  }

  /** Of a merged map, as MergedEstimate.zone: every partner's regions added up, the law that of all their noises. */
  function mergedBounds(found) {
    let [inside, reach] = [0, 0];
    const [below, above] = [[], []];
    for (const partner of partners) {
      const { within, cut } = regions(found, partner);
      const [held, met] = [within, cut].map((some) => sum(some, (region) => partner.noisy[region]));
      inside += held;
      reach += held + met;
      below.push([partner.scale, within.length]);
      above.push([partner.scale, within.length + cut.length]);
    }
    if (below.every(([, count], i) => count === above[i][1])) {
      const [one, two] = [2 * facts.level - 1, facts.level].map((level) => dpmap.law.sumsQuantile(level, below));
      return { low: inside <= one ? 0 : Math.max(inside - two, 1 / plain.lattice), high: Math.max(reach + two, 0) };
    }
    const share = 2 * (1 - (1 - facts.level) / 2) - 1;
    const [low, high] = [inside - dpmap.law.sumsQuantile(share, below), reach + dpmap.law.sumsQuantile(share, above)];
    return { low: Math.max(low, 0), high: Math.max(high, 0) };
  }

  /** What a planner must know before using the numbers. */
  function note({ within, cut }, km2, inMap, low) {
    const words = [];
    if (!within.length) {
      const small = km2 < Math.max(...cut.map(reading.areaOf));
      words.push(small ? "smaller than one cell: the map cannot resolve it" : "holds no whole cell: the map gives an upper bound only");
    } else if (cut.length) {
      words.push(`crosses ${cut.length.toLocaleString("en")} cell${cut.length > 1 ? "s" : ""}, bracketed`);
    }
    if (inMap < 1) words.push(`partly outside the map: ${Math.round(100 * Math.max(0.01, Math.min(0.99, inMap)))} % of it is covered`);
    if (low === 0 && within.length) words.push("its total cannot be told from none");
    return words.join("; ");
  }

  return { total };
};

/** Bounds of a zone's total from reports that devices randomised: those of ReportedEstimate.zone, by the same exact law. */
dpmap.reports = ({ support, count, mechanism, truth: p, other: q }, level) => {
  const supported = dpmap.arrays.decode(support);
  const risk = (1 - level) / 2;

  /** The two binomials of so many cells with x volunteers in them, as [trials, chance]. */
  const law = (x, cells) =>
    mechanism === "oue"
      ? [[x, p], [count * cells - x, q]]
      : [[x, Math.min(1, p + (cells - 1) * q)], [count - x, Math.min(1, cells * q)]];
  const atLeast = (sum, x, cells) => dpmap.binomialsAtLeast(sum, ...law(x, cells));
  const atMost = (sum, x, cells) => {
    const [[one, a], [two, b]] = law(x, cells);
    return dpmap.binomialsAtLeast(one + two - sum, [one, 1 - a], [two, 1 - b]);
  };

  /** The least x from 1 on for which this holds, as for all after it; one beyond all where there is none. */
  function first(holds) {
    let [low, high] = [1, count + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (holds(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function bounds({ within, cut }) {
    const inside = within.reduce((total, cell) => total + supported[cell], 0);
    const reach = cut.reduce((total, cell) => total + supported[cell], inside);
    const [few, all] = [within.length, within.length + cut.length];
    const none = !few || atLeast(inside, 0, few) > (cut.length ? risk : 2 * risk);
    const low = none ? 0 : Math.min(count, first((x) => atLeast(inside, x, few) > risk));
    return { low, high: Math.max(low, first((x) => atMost(reach, x, all) <= risk) - 1) };
  }

  return { bounds };
};

/** P(X + Y >= least), X and Y independent binomials given as [trials, chance]: binomials_at_least of dpmap/noise/theory.py. */
dpmap.binomialsAtLeast = (least, [trials, chance], [others, other]) => {
  const reach = 9 * Math.sqrt(trials * chance * (1 - chance)) + 25;
  const from = Math.max(0, Math.floor(trials * chance - reach));
  const to = Math.min(trials, Math.floor(trials * chance + reach));
  let tail = upper(least - from);
  let total = 1e-15;
  for (let x = from; x <= to; x++) {
    if (x > from) tail = least - x <= 0 ? 1 : Math.min(1, tail + binomial(least - x, others, other));
    total += binomial(x, trials, chance) * tail;
  }
  return Math.min(total, 1);

  /** P(Y >= value). */
  function upper(value) {
    if (value <= 0 || value > others) return value <= 0 ? 1 : 0;
    return beta(value, others - value + 1, other);
  }

  /** The chance of so many heads of n coins. */
  function binomial(heads, n, share) {
    if (heads < 0 || heads > n) return 0;
    const times = (count, value) => (count ? count * value : 0);
    const ways = logGamma(n + 1) - logGamma(heads + 1) - logGamma(n - heads + 1);
    return Math.exp(ways + times(heads, Math.log(share)) + times(n - heads, Math.log1p(-share)));
  }

  /** The logarithm of the gamma function (Stirling's series from 10 on). */
  function logGamma(value) {
    let [z, lifted] = [value, 0];
    for (; z < 10; z++) lifted -= Math.log(z);
    const w = 1 / (z * z);
    const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z;
    return lifted + (z - 0.5) * Math.log(z) - z + 0.9189385332046728 + series;
  }

  /** The regularised incomplete beta function: P(Y >= a) of a binomial of a + b - 1 trials. */
  function beta(a, b, x) {
    if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
    const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
    return x < (a + 1) / (a + b + 2) ? (front * fraction(a, b, x)) / a : 1 - (front * fraction(b, a, 1 - x)) / b;
  }

  /** Its continued fraction, by Lentz's method. */
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
};

/** The true area of rings of [longitude, latitude] on the ellipsoid of WGS 84, their edges straight in degrees. */
dpmap.squareKm = (rings) => {
  const [e2, polar] = [0.0066943799901413165, 6356.752314245179];
  const e = Math.sqrt(e2);
  const [west, south, east, north] = dpmap.plane.box(rings);
  const step = Math.max(east - west, north - south) / 50;

  /** The area of a strip one radian wide from the equator to a latitude, in polar radii squared. */
  function strip(latitude) {
    const sine = Math.sin((latitude * Math.PI) / 180);
    return sine / (2 * (1 - e2 * sine * sine)) + Math.atanh(e * sine) / (2 * e);
  }

  let total = 0;
  for (const [ax, ay, bx, by] of dpmap.plane.oriented(rings)) {
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / step));
    for (let k = 0; k < parts; k++) {
      const at = (share) => strip(ay + ((by - ay) * (k + share)) / parts);
      total -= ((bx - ax) / parts) * ((at(0) + 4 * at(0.5) + at(1)) / 6);
    }
  }
  return (total * Math.PI * polar * polar) / 180;
};

/** The polygons of a GeoJSON text, each as a name and rings of [longitude, latitude]; throws a sentence for people. */
dpmap.zonesOf = (text) => {
  const MOST = 200;
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error("This is not a GeoJSON file. Save the project areas as GeoJSON (RFC 7946) and try again.");
  }
  const found = [];
  collect(parsed, "");
  if (!found.length) throw new Error("There is no polygon in this file. Points and lines have no area to add up.");
  if (found.length > MOST) throw new Error(`This file has more than ${MOST} areas. Split it into smaller files.`);
  return found;

  function collect(item, name) {
    if (!item || typeof item !== "object") return;
    if (Array.isArray(item.features)) item.features.forEach((feature) => collect(feature, ""));
    else if (item.type === "Feature") collect(item.geometry, nameOf(item));
    else if (Array.isArray(item.geometries)) item.geometries.forEach((part) => collect(part, name));
    else if (item.type === "Polygon") add(name, ringsOf(item.coordinates));
    else if (item.type === "MultiPolygon" && Array.isArray(item.coordinates)) {
      add(name, item.coordinates.flatMap(ringsOf));
    }
  }

  function add(name, rings) {
    if (rings.length) found.push({ name: name || `Area ${found.length + 1}`, rings });
  }

  function nameOf(feature) {
    const properties = Object(feature.properties);
    const key = ["name", "Name", "NAME", "title", "id"].find((candidate) => properties[candidate] != null);
    return String(key ? properties[key] : feature.id ?? "").slice(0, 80);
  }

  function ringsOf(coordinates) {
    if (!Array.isArray(coordinates)) return [];
    const rings = coordinates.map((ring) => (Array.isArray(ring) ? ring.map(placeOf) : []));
    return rings.filter((ring) => ring.length >= 3);
  }

  function placeOf(position) {
    const [x, y] = Array.isArray(position) ? position : [];
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error("A coordinate in this file is not a number.");
    if (Math.abs(x) > 180 || Math.abs(y) > 90) {
      throw new Error("These coordinates are not longitude and latitude. Save the file as GeoJSON in WGS 84 (EPSG:4326).");
    }
    return [x, y];
  }
};
