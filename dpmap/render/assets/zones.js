"use strict";
/* Totals of project areas with their intervals, from the released noisy numbers: what `release.ask` answers. The zone's
   cells and shares are those of dpmap/grid/cover.py, the bounds those of FlatEstimate.zone and RegionBounds.zone, and
   the words those of dpmap/ask.py. */

dpmap.zones = (facts, reading, cells) => {
  const plain = facts.zones;
  const noisy = plain.noisy ? dpmap.arrays.decode(plain.noisy) : reading.noisy;
  const { labels, sizes } = dpmap.regions(facts);

  /** Regions wholly inside, and regions that the zone cuts. */
  function regions({ within, cut }) {
    if (!labels) return { within, cut };
    const held = new Map();
    for (const cell of within) held.set(labels[cell], (held.get(labels[cell]) || 0) + 1);
    for (const cell of cut) held.set(labels[cell], (held.get(labels[cell]) || 0));
    const found = { within: [], cut: [] };
    for (const [region, cellsHeld] of held) found[cellsHeld === sizes[region] ? "within" : "cut"].push(region);
    return found;
  }

  const sum = (indices, value) => indices.reduce((total, index, i) => total + value(index, i), 0);
  const spread = (count, level) => dpmap.law.sumQuantile(level, plain.scale, count, plain.kind) / plain.lattice;

  /** The total of a zone given as rings of [longitude, latitude]. */
  function total(rings) {
    const found = cells.cover(rings);
    const km2 = dpmap.squareKm(rings);
    const counts = { within: found.within.length, cut: found.cut.length, km2 };
    if (!(counts.within + counts.cut)) return { ...counts, inMap: 0, note: "outside the map" };
    const { low, high } = bounds(regions(found));
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
