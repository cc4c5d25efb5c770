// @ts-check
/* Lines and names over the map. */

import { make } from "../elements.js";

/**
 * A line with a pale casing, to be seen on every colour of the map.
 *
 * @param {L.LatLngExpression[][]} latlngs
 * @param {string} colour
 * @param {number} [weight]
 */
export function outlined(latlngs, colour, weight = 3) {
  /** @param {L.PolylineOptions} options */
  const line = (options) => L.polygon(latlngs, { interactive: false, fill: false, ...options });
  const parts = [line({ color: "#ffffff", weight: 2 * weight, opacity: 0.9 }), line({ color: colour, weight })];
  const group = L.featureGroup(parts);
  return {
    group,
    /** @param {L.LatLngExpression[][][]} places */
    move: (places) => {
      for (const part of parts) part.setLatLngs(places);
    },
  };
}

/**
 * The name of an area and its answer, above it; whoever cannot see the map has both in the list.
 *
 * @param {L.LatLngBounds} bounds
 * @param {string} name
 * @param {string} answer
 */
export function labelled(bounds, name, answer) {
  const words = make("div", "", "dp-label");
  words.append(make("strong", name), make("div", answer));
  const label = L.tooltip({ permanent: true, direction: "top", className: "dp-labelled" });
  label.on("add", () => label.getElement()?.setAttribute("aria-hidden", "true"));
  return label.setLatLng([bounds.getNorth(), bounds.getCenter().lng]).setContent(words);
}
