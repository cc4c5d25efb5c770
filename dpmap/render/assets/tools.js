"use strict";
/* What a reader does with the page: point at cells, draw or drop project areas, read the table, print. */

/** Words for one cell, as lines of [words, class name of a style]. */
dpmap.describe = (page, cell) => {
  const { facts, reading } = page;
  const lines = [[dpmap.cellName(page, cell), "name"]];
  lines.push([`${dpmap.number(reading.estimate(cell))} ${facts.noun}`, "value"]);
  lines.push([`${dpmap.percent(facts.level)} interval ${dpmap.range(reading.low(cell), reading.high(cell))}`, ""]);
  if (facts.per_km2) lines.push([`${dpmap.number(reading.estimate(cell) / reading.areaOf(cell))} per km\u00b2`, ""]);
  const index = page.shown.threshold();
  if (index !== null && page.regions.sizeOf(cell) === 1) {
    const confidence = Math.floor(reading.confidence(index)(cell) * 1000) / 10;
    const words = confidence > 99.8 ? "over 99.8" : confidence;
    lines.push([`above ${dpmap.number(reading.thresholds[index])}: ${words} % confidence`, ""]);
  }
  if (!reading.sure[cell]) lines.push(["not distinguishable from noise", "quiet"]);
  const size = page.regions.sizeOf(cell);
  if (size > 1) lines.push([`one of ${size.toLocaleString("en")} cells measured as one block: how it lies within is a guess`, "quiet"]);
  if (page.hot.clusterOf.has(cell)) lines.push([`in ${dpmap.hotName(page, page.hot.clusterOf.get(cell))}`, ""]);
  return lines;
};

dpmap.range = (low, high) => `${dpmap.number(low)} to ${dpmap.number(high)}`;

dpmap.cellName = ({ facts, cells }, cell) => {
  const names = facts.geometry.names;
  if (names) return names[cell];
  if (!cells.rowColumn) return `Cell ${cell + 1}`;
  const [row, column] = cells.rowColumn(cell);
  return `Row ${row + 1}, col ${column + 1}`;
};

/** A line with a pale casing, to be seen on every colour of the map. */
dpmap.outlined = (latlngs, colour) => {
  const line = (options) => L.polygon(latlngs, { interactive: false, fill: false, ...options });
  return L.featureGroup([line({ color: "#ffffff", weight: 6, opacity: 0.9 }), line({ color: colour, weight: 3 })]);
};

/** Pointing with a mouse, a finger, or the cross in the middle when the keyboard moves the map. */
dpmap.pointing = (page) => {
  const { map, cells } = page;
  const tip = document.querySelector(".dp-tip");
  const cross = document.querySelector(".dp-cross");
  const stage = document.querySelector(".dp-stage");
  const mark = dpmap.outlined([], "#111111");
  let byKeyboard = false;
  let last = -1;

  map.on("mousemove", (event) => point(event.latlng, event.containerPoint));
  map.on("click", (event) => point(event.latlng, event.containerPoint));
  map.on("mouseout", hide);
  map.on("dragstart zoomstart", () => byKeyboard || hide());
  map.on("moveend", () => byKeyboard && atCross());
  const box = map.getContainer();
  box.addEventListener("keydown", () => setKeyboard(true));
  box.addEventListener("pointerdown", () => setKeyboard(false));
  box.addEventListener("focus", () => box.matches(":focus-visible") && setKeyboard(true));
  box.addEventListener("blur", () => {
    setKeyboard(false);
    hide();
  });
  return {
    refresh: () => (tip.hidden ? null : write(last)),
    show: (cell, at) => {
      write(cell);
      place(at);
    },
  };

  function setKeyboard(on) {
    if (on === byKeyboard) return;
    byKeyboard = on;
    cross.classList.toggle("dp-on", on);
    if (on) atCross();
  }

  function atCross() {
    const middle = map.getSize().divideBy(2);
    cross.style.left = `${middle.x - 11}px`;
    cross.style.top = `${middle.y - 11}px`;
    point(map.getCenter(), middle);
  }

  function point(latlng, at) {
    if (page.drawingNow && !byKeyboard) return hide();
    const cell = cells.cellAt(latlng.lng, latlng.lat);
    if (cell < 0) return hide();
    if (cell !== last) write(cell);
    place(at);
  }

  function write(cell) {
    last = cell;
    tip.replaceChildren(...dpmap.describe(page, cell).map(([words, style]) =>
      dpmap.make(style === "value" ? "strong" : "div", words, style && `dp-${style}`)));
    const { world } = dpmap;
    const rings = cells.outline(cell).map((ring) => [ring.map(([x, y]) => [world.latitude(y), world.longitude(x)])]);
    mark.eachLayer((line) => line.setLatLngs(rings));
    mark.addTo(map);
    tip.hidden = false;
  }

  /** Beside the place, inside the map. */
  function place(at) {
    const room = [map.getSize().x - tip.offsetWidth - 8, map.getSize().y - tip.offsetHeight - 8];
    const left = at.x + 18 > room[0] ? at.x - tip.offsetWidth - 18 : at.x + 18;
    const top = at.y + 18 > room[1] ? at.y - tip.offsetHeight - 18 : at.y + 18;
    tip.style.left = `${Math.max(8, Math.min(room[0], left))}px`;
    tip.style.top = `${Math.max(8, Math.min(room[1], top))}px`;
  }

  function hide() {
    last = -1;
    tip.hidden = true;
    mark.remove();
  }
};

