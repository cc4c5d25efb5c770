// @ts-check
/* What land of several cells is called: by a town only where that lies in it or close by, in the words of dpmap/render/towns.py. */

/** @import { Facts, Place, Ring, Town } from "../types.d.ts" */

import { boxOfRings, holds } from "../cells/plane.js";
import { distance } from "./names.js";

/** Land is near a town that lies no farther from it than half its own width, nor than so many cells. */
const SOME_CELLS = 5;
/** Land that is wider than so many cells is not near a town. */
const WIDE = 20;
/** From this share of the map's width on, land lies across it. */
const ACROSS = 0.66;
const KM_A_DEGREE = 111.195;

/**
 * `around Teruel`, `near Teruel`, `in the north-east of the map`; of several pieces how many they are, and so of the largest.
 *
 * @param {Pick<Facts, "context" | "geometry">} facts
 * @param {Ring[][]} pieces each an outer ring and its holes
 */
export function landName(facts, pieces) {
  const sizes = pieces.map(([outer]) => sizeOf(outer));
  const largest = whereIs(facts, pieces[sizes.indexOf(Math.max(...sizes))]);
  return pieces.length === 1 ? largest : `${pieces.length.toLocaleString("en")} pieces, the largest ${largest}`;
}

/**
 * Where one piece lies.
 *
 * @param {Pick<Facts, "context" | "geometry">} facts
 * @param {Ring[]} piece
 */
function whereIs({ context, geometry }, piece) {
  const { towns = [], own = [], side } = context;
  const named = own.filter(({ points }) => points.length).flatMap(({ names }) => names);
  const known = [...named, ...towns];
  const box = boxOfRings(piece);
  const width = diagonal(box);
  const middle = middleOf(box);
  if (width > ACROSS * diagonal(boxOfMap(geometry.bounds))) return "across the map";
  const inside = known.find(([, x, y]) => holds(piece, x, y));
  if (inside && distance(inside, ...middle) <= Math.max(width / 4, side)) return `around ${inside[0]}`;
  const part = partOfMap(geometry.bounds, box);
  if (inside) return `${part}, with ${inside[0]}`;
  if (width > WIDE * side) return part;
  let [nearest, least] = [/** @type {Town | null} */ (null), Math.min(width / 2, SOME_CELLS * side)];
  for (const town of known) {
    const far = kmTo(piece, town);
    if (far <= least) [nearest, least] = [town, far];
  }
  return nearest ? `near ${nearest[0]}` : part;
}

/**
 * `in the north-east of the map`, by thirds of it.
 *
 * @param {Facts["geometry"]["bounds"]} bounds
 * @param {[number, number, number, number]} box
 */
function partOfMap([[south, west], [north, east]], box) {
  const [x, y] = middleOf(box);
  const up = ["south", "", "north"][third(y, south, north)];
  const aside = ["west", "", "east"][third(x, west, east)];
  return `in the ${[up, aside].filter(Boolean).join("-") || "middle"} of the map`;
}

/** @type {(bounds: Facts["geometry"]["bounds"]) => [number, number, number, number]} */
const boxOfMap = ([[south, west], [north, east]]) => [west, south, east, north];

/** @type {(value: number, from: number, to: number) => number} */
const third = (value, from, to) => Math.min(2, Math.max(0, Math.floor((3 * (value - from)) / (to - from))));

/** @type {(box: [number, number, number, number]) => [number, number]} */
const middleOf = ([west, south, east, north]) => [(west + east) / 2, (south + north) / 2];

/**
 * Kilometres from one corner of a box to the other.
 *
 * @param {[number, number, number, number]} box
 */
const diagonal = ([west, south, east, north]) => distance(["", west, south], east, north);

/**
 * Kilometres from a town to the nearest edge of land, on the plane that touches the globe there.
 *
 * @param {Ring[]} piece
 * @param {Town} town
 */
function kmTo([outer], [, longitude, latitude]) {
  const across = KM_A_DEGREE * Math.cos((latitude * Math.PI) / 180);
  const flat = outer.map(([x, y]) => /** @type {Place} */ ([(x - longitude) * across, (y - latitude) * KM_A_DEGREE]));
  return Math.min(...flat.map((from, i) => fromOrigin(from, flat[(i + 1) % flat.length])));
}

/**
 * @param {Place} from
 * @param {Place} to
 */
function fromOrigin([ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(ax + along * dx, ay + along * dy);
}

/**
 * How large the land within a ring is, for comparing.
 *
 * @param {Ring} ring
 */
function sizeOf(ring) {
  const [x0, y0] = ring[0];
  let total = 0;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    total += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
  });
  return Math.abs(total) * Math.cos((y0 * Math.PI) / 180);
}
