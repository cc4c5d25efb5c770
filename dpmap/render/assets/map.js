"use strict";
/* The page: layers, reading, drawing, table. Text from the release is only ever set as text. */

/** Draws background and cells on one canvas that Leaflet moves and zooms. */
dpmap.CellLayer = L.Renderer.extend({
  options: { pane: "cells", padding: 0.15 },

  initialize(facts, cells) {
    L.Renderer.prototype.initialize.call(this);
    this.facts = facts;
    this.cells = cells;
    this.tints = new Uint8Array(facts.cells);
    this.palette = [];
    this.background = this._toWorld(facts.context);
  },

  /** Shows each cell in `palette[tints[cell]]`. */
  paint(tints, palette) {
    this.tints = tints;
    this.palette = palette;
    if (this._map) this._update();
  },

  _toWorld(context) {
    const found = {};
    const place = ([x, y]) => [dpmap.world.x(x), dpmap.world.y(y)];
    for (const name of ["land", "lakes", "borders", "rivers"]) {
      found[name] = (context[name] || []).map((line) => line.map(place));
    }
    const [west, south, east, north] = context.box;
    found.box = [[[west, south], [east, south], [east, north], [west, north]].map(place)];
    return found;
  },

  _initContainer() {
    this._container = document.createElement("canvas");
    this._container.setAttribute("aria-hidden", "true");
    if (this.facts.tiles) this._container.style.opacity = 0.75;
  },

  _destroyContainer() {
    this._container.remove();
  },

  _update() {
    if (this._map._animatingZoom && this._bounds) return;
    L.Renderer.prototype._update.call(this);
    const size = this._bounds.getSize();
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    this._container.width = Math.round(size.x * ratio);
    this._container.height = Math.round(size.y * ratio);
    this._container.style.width = `${size.x}px`;
    this._container.style.height = `${size.y}px`;
    L.DomUtil.setPosition(this._container, this._bounds.min);
    this._draw(this._view(ratio));
    this.fire("update");
  },

  /** How world coordinates fall on this canvas. */
  _view(ratio) {
    const map = this._map;
    const context = this._container.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const world = 256 * 2 ** map.getZoom();
    const origin = map.getPixelOrigin().add(this._bounds.min);
    const corner = map.layerPointToLatLng(this._bounds.min);
    const opposite = map.layerPointToLatLng(this._bounds.max);
    return {
      context,
      ratio,
      origin: [origin.x, origin.y],
      box: [corner.lng, opposite.lat, opposite.lng, corner.lat],
      x: (x) => x * world - origin.x,
      y: (y) => y * world - origin.y,
      worldX: (pixel) => (pixel / ratio + origin.x) / world,
      worldY: (pixel) => (pixel / ratio + origin.y) / world,
      pixels: (degrees) => (degrees / 360) * world,
      separator: dpmap.colour("--separator"),
      ink: dpmap.colour("--block"),
    };
  },

  _draw(view) {
    if (!this.facts.tiles) {
      this._fill(view, this.background.box, "--water");
      this._fill(view, this.background.land, "--ground");
      this._fill(view, this.background.lakes, "--water");
    }
    this.cells.fill(view, this.tints, this.palette);
    if (this.facts.tiles) return;
    this._stroke(view, this.background.rivers, "--river", 1, []);
    this._stroke(view, [...this.background.land, ...this.background.lakes], "--river", 0.8, []);
    this._stroke(view, this.background.borders, "--border", 1, [5, 3]);
  },

  _path(view, lines) {
    view.context.beginPath();
    for (const line of lines) line.forEach(([x, y], i) => view.context[i ? "lineTo" : "moveTo"](view.x(x), view.y(y)));
  },

  _fill(view, lines, colour) {
    this._path(view, lines);
    view.context.fillStyle = dpmap.colour(colour);
    view.context.fill("evenodd");
  },

  _stroke(view, lines, colour, width, dash) {
    this._path(view, lines);
    view.context.strokeStyle = dpmap.colour(colour);
    view.context.lineWidth = width;
    view.context.setLineDash(dash);
    view.context.stroke();
    view.context.setLineDash([]);
  },
});

/** A colour of the style sheet, as it is now (light, dark or print). */
dpmap.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** An element of the page by the name after `dp-`. */
dpmap.element = (name) => document.getElementById(`dp-${name}`);

/** A new element holding text, never markup. */
dpmap.make = (tag, text = "", className = "") => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
};

