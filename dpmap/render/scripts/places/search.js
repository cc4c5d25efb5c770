// @ts-check
/* Looking up a place by its name, among the towns around the map and the names of the reader's own layers. */

/** @import { Setting, Town } from "../types.d.ts" */

import { element, find, input, make } from "../elements.js";
import { placeCoordinates } from "./names.js";

/**
 * Lists the names that may be typed, moves the map to the one that is, and says what the background cannot show.
 *
 * @param {L.Map} map
 * @param {Setting} facts
 */
export function placeSearch(map, facts) {
  notes(facts);
  const places = placesOf(facts);
  const form = find("#dp-search", HTMLFormElement);
  form.hidden = !places.size;
  for (const name of places.keys()) {
    const option = make("option");
    option.value = name;
    element("places").append(option);
  }
  const box = input("place");
  const ring = L.circleMarker([0, 0], { radius: 14, color: "#0b5cad", weight: 3, fill: false, interactive: false });
  const go = () => {
    const name = bestOf([...places.keys()], box.value);
    element("found").textContent = name || !box.value.trim() ? name : "No such name is known around this map.";
    const place = places.get(name);
    if (!place) return;
    map.setView(place, Math.max(map.getZoom(), zoomAt(map, facts)), { animate: false });
    ring.setLatLng(place).addTo(map);
  };
  map.on("click", () => ring.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  box.addEventListener("input", (event) => {
    const typed = event instanceof InputEvent ? event.inputType : "";
    if ((!typed || typed === "insertReplacementText") && places.has(box.value)) go();
  });
}

/**
 * Each name with its place; names that several places bear are told apart by their coordinates.
 *
 * @param {Setting} facts
 */
function placesOf({ context }) {
  const [west, south, east, north] = context.box;
  const all = [...(context.own ?? []).flatMap(({ names }) => names), ...(context.towns ?? [])];
  const there = all.filter(([, x, y]) => x >= west && x <= east && y >= south && y <= north);
  const times = new Map();
  for (const [name] of there) times.set(name, (times.get(name) ?? 0) + 1);
  /** @type {Map<string, L.LatLngTuple>} */
  const places = new Map();
  for (const [name, x, y] of there) {
    const apart = times.get(name) === 1 ? name : `${name} (${placeCoordinates(x, y, 10)})`;
    if (!places.has(apart)) places.set(apart, [y, x]);
  }
  return places;
}

/**
 * The name that was meant: the same, one that begins so, or one that contains it, without regard to case and accents.
 *
 * @param {string[]} names
 * @param {string} typed
 */
function bestOf(names, typed) {
  const wanted = plain(typed);
  if (!wanted) return "";
  const ranked = names.map((name) => plain(name).indexOf(wanted));
  const same = names.find((name) => plain(name) === wanted);
  const first = ranked.indexOf(0);
  const within = ranked.findIndex((at) => at > 0);
  return same ?? names[first] ?? names[within] ?? "";
}

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();

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
