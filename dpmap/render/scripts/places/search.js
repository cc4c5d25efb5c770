// @ts-check
/* Finding a place by its name, its code in a grid or its coordinates. */

/** @import { Cells, Place, Ring, Setting } from "../types.d.ts" */

/**
 * Where a place lies, and its outline if it is one of the map's own.
 *
 * @typedef {{ at: Place, words: string, outline?: Ring[] }} Found
 * @typedef {(typed: string) => Found | null} Finder
 */

import { element, find, input, make } from "../elements.js";
import { codeOf, foldName } from "../words.js";
import { placeCoordinates } from "./names.js";
import { referencePlace, typedCoordinates } from "./references.js";

/** So many names are listed while one is typed. */
const MOST_LISTED = 2000;
const RING = "#0b5cad";

/**
 * Moves the map to what is typed, and says what the background cannot show.
 *
 * @param {L.Map} map
 * @param {Setting} facts
 * @param {Cells} cells
 * @param {(at: L.LatLng) => void} [tell] what the map says there
 */
export function placeSearch(map, facts, cells, tell = () => {}) {
  notes(facts);
  const finders = findersOf(facts, cells);
  const form = find("#dp-search", HTMLFormElement);
  form.hidden = false;
  for (const name of finders.names.slice(0, MOST_LISTED)) {
    const option = make("option");
    option.value = name;
    element("places").append(option);
  }
  const box = input("place");
  const mark = L.layerGroup().addTo(map);
  const go = () => {
    const place = finders.place(box.value);
    const outside = place && !isIn(facts.context.box, place.at);
    mark.clearLayers();
    box.setAttribute("aria-invalid", String(Boolean(box.value.trim()) && (!place || outside)));
    if (!place || outside) {
      const missing = outside ? `${place.words} lies outside this map.` : `Nothing is found. ${finders.hint}`;
      element("found").textContent = box.value.trim() ? missing : "";
      return;
    }
    element("found").textContent = place.words;
    show(map, facts, mark, place);
    tell(L.latLng(place.at[1], place.at[0]));
  };
  map.on("click", () => mark.clearLayers());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  box.addEventListener("input", (event) => {
    const typed = event instanceof InputEvent ? event.inputType : "";
    if ((!typed || typed === "insertReplacementText") && finders.has(box.value)) go();
  });
}

/**
 * Moves the map to a place and marks it: by its outline, else by a ring.
 *
 * @param {L.Map} map
 * @param {Setting} facts
 * @param {L.LayerGroup} mark
 * @param {Found} place
 */
function show(map, facts, mark, { at: [x, y], outline }) {
  const style = { color: RING, weight: 3, fill: false, interactive: false };
  if (outline) {
    const shape = L.polygon(
      outline.map((ring) => ring.map(([east, north]) => /** @type {L.LatLngTuple} */ ([north, east]))),
      style,
    );
    const zoom = Math.min(map.getBoundsZoom(shape.getBounds().pad(0.5)), zoomAt(map, facts));
    map.setView(shape.getBounds().getCenter(), Math.max(zoom, map.getBoundsZoom(facts.geometry.bounds)), {
      animate: false,
    });
    shape.addTo(mark);
    return;
  }
  map.setView([y, x], Math.max(map.getZoom(), zoomAt(map, facts)), { animate: false });
  L.circleMarker([y, x], { ...style, radius: 14 }).addTo(mark);
}

/**
 * What can be found, by which way of writing it.
 *
 * @param {Setting} facts
 * @param {Cells} cells
 */
function findersOf(facts, cells) {
  const { geometry, context } = facts;
  const named = namedPlaces(facts, cells);
  const names = [...named.keys()];
  const nameOf = (/** @type {string} */ typed) => bestOf(names, typed);
  const placeOf = (/** @type {string} */ name) => named.get(name)?.() ?? null;
  /** @type {Finder[]} */
  const ways = [
    (typed) => placeOf(names.find((name) => foldName(name) === foldName(typed)) ?? ""),
    codeFinder(facts, cells),
    (typed) => pointOf(facts, cells, typedCoordinates(typed), typed),
    (typed) => (/\d/.test(typed) ? pointOf(facts, cells, referencePlace(typed), typed) : null),
    (typed) => placeOf(nameOf(typed)),
    (typed) => pointOf(facts, cells, referencePlace(typed), typed),
  ];
  const kinds = [
    ...(geometry.names && !geometry.ids ? ["an area of this map"] : []),
    ...(context.regions?.length ? ["a county or region"] : []),
    ...(context.towns?.length ? ["a town"] : []),
    ...(geometry.codes ? ["the code of a cell"] : []),
    "a grid reference like SU 12 34",
    "coordinates like 51.07, -1.79",
  ];
  return {
    names,
    has: (/** @type {string} */ typed) => named.has(typed),
    hint: `Type ${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}.`,
    place: (/** @type {string} */ typed) => {
      if (!typed.trim()) return null;
      for (const way of ways) {
        const place = way(typed);
        if (place) return place;
      }
      return null;
    },
  };
}