/** The list of project areas and their answers. */
dpmap.projectAreas = (page) => {
  const { map, facts } = page;
  const zones = dpmap.zones(facts, page.reading, page.cells);
  const answers = dpmap.element("answers");
  const note = dpmap.element("answers-note");
  const clear = dpmap.element("clear");
  const shapes = L.layerGroup().addTo(map);
  const drawn = [];
  clear.addEventListener("click", () => {
    drawn.length = 0;
    shapes.clearLayers();
    answers.replaceChildren();
    note.hidden = clear.disabled = true;
    dpmap.element("problem").textContent = "";
  });

  function add({ name, rings }) {
    drawn.push({ name, rings });
    const total = zones.total(rings);
    const latlngs = rings.map((ring) => ring.map(([x, y]) => [y, x]));
    const shape = dpmap.outlined(latlngs, "#0b5cad").addTo(shapes);
    const row = dpmap.make("li");
    row.append(dpmap.make("span", name, "dp-name"), ...words(total));
    answers.append(row);
    note.hidden = clear.disabled = false;
    note.textContent =
      `Capped totals of ${facts.noun}, each with its own ${dpmap.percent(facts.level)} interval, which holds for areas ` +
      "drawn without looking at the map. Cells that the edge cuts count by the share inside; the interval allows for none or " +
      "all of each." + (facts.geometry.image ? " Cells are known to this page to a sixth of their width: dpmap ask is exact." : "");
    return shape;
  }

  function words(total) {
    const lines = [dpmap.make("div", total.note, "dp-quiet")].filter((line) => line.textContent);
    if (!(total.within + total.cut)) return lines;
    const cut = total.cut ? `, ${total.cut.toLocaleString("en")} cut by its edge` : "";
    return [
      dpmap.make("strong", `about ${dpmap.number(total.estimate)}`),
      dpmap.make("div", `${dpmap.percent(facts.level)} interval ${dpmap.range(total.low, total.high)}`),
      ...lines,
      dpmap.make("div", `${total.within.toLocaleString("en")} cells wholly inside${cut}; ${dpmap.number(total.km2)} km\u00b2, ` +
        `about ${dpmap.number(total.perKm2)} per km\u00b2`, "dp-quiet"),
    ];
  }

  function addAll(found) {
    dpmap.element("problem").textContent = "";
    const outlines = found.map(add);
    const inside = L.latLngBounds(facts.geometry.bounds);
    const all = outlines.reduce((bounds, shape) => bounds.extend(shape.getBounds()), L.latLngBounds([]));
    if (outlines.length && inside.intersects(all) && !map.getBounds().contains(all)) {
      map.fitBounds(all, { padding: [24, 24], animate: false });
    }
  }

  let drawnSoFar = 0;
  return { add, addAll, drawn, nextName: () => `Drawn area ${++drawnSoFar}` };
};

