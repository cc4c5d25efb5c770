// @ts-check
/* The view in the page's address, so that a link opens what somebody saw. Whoever wrote the link is not trusted: numbers and a few
   known words are read, anything else is nothing. */

/** @import { Place, Ring, Zone } from "../types.d.ts" */

/**
 * What a link asks for; each part may be missing.
 *
 * @typedef {{ view?: [[number, number], number], show?: [by: string, key: string], index?: number, limit?: number, layer?: number, drawn?: Zone[] }} Asked
 */

const NUMBER = "-?\\d{1,3}(?:\\.\\d{1,6})?";
const VIEW = new RegExp(`^(${NUMBER}),(${NUMBER}),(\\d{1,2}(?:\\.\\d{1,2})?)$`);
const PLACE = new RegExp(`^(${NUMBER}),(${NUMBER})$`);
const LIMIT = /^\d{1,12}(?:\.\d{1,12})?(?:e-\d{1,2})?$/;
const [LONGEST, MOST_AREAS, MOST_CORNERS] = [4000, 20, 200];

/**
 * What a page's address asks for; null where it is not one of ours.
 *
 * @param {string} hash
 * @returns {Asked | null}
 */
export function askedBy(hash) {
  if (!hash.startsWith("#at=") || hash.length > LONGEST) return null;
  const parts = new Map(
    hash
      .slice(1)
      .split("&")
      .map((part) => pairOf(part)),
  );
  /** @type {Asked} */
  const asked = {};
  const view = VIEW.exec(parts.get("at") ?? "");
  if (!view) return null;
  const [latitude, longitude, zoom] = view.slice(1).map(Number);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  asked.view = [[latitude, longitude], zoom];
  const show = /^(places|cells)\.([a-z]{3,8})$/.exec(parts.get("show") ?? "");
  if (show) asked.show = [show[1], show[2]];
  for (const name of /** @type {const} */ (["index", "layer"])) {
    if (/^\d{1,4}$/.test(parts.get(name) ?? "")) asked[name] = Number(parts.get(name));
  }
  const limit = LIMIT.exec(parts.get("than") ?? "");
  if (limit) asked.limit = Number(limit[0]);
  const drawn = areasIn(parts.get("areas") ?? "");
  if (drawn.length) asked.drawn = drawn;
  return asked;
}

/**
 * @param {string} part
 * @returns {[string, string]}
 */
function pairOf(part) {
  const at = part.indexOf("=");
  return at < 0 ? ["", ""] : [part.slice(0, at), part.slice(at + 1)];
}

/**
 * Areas that were drawn; none if any of them is not as this page writes it.
 *
 * @param {string} text
 * @returns {Zone[]}
 */
function areasIn(text) {
  const areas = text.split("!").map((area) => area.split("~").map(ringIn));
  const sound = areas.length <= MOST_AREAS && areas.every((rings) => rings.every((ring) => ring !== null));
  return sound ? areas.map((rings, i) => ({ name: `Drawn area ${i + 1}`, rings: /** @type {Ring[]} */ (rings) })) : [];
}

/**
 * @param {string} text
 * @returns {Ring | null}
 */
function ringIn(text) {
  const places = text.split(";").map((place) => PLACE.exec(place)?.slice(1).map(Number));
  const sound = places.length >= 3 && places.length <= MOST_CORNERS;
  const inside = places.every((place) => place && Math.abs(place[0]) <= 180 && Math.abs(place[1]) <= 90);
  return sound && inside ? /** @type {Place[]} */ (places) : null;
}

/**
 * The address of what is shown; areas are left out where it would be too long.
 *
 * @param {Required<Asked>} shown
 */
export function hashOf({ view: [centre, zoom], show, index, limit, layer, drawn }) {
  const at = [...centre.map((value) => short(value, 5)), short(zoom, 2)].join(",");
  const plain = `#at=${at}&show=${show.join(".")}&index=${index}&layer=${layer}`;
  const than = limit > 0 ? `&than=${Number(limit.toPrecision(9))}` : "";
  const areas = drawn.map(({ rings }) => rings.map((ring) => ring.map(pair).join(";")).join("~")).join("!");
  const whole = `${plain}${than}&areas=${areas}`;
  return areas && whole.length <= LONGEST && drawn.length <= MOST_AREAS ? whole : `${plain}${than}`;
}

/** @param {Place} place */
const pair = (place) => place.map((value) => short(value, 6)).join(",");

/**
 * @param {number} value
 * @param {number} digits
 */
const short = (value, digits) => String(Number(value.toFixed(digits)));
