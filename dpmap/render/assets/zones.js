"use strict";
/* Totals of project areas with their intervals, from the released noisy numbers: what FlatEstimate.zone answers where
   every cell was measured, and for measurements of blocks the same with whole blocks in the place of cells. */

dpmap.zones = (facts, reading, cells) => {
  const plain = facts.zones;
  const noisy = plain.regions && (plain.noisy ? dpmap.arrays.decode(plain.noisy) : reading.noisy);
  const labels = dpmap.arrays.decode(plain.labels || null);
  const sizes = labels && regionSizes();

  function regionSizes() {
    const found = new Int32Array(plain.regions);
    for (const region of labels) found[region] += 1;
    return found;
  }

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

  const sum = (indices, value) => indices.reduce((total, index) => total + value(index), 0);
  const spread = (count, level) => dpmap.law.sumQuantile(level, plain.scale, count) / plain.lattice;

  /** Whether places of a zone, taken on a raster over it, lie outside the declared area, where nothing was counted. */
  function reachesBeyond(rings) {
    const SIDE = 24;
    const [west, south, east, north] = dpmap.plane.box(rings);
    for (let i = 0; i < SIDE * SIDE; i++) {
      const x = west + ((east - west) * ((i % SIDE) + 0.5)) / SIDE;
      const y = south + ((north - south) * (Math.floor(i / SIDE) + 0.5)) / SIDE;
      if (dpmap.plane.holds(rings, x, y) && cells.cellAt(x, y) < 0) return true;
    }
    return false;
  }

  /** The total of a zone given as rings of [longitude, latitude]. */
  function total(rings) {
    const split = cells.split(rings);
    const estimate = sum(split.within, reading.estimate) + sum(split.cut, reading.estimate) / 2;
    const counts = { within: split.within.length, cut: split.cut.length, beyond: reachesBeyond(rings) };
    if (!plain.regions) return { ...counts, estimate, low: 0, high: Infinity };
    const { within, cut } = regions(split);
    const level = cut.length ? 1 - (1 - facts.level) / 2 : facts.level;
    const inside = sum(within, (region) => noisy[region]);
    const reach = inside + sum(cut, (region) => noisy[region]);
    const low = Math.max(inside - spread(within.length, level), 0);
    const high = Math.max(reach + spread(within.length + cut.length, level), 0);
    return { ...counts, estimate: Math.min(Math.max(estimate, low), high), low, high };
  }

  return { total };
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
