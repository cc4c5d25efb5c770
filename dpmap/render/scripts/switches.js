// @ts-check
/* One page for the layers of a release: a list for each axis of kinds, a slider for each axis of times. */

/** @import { Axis } from "./types.d.ts" */

import { element, make } from "./elements.js";
import { whileOpen } from "./life.js";

/** Milliseconds that each layer is shown. */
const PACE = 1600;

/** The axis that plays. */
let playing = -1;

/**
 * The controls above the layers, where the release has more than one map; `turnTo` is told a layer, and the control that
 * was used.
 *
 * @param {Axis[]} axes
 * @param {number} layer
 * @param {(layer: number, control: string) => void} turnTo
 */
export function switches(axes, layer, turnTo) {
  const box = element("switches");
  box.hidden = false;
  const places = placesAlong(axes, layer);
  axes.forEach(({ column, names, times }, axis) => {
    const name = names[places[axis]];
    const control = times ? slider(names.length, places[axis], name) : list(names, places[axis]);
    control.id = `dp-axis-${axis}`;
    control.addEventListener("change", () =>
      turnTo(layerAt(axes, places.with(axis, Number(control.value))), control.id),
    );
    const label = make("label", `${column} `);
    label.htmlFor = control.id;
    if (times) label.append(make("output", name));
    box.append(label, control);
    const next = layerAt(axes, places.with(axis, (places[axis] + 1) % names.length));
    if (times && !still.matches) box.append(player(axis, (from) => turnTo(next, from)));
  });
}

/** Whether the reader asked for nothing that moves. */
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

/**
 * A button that turns from one time to the next until it, or anything else, is used.
 *
 * @param {number} axis
 * @param {(control: string) => void} next
 */
function player(axis, next) {
  const made = make("button", "", "dp-play");
  Object.assign(made, { type: "button", id: `dp-play-${axis}` });
  let timer = 0;
  const tell = () => {
    made.textContent = playing === axis ? "Pause" : "Play";
    made.setAttribute("aria-pressed", String(playing === axis));
  };
  const stop = () => {
    clearInterval(timer);
    playing = -1;
    tell();
  };
  const play = () => {
    playing = axis;
    timer = window.setInterval(() => next(document.activeElement === made ? made.id : ""), PACE);
    tell();
  };
  made.addEventListener("click", () => (playing === axis ? stop() : play()));
  const { signal } = whileOpen();
  signal.addEventListener("abort", () => clearInterval(timer));
  for (const kind of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(kind, (event) => made.contains(/** @type {Node} */ (event.target)) || stop(), {
      signal,
      capture: true,
      passive: true,
    });
  }
  if (playing === axis) play();
  else tell();
  return made;
}

/**
 * A layer's place on each axis, the last of which turns fastest.
 *
 * @param {Axis[]} axes
 * @param {number} layer
 */
function placesAlong(axes, layer) {
  let rest = layer;
  const places = axes.map(() => 0);
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    places[axis] = rest % axes[axis].names.length;
    rest = Math.floor(rest / axes[axis].names.length);
  }
  return places;
}

/**
 * @param {Axis[]} axes
 * @param {number[]} places
 */
const layerAt = (axes, places) => places.reduce((number, place, at) => number * axes[at].names.length + place, 0);

/**
 * @param {number} count
 * @param {number} place
 * @param {string} words
 */
function slider(count, place, words) {
  const made = make("input");
  Object.assign(made, { type: "range", min: 0, max: count - 1, step: 1 });
  made.value = String(place);
  made.setAttribute("aria-valuetext", words);
  return made;
}

/**
 * @param {string[]} names
 * @param {number} place
 */
function list(names, place) {
  const made = make("select");
  names.forEach((name, at) => {
    made.append(Object.assign(make("option", name), { value: at }));
  });
  made.value = String(place);
  return made;
}