/** Drawing with a mouse, a finger or the keyboard (the cross is the pen), or by typing corners. */
dpmap.drawing = (page, areas) => {
  const { map } = page;
  const bar = document.querySelector(".dp-drawing");
  const buttons = { rectangle: dpmap.element("rectangle"), polygon: dpmap.element("polygon") };
  const sketch = L.polygon([], { dashArray: "6 5", weight: 2.5, interactive: false });
  const box = map.getContainer();
  const HINTS = {
    rectangle: "Drag from corner to corner, or tap two corners. Keyboard: arrows move, Enter sets a corner.",
    polygon: "Tap each corner, then Finish. Keyboard: arrows move, Enter sets a corner.",
  };
  let mode = null;
  let corners = [];
  let pressed = null;

  for (const [kind, button] of Object.entries(buttons)) {
    button.addEventListener("click", () => (mode === kind ? stop() : start(kind)));
  }
  dpmap.element("finish").addEventListener("click", finish);
  dpmap.element("cancel").addEventListener("click", stop);
  dpmap.element("corners").addEventListener("submit", typed);
  box.addEventListener("pointerdown", press, true);
  window.addEventListener("pointermove", move, dpmap.whileOpen());
  window.addEventListener("pointerup", release, dpmap.whileOpen());
  window.addEventListener("pointercancel", () => (pressed = null), dpmap.whileOpen());
  document.addEventListener("keydown", key, dpmap.whileOpen());

  function start(kind) {
    stop();
    mode = kind;
    page.drawingNow = true;
    buttons[kind].setAttribute("aria-pressed", "true");
    document.querySelector(".dp-stage").classList.add("dp-drawing-now");
    bar.hidden = false;
    dpmap.element("finish").hidden = kind === "rectangle";
    dpmap.element("hint").textContent = HINTS[kind];
    map.dragging.disable();
    map.doubleClickZoom.disable();
    if (map.touchZoom) map.touchZoom.disable();
    sketch.setStyle({ color: dpmap.colour("--accent") });
    box.focus();
    document.querySelector(".dp-stage").scrollIntoView({ block: "nearest" });
  }

  function stop() {
    if (!mode) return;
    buttons[mode].setAttribute("aria-pressed", "false");
    mode = null;
    corners = [];
    pressed = null;
    page.drawingNow = false;
    document.querySelector(".dp-stage").classList.remove("dp-drawing-now");
    bar.hidden = true;
    sketch.remove();
    map.dragging.enable();
    map.doubleClickZoom.enable();
    if (map.touchZoom) map.touchZoom.enable();
  }

  function latlngOf(event) {
    return map.mouseEventToLatLng(event);
  }

  function press(event) {
    if (!mode || event.button !== 0 || event.target.closest(".leaflet-control")) return;
    event.preventDefault();
    pressed = { x: event.clientX, y: event.clientY, latlng: latlngOf(event) };
  }

  function move(event) {
    if (!mode) return;
    if (mode === "rectangle" && pressed) outline([pressed.latlng, latlngOf(event)]);
    else if (corners.length) outline([...corners, latlngOf(event)]);
  }

  function release(event) {
    if (!mode || !pressed) return;
    const far = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 8;
    const from = pressed.latlng;
    pressed = null;
    if (mode === "rectangle" && far) {
      corners = [from, latlngOf(event)];
      finish();
    } else corner(from);
  }

  function key(event) {
    if (!mode) return;
    if (event.key === "Escape") stop();
    if (event.key !== "Enter" || document.activeElement !== box) return;
    event.preventDefault();
    corner(map.getCenter());
  }

  function corner(latlng) {
    corners.push(latlng);
    outline(corners);
    const left = mode === "rectangle" ? 2 - corners.length : 3 - corners.length;
    dpmap.element("hint").textContent = left > 0
      ? `${corners.length} set, ${left} more.` : `${corners.length} corners set; add more, or Finish.`;
    if (mode === "rectangle" && corners.length === 2) finish();
  }

  function outline(latlngs) {
    sketch.setLatLngs(ringOf(latlngs).map(([x, y]) => [y, x])).addTo(map);
  }

  function ringOf(latlngs) {
    if (mode !== "rectangle") return latlngs.map(({ lat, lng }) => [lng, lat]);
    const { lng: a, lat: b } = latlngs[0];
    const { lng: c, lat: d } = latlngs[latlngs.length - 1];
    return [[a, b], [c, b], [c, d], [a, d]];
  }

  function finish() {
    const ring = ringOf(corners);
    if (corners.length < (mode === "rectangle" ? 2 : 3)) {
      dpmap.element("hint").textContent = "Set at least three corners first.";
      return;
    }
    areas.addAll([{ name: areas.nextName(), rings: [ring] }]);
    stop();
  }

  function typed(event) {
    event.preventDefault();
    const text = (name) => event.target.elements[name].value.trim();
    const degrees = (name) => (text(name) ? Number(text(name)) : NaN);
    const [west, south, east, north] = ["west", "south", "east", "north"].map(degrees);
    if (!(west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90)) {
      dpmap.element("problem").textContent = "Corners are degrees, with west below east and south below north, like -3.5.";
      return;
    }
    const ring = [[west, south], [east, south], [east, north], [west, north]];
    areas.addAll([{ name: areas.nextName(), rings: [ring] }]);
  }
};

/** GeoJSON files, dropped anywhere or opened. They are read in the page and go nowhere. */
dpmap.files = (areas) => {
  const LARGEST = 20e6;
  const input = dpmap.element("file");
  const root = document.querySelector(".dp-page");
  dpmap.element("open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    [...input.files].forEach(read);
    input.value = "";
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    root.classList.add("dp-dropping");
  }, dpmap.whileOpen());
  document.addEventListener("dragleave", (event) => event.relatedTarget || root.classList.remove("dp-dropping"), dpmap.whileOpen());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dp-dropping");
    [...event.dataTransfer.files].forEach(read);
  }, dpmap.whileOpen());

  async function read(file) {
    try {
      if (file.size > LARGEST) throw new Error("This file is larger than 20 MB. Simplify the areas and try again.");
      areas.addAll(dpmap.zonesOf(await file.text()));
    } catch (error) {
      dpmap.element("problem").textContent = error.message;
    }
  }
};