/** Numbers as people read them: no more digits than matter, thousands apart. */
dpmap.number = (value) => {
  if (!Number.isFinite(value)) return value > 0 ? "unbounded" : "unknown";
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en");
  if (size >= 1 || size === 0) return String(Math.round(value * 10) / 10);
  return size >= 1e-4 ? String(Number(value.toPrecision(2))) : value.toExponential(1);
};

dpmap.percent = (share) => `${Math.round(share * 1000) / 10} %`;

/** Fills the page from its facts and returns the Leaflet map at once; the cells follow as soon as they are unpacked. */
dpmap.open = (name, layer = 0, before = {}) => {
  const facts = dpmap.factsOf(name, layer);
  if (facts.axes) dpmap.blank ??= document.querySelector(".dp-page").cloneNode(true);
  dpmap.useOwnPictures();
  dpmap.writeWords(facts);
  dpmap.switches(name, facts, layer);
  const map = L.map(name, {
    attributionControl: Boolean(facts.tiles), zoomSnap: 0.25, zoomDelta: 0.5, maxBoundsViscosity: 0.7, keyboardPanDelta: 60,
    zoomControl: false, boxZoom: false,
  });
  map.getContainer().setAttribute("aria-label", `Map: ${facts.title}`);
  L.control.zoom({ zoomInTitle: "Zoom in", zoomOutTitle: "Zoom out" }).addTo(map);
  L.control.scale({ position: "bottomleft", imperial: false }).addTo(map);
  map.createPane("cells").style.zIndex = 250;
  const [west, south, east, north] = facts.context.box;
  map.setMaxBounds([[south, west], [north, east]]);
  map.fitBounds(facts.geometry.bounds, { animate: false, padding: [16, 16] });
  map.setMinZoom(map.getZoom() - 1.5);
  if (before.view) map.setView(...before.view, { animate: false });
  dpmap.addTiles(map, facts.tiles);
  dpmap.fill(map, facts, before.drawn).catch((error) => {
    dpmap.element("problem").textContent = `This browser cannot show the cells: ${error.message}`;
    throw error;
  });
  return map;
};

/** Leaflet's marker picture, for layers that others add: the one written out in the style sheet. */
dpmap.useOwnPictures = () => {
  const probe = dpmap.make("div", "", "leaflet-default-icon-path");
  document.body.append(probe);
  const picture = getComputedStyle(probe).backgroundImage.replace(/^url\("?|"?\)$/g, "");
  probe.remove();
  delete L.Icon.Default.prototype._getIconUrl;
  L.Icon.Default.mergeOptions({ iconUrl: picture, iconRetinaUrl: picture, shadowUrl: "" });
};

dpmap.addTiles = (map, tiles) => {
  if (!tiles) return;
  map.attributionControl.setPrefix(false);
  L.tileLayer(tiles.url, { attribution: "Background: " + tiles.host, referrerPolicy: "no-referrer" }).addTo(map);
  const notice = dpmap.element("tiles");
  notice.hidden = false;
  notice.textContent =
    `Background from ${tiles.host}: that server learns your network address and which places you look at.`;
};

dpmap.writeWords = (facts) => {
  dpmap.element("title").textContent = facts.title;
  dpmap.element("subtitle").textContent = `${facts.noun}, capped; ${dpmap.percent(facts.level)} intervals throughout`;
  dpmap.element("provenance").textContent = facts.provenance;
  const list = dpmap.element("facts");
  for (const [term, words] of facts.about) list.append(dpmap.make("dt", term), dpmap.make("dd", words));
};

dpmap.fill = async (map, facts, drawn = []) => {
  const regions = dpmap.regions(facts);
  const cells = await dpmap.cells(facts, regions);
  const page = { map, facts, cells, regions, hot: dpmap.hotSpots(facts), reading: dpmap.reading(facts) };
  page.layer = new dpmap.CellLayer(facts, cells).addTo(map);
  page.shown = dpmap.layers(page);
  page.pointing = dpmap.pointing(page);
  const areas = (page.areas = dpmap.projectAreas(page));
  document.documentElement.classList.toggle("dp-is-local", facts.local);
  drawn.forEach(areas.add);
  dpmap.drawing(page, areas);
  dpmap.files(areas);
  dpmap.strongest(page);
  dpmap.hotTable(page);
  dpmap.printing(page);
  dpmap.page = page;
  document.documentElement.dataset.ready = "yes";
};
