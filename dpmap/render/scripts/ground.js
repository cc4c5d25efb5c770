// @ts-check
/* The empty map: Leaflet, its controls, the places it may show, and tiles where the maker of the page chose some. */

/** @import { Facts, Setting, Tiles } from "./types.d.ts" */

import { element, make } from "./elements.js";

/**
 * A Leaflet map with nothing on it yet.
 *
 * @param {string} name of the element it is in
 * @param {Setting} facts
 */
export function emptyMap(name, facts) {
  useOwnPictures();
  const map = L.map(name, {
    attributionControl: Boolean(facts.tiles),
    zoomSnap: 0.25,
    zoomDelta: 0.5,
    maxBoundsViscosity: 0.7,
    keyboardPanDelta: 60,
    zoomControl: false,
    boxZoom: false,
  });
  map.getContainer().setAttribute("aria-label", `Map: ${facts.title}`);
  L.control.zoom({ zoomInTitle: "Zoom in", zoomOutTitle: "Zoom out" }).addTo(map);
  L.control.scale({ position: "bottomleft", imperial: false }).addTo(map);
  map.createPane("cells").style.zIndex = "250";
  const [west, south, east, north] = facts.context.box;
  map.setMaxBounds([
    [south, west],
    [north, east],
  ]);
  map.fitBounds(facts.geometry.bounds, { animate: false, padding: [16, 16] });
  map.setMinZoom(map.getZoom() - 1.5);
  return map;
}

/** Leaflet's marker picture, for layers that others add: the one written out in the style sheet. */
function useOwnPictures() {
  const probe = make("div", "", "leaflet-default-icon-path");
  document.body.append(probe);
  const picture = getComputedStyle(probe).backgroundImage.replace(/^url\("?|"?\)$/g, "");
  probe.remove();
  Reflect.deleteProperty(L.Icon.Default.prototype, "_getIconUrl");
  L.Icon.Default.mergeOptions({ iconUrl: picture, iconRetinaUrl: picture, shadowUrl: "" });
}

/**
 * A background from one named server, and what that server learns.
 *
 * @param {L.Map} map
 * @param {Tiles} tiles
 */
export function addTiles(map, { url, host }) {
  map.attributionControl.setPrefix(false);
  L.tileLayer(url, { attribution: `Background: ${host}`, referrerPolicy: "no-referrer" }).addTo(map);
  const notice = element("tiles");
  notice.hidden = false;
  notice.textContent = `Background from ${host}: that server learns your network address and which part of the map you look at.`;
}

/**
 * Lets nobody come closer than the cells mean: one is a quarter of the map's width at most.
 *
 * @param {L.Map} map
 * @param {Pick<Facts, "cells" | "geometry">} facts
 * @param {(cell: number) => number} areaOf
 */
export function limitZoom(map, { cells, geometry }, areaOf) {
  const areas = Array.from({ length: Math.min(cells, 2000) }, (_, i) =>
    areaOf(Math.floor((i * cells) / Math.min(cells, 2000))),
  );
  const small = areas.sort((a, b) => a - b)[Math.floor(areas.length / 10)];
  const latitude = (geometry.bounds[0][0] + geometry.bounds[1][0]) / 2;
  const kmPerPixel = 156.543 * Math.cos((latitude * Math.PI) / 180);
  const closest = Math.log2((kmPerPixel * map.getSize().x) / 4 / Math.sqrt(small));
  map.setMaxZoom(Math.max(Math.floor(closest * 4) / 4, map.getBoundsZoom(geometry.bounds)));
}