/**
 * Each name with its place: the map's own areas, own layers, towns, regions; names that several places bear are told apart by
 * their coordinates.
 *
 * @param {Setting} facts
 * @param {Cells} cells
 */
function namedPlaces({ context, geometry }, cells) {
  /** @type {Map<string, () => Found>} */
  const places = new Map();
  geometry.names?.forEach((name, cell) => {
    const area = () => {
      const [y, x] = cells.centre(cell);
      return { at: /** @type {Place} */ ([x, y]), words: name, outline: cells.outlineOf([cell]) };
    };
    if (!places.has(name)) places.set(name, area);
  });
  const { own = [], towns = [], regions = [] } = context;
  const all = [...own.flatMap(({ names }) => names), ...towns, ...regions];
  const inMap = all.filter(([, x, y]) => isIn(context.box, [x, y]));
  const times = new Map([...places.keys()].map((name) => [name, 1]));
  for (const [name] of inMap) times.set(name, (times.get(name) ?? 0) + 1);
  for (const [name, x, y] of inMap) {
    const apart = times.get(name) === 1 ? name : `${name} (${placeCoordinates(x, y, 10)})`;
    if (!places.has(apart)) places.set(apart, () => ({ at: [x, y], words: apart }));
  }
  return places;
}

/**
 * Finds cells by their codes in the official grid that they are in.
 *
 * @param {Setting} facts
 * @param {Cells} cells
 * @returns {Finder}
 */
function codeFinder({ geometry }, cells) {
  const { codes } = geometry;
  const count = codes?.all ? codes.all.length / codes.width : 0;
  /** @type {Map<string, number> | null} */
  let numbers = null;
  return (typed) => {
    numbers ??= new Map(
      Array.from({ length: count }, (_, cell) => [squeezed(codeOf({ geometry, cells: count }, cell)), cell]),
    );
    const cell = numbers.get(squeezed(typed));
    if (cell === undefined) return null;
    const [y, x] = cells.centre(cell);
    const words = `${codeOf({ geometry, cells: count }, cell)} in the ${codes?.title}`;
    return { at: [x, y], words, outline: cells.outlineOf([cell]) };
  };
}

/**
 * A point in degrees, or in the map's own metres where its cells are squares.
 *
 * @param {Setting} facts
 * @param {Cells} cells
 * @param {Place | null} point
 * @param {string} typed
 * @returns {Found | null}
 */
function pointOf({ geometry, context }, cells, point, typed) {
  if (!point) return null;
  const words = typed.trim();
  const frame = geometry.lattice?.frame;
  const inDegrees = Math.abs(point[0]) <= 360 && Math.abs(point[1]) <= 90;
  if (inDegrees) return { at: point, words: `${words}: ${placeCoordinates(...point, Math.min(context.side, 1))}` };
  if (!frame || !cells.lonLat) return null;
  const [west, north, width, height] = frame;
  const [column, row] = [(point[0] - west) / width, (north - point[1]) / height];
  const { rows, columns } = /** @type {{ rows: number, columns: number }} */ (geometry.lattice);
  if (column < 0 || row < 0 || column > columns || row > rows) {
    return { at: [NaN, NaN], words };
  }
  return { at: cells.lonLat(column, row), words };
}

/** @type {(box: [number, number, number, number], place: Place) => boolean} */
const isIn = ([west, south, east, north], [x, y]) => x >= west && x <= east && y >= south && y <= north;

/**
 * The name that was meant: the same, one that begins so, or one that contains it, without regard to case and accents.
 *
 * @param {string[]} names
 * @param {string} typed
 */
function bestOf(names, typed) {
  const wanted = foldName(typed);
  if (wanted.length < 2) return "";
  const ranked = names.map((name) => foldName(name).indexOf(wanted));
  const first = ranked.indexOf(0);
  const within = ranked.findIndex((at) => at > 0);
  return names[first] ?? names[within] ?? "";
}

/** @param {string} text */
const squeezed = (text) => text.replace(/\s+/g, "").toUpperCase();

/**
 * The zoom at which a place found has some twenty cells around it, or what fits the whole map if that is closer.
 *
 * @param {L.Map} map
 * @param {Setting} facts
 */
function zoomAt(map, { context, geometry }) {
  const whole = map.getBoundsZoom(geometry.bounds);
  const metres = context.side * 1000 * 20;
  const wide = Math.log2((40_075_000 * map.getSize().x) / 256 / metres);
  return Math.max(whole, Math.min(wide, whole + 1.5));
}

/**
 * What the reader must know of the background.
 *
 * @param {Setting} facts
 */
function notes({ context, tiles }) {
  const own = [...new Set((context.own ?? []).map(({ title }) => title))];
  const lines = [];
  if (context.coarse && !tiles) lines.push("The coast is drawn coarser than the cells.");
  if (own.length) lines.push(`Drawn as given: ${own.join(", ")}.`);
  element("ground").textContent = lines.join(" ");
}