/** `hot spot 1 (4 cells)` */
dpmap.hotName = ({ hot }, cluster) => {
  const count = hot.members[cluster].length;
  return `hot spot ${cluster + 1} (${count.toLocaleString("en")} cell${count === 1 ? "" : "s"})`;
};

/** The table of hot spots, each with its total. */
dpmap.hotTable = (page) => {
  const { facts, hot } = page;
  dpmap.element("hot").hidden = !facts.hot;
  if (!facts.hot) return;
  dpmap.element("hot-interval").textContent = `${dpmap.percent(facts.hot.level)} interval`;
  dpmap.element("hot-note").textContent = hot.members.length
    ? "Cells denser than their surroundings, joined where they touch. These intervals hold although the areas were chosen by " +
      "looking at the map, and are wider for that."
    : "No cell is shown to be denser than its surroundings. That does not mean that there is no dense place.";
  hot.members.slice(0, 50).forEach((members, cluster) => {
    const name = dpmap.hotName(page, cluster).replace("hot spot ", "");
    dpmap.element("hot-rows").append(dpmap.tableRow(page, name, members, hot.totals[cluster]));
  });
};

/** A row of a table: a button that shows cells on the map, an estimate, an interval. */
dpmap.tableRow = (page, name, cells, [estimate, low, high]) => {
  const row = dpmap.make("tr");
  const head = dpmap.make("th");
  head.scope = "row";
  const button = dpmap.make("button", name);
  button.type = "button";
  button.addEventListener("click", () => dpmap.goTo(page, cells));
  head.append(button);
  row.append(head, dpmap.make("td", dpmap.number(estimate)), dpmap.make("td", dpmap.range(low, high)));
  return row;
};

/** Shows cells in the middle of the map, with the words for the first. */
dpmap.goTo = (page, cells) => {
  const { map } = page;
  const { world } = dpmap;
  const places = cells.flatMap((cell) => page.cells.outline(cell)).flat().map(([x, y]) => [world.latitude(y), world.longitude(x)]);
  const bounds = L.latLngBounds(places.length ? places : [page.cells.centre(cells[0])]);
  const zoom = Math.max(map.getZoom(), Math.min(16, map.getBoundsZoom(bounds.pad(cells.length > 1 ? 2 : 8))));
  map.setView(bounds.getCenter(), zoom, { animate: false });
  page.pointing.show(cells[0], map.latLngToContainerPoint(page.cells.centre(cells[0])));
};

/** The table of strongest cells: the map's numbers for those who read rather than look. */
dpmap.strongest = (page) => {
  const MOST = 50;
  const { facts, reading } = page;
  const rows = dpmap.element("strongest-rows");
  const ranked = [];
  for (let cell = 0; cell < facts.cells; cell++) if (reading.sure[cell]) ranked.push(cell);
  ranked.sort((a, b) => reading.low(b) - reading.low(a) || reading.estimate(b) - reading.estimate(a));
  const shown = ranked.slice(0, MOST);
  dpmap.element("interval-head").textContent = `${dpmap.percent(facts.level)} interval`;
  dpmap.element("strongest-note").textContent = ranked.length
    ? `The ${shown.length} highest lower bounds among the ${ranked.length.toLocaleString("en")} cells that stand out ` +
      "from noise. Choose a cell to see it on the map."
    : "No cell stands out from noise. That does not mean that there is nothing.";
  for (const cell of shown) {
    const numbers = [reading.estimate, reading.low, reading.high].map((value) => value(cell));
    rows.append(dpmap.tableRow(page, dpmap.cellName(page, cell), [cell], numbers));
  }
};

/** On paper: light colours, the whole map in the paper's width, facts unfolded. */
dpmap.printing = (page) => {
  const { map, facts } = page;
  const about = dpmap.element("about");
  const paper = window.matchMedia("print");
  window.addEventListener("beforeprint", () => {
    about.dataset.was = about.open ? "open" : "";
    about.open = true;
  }, dpmap.whileOpen());
  paper.addEventListener("change", () => {
    if (paper.matches && !("was" in about.dataset)) about.dataset.was = about.open ? "open" : "";
    about.open = paper.matches || about.dataset.was === "open";
    const [centre, zoom] = [map.getCenter(), map.getZoom()];
    map.invalidateSize({ animate: false, pan: false });
    if (paper.matches) {
      page.before = [centre, zoom];
      map.fitBounds(facts.geometry.bounds, { animate: false, padding: [8, 8] });
    } else {
      delete about.dataset.was;
      if (page.before) map.setView(...page.before, { animate: false });
    }
    page.shown.show();
  }, dpmap.whileOpen());
};
