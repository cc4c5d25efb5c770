// @ts-check
/* Names on the canvas, the most important first, where they overlap nothing. */

/** @import { Named, View } from "../types.d.ts" */

import { inkOf } from "../elements.js";

/** Square pixels of map for each name. */
const A_NAME = 55_000;
/** The canvas reaches this share of itself beyond what is seen of it, to either side. */
const RIM = 0.12;
const ARROWS = ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"];
const [FONT, HEIGHT, AWAY] = ["12px system-ui, sans-serif", 15, 6];

/** @typedef {[left: number, top: number, right: number, bottom: number]} Box */

/**
 * @param {View} view
 * @param {Named[]} names
 */
export function drawNames(view, names) {
  const { context } = view;
  const { width, height } = context.canvas;
  const [right, bottom] = [width / view.ratio, height / view.ratio];
  const most = Math.max(4, Math.round((right * bottom) / A_NAME));
  /** @type {Box[]} */
  const taken = [];
  let [written, seen] = [0, false];
  context.save();
  context.font = FONT;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const { words, at, dot } of names) {
    const [x, y] = [view.x(at[0]), view.y(at[1])];
    if (x < 0 || y < 0 || x > right || y > bottom || (words && written >= most)) continue;
    const place = roomFor(words ? context.measureText(words).width : 0, [x, y], dot, taken, [0, 0, right, bottom]);
    if (!place) continue;
    if (dot) drawDot(context, x, y);
    if (words) write(context, words, place[0] + 2, (place[1] + place[3]) / 2);
    taken.push(place, ...(dot ? [/** @type {Box} */ ([x - 3, y - 3, x + 3, y + 3])] : []));
    written += words ? 1 : 0;
    const isSeen = Math.abs(x / right - 0.5) < 0.5 - RIM && Math.abs(y / bottom - 0.5) < 0.5 - RIM;
    seen ||= Boolean(words) && isSeen;
  }
  if (!seen) pointTo(view, names, [right, bottom]);
  context.restore();
}

/**
 * Where nothing in sight has a name: the nearest one at the edge that it lies beyond.
 *
 * @param {View} view
 * @param {Named[]} names
 * @param {[right: number, bottom: number]} frame
 */
function pointTo({ context, x, y }, names, [right, bottom]) {
  /** @type {(name: Named) => [number, number]} */
  const away = ({ at }) => [x(at[0]) - right / 2, y(at[1]) - bottom / 2];
  const named = names.filter(({ words }) => words);
  if (!named.length) return;
  const nearest = named.reduce((a, b) => (Math.hypot(...away(b)) < Math.hypot(...away(a)) ? b : a));
  const [east, south] = away(nearest);
  const arrow = ARROWS[(Math.round((Math.atan2(south, east) * 4) / Math.PI) + 8) % 8];
  const words = `${nearest.words} ${arrow}`;
  const wide = context.measureText(words).width;
  const [aside, below] = [RIM * right + HEIGHT, RIM * bottom + HEIGHT];
  const left = Math.min(Math.max(east + right / 2 - wide / 2, aside), right - wide - aside);
  const level = Math.min(Math.max(south + bottom / 2, below), bottom - below);
  write(context, words, left, level);
}

/**
 * Beside a dot, or on the middle of what has none; null where all is taken.
 *
 * @param {number} wide
 * @param {[x: number, y: number]} middle
 * @param {boolean} dot
 * @param {Box[]} taken
 * @param {Box} frame
 * @returns {Box | null}
 */
function roomFor(wide, [x, y], dot, taken, frame) {
  const half = HEIGHT / 2;
  const sides = dot
    ? [
        [x + AWAY, y],
        [x - AWAY - wide, y],
        [x - wide / 2, y - HEIGHT],
        [x - wide / 2, y + HEIGHT],
      ]
    : [[x - wide / 2, y]];
  for (const [left, level] of sides) {
    /** @type {Box} */
    const box = [left - 2, level - half, left + wide + 2, level + half];
    const inside = box[0] >= frame[0] && box[1] >= frame[1] && box[2] <= frame[2] && box[3] <= frame[3];
    if (inside && !taken.some((other) => overlap(box, other))) return box;
  }
  return null;
}

/**
 * @param {Box} one
 * @param {Box} other
 */
const overlap = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 */
function drawDot(context, x, y) {
  context.beginPath();
  context.arc(x, y, 2.5, 0, 2 * Math.PI);
  context.fillStyle = inkOf("--name");
  context.strokeStyle = inkOf("--name-edge");
  context.lineWidth = 1.5;
  context.stroke();
  context.fill();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} words
 * @param {number} x
 * @param {number} y
 */
function write(context, words, x, y) {
  context.strokeStyle = inkOf("--name-edge");
  context.lineWidth = 3;
  context.strokeText(words, x, y);
  context.fillStyle = inkOf("--name");
  context.fillText(words, x, y);
}
