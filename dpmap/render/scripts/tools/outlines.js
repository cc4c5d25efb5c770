// @ts-check
/* Lines over the map. */

/**
 * A line with a pale casing, to be seen on every colour of the map.
 *
 * @param {L.LatLngExpression[][]} latlngs
 * @param {string} colour
 */
export function outlined(latlngs, colour) {
  /** @param {L.PolylineOptions} options */
  const line = (options) => L.polygon(latlngs, { interactive: false, fill: false, ...options });
  const parts = [line({ color: "#ffffff", weight: 6, opacity: 0.9 }), line({ color: colour, weight: 3 })];
  const group = L.featureGroup(parts);
  return {
    group,
    /** @param {L.LatLngExpression[][][]} places */
    move: (places) => {
      for (const part of parts) part.setLatLngs(places);
    },
  };
}
