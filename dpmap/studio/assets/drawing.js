// A map to draw an area on: it fills the list of corners, and shows what was typed there. The list works without it.
"use strict";

class Drawing {
  constructor(box) {
    this.text = document.getElementById(box.dataset.draws);
    this.view = { lon: 0, lat: 20, scale: 2 }; // pixels a degree of latitude
    this.rings = [];
    this.paths = [];
    this.corners = [];
    this.around = { towns: [], rivers: [], borders: [] };
    this.build(box);
    this.read();
    if (this.corners.length) this.fit(this.corners.flat());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.text.addEventListener("input", () => { this.read(); this.draw(); });
    this.load(box.dataset.outlines);
    this.aroundPlace = box.dataset.around;
  }

  build(box) {
    const make = (tag, parent, told = {}) => Object.assign(parent.appendChild(document.createElement(tag)), told);
    const first = make("p", box, { className: "row" });
    const label = make("label", first, { textContent: "Show a country: " });
    this.countries = make("select", label);
    this.countries.addEventListener("change", () => this.show(this.countries.value));
    this.canvas = make("canvas", box, { tabIndex: 0 });
    for (const [name, value] of Object.entries({ role: "application", "aria-label": "Map to draw the area on", "aria-describedby": "drawing-how" }))
      this.canvas.setAttribute(name, value);
    make("p", box, {
      id: "drawing-how", className: "hint",
      textContent: "Click to add a corner, drag a corner to move it, drag the land to move the map. By keyboard: arrows move the map, plus and minus zoom, Enter sets a corner in the middle, Backspace takes the last one away.",
    });
    const row = make("p", box, { className: "row" });
    const buttons = { "Zoom in": () => this.zoom(1.6), "Zoom out": () => this.zoom(1 / 1.6), "Take the last corner away": () => this.undo(), "Begin anew": () => this.set([]) };
    for (const [words, act] of Object.entries(buttons))
      make("button", row, { type: "button", className: "quiet", textContent: words }).addEventListener("click", act);
    this.said = make("p", box, { className: "soft" });
    this.said.setAttribute("role", "status");
    this.canvas.addEventListener("pointerdown", (event) => this.grab(event));
    this.canvas.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.key(event));
  }

  async load(place) {
    const answer = await fetch(place, { credentials: "same-origin" });
    if (!answer.ok) return;
    const told = await answer.json();
    const boxes = told.rings.map((rings) => {
      const largest = rings.reduce((a, b) => (b.length > a.length ? b : a), []);
      return largest.map((one) => one / 100);
    });
    this.boxes = new Map(told.names.map((name, at) => [name, boxes[at]]));
    for (const name of ["", ...told.names]) this.countries.append(new Option(name || "choose one", name));
    this.rings = told.rings.flat().map((ring) => {
      const [lons, lats] = [ring.filter((_, at) => at % 2 === 0), ring.filter((_, at) => at % 2 === 1)];
      return { ring, west: Math.min(...lons), east: Math.max(...lons), south: Math.min(...lats), north: Math.max(...lats) };
    });
    this.draw();
  }

  /** Fetches the towns, rivers and borders of the part in view, a moment after it stands still. */
  look() {
    clearTimeout(this.waiting);
    const { view, canvas } = this, reach = [canvas.clientWidth / 2 / (view.scale * this.squeeze), canvas.clientHeight / 2 / view.scale];
    const box = { west: view.lon - reach[0], south: view.lat - reach[1], east: view.lon + reach[0], north: view.lat + reach[1] };
    const asked = new URLSearchParams(Object.entries(box).map(([side, at]) => [side, at.toFixed(3)])).toString();
    if (asked === this.asked || !this.aroundPlace) return;
    this.waiting = setTimeout(async () => {
      this.asked = asked;
      try {
        const answer = await fetch(`${this.aroundPlace}?${asked}`, { credentials: "same-origin" });
        if (answer.ok && asked === this.asked) { this.around = await answer.json(); this.draw(); }
      } catch {
        // countries are shown all the same
      }
    }, 200);
  }

  /** Reads the corners that stand in the list; lines that are none are passed over. */
  read() {
    const lines = this.text.value.split("\n").map((line) => line.trim().split(/[\s,;]+/).map(Number));
    this.corners = lines.filter((pair) => pair.length === 2 && pair.every(Number.isFinite) && Math.abs(pair[0]) <= 180 && Math.abs(pair[1]) <= 90);
  }

  set(corners) {
    this.corners = corners;
    const places = Math.max(2, Math.ceil(Math.log10(this.view.scale)) + 1);
    this.text.value = corners.map((pair) => pair.map((one) => Number(one.toFixed(places))).join(" ")).join("\n");
    this.read();
    const many = this.corners.length;
    this.said.textContent = `${many} ${many === 1 ? "corner" : "corners"}${many && many < 3 ? "; an area needs three" : ""}`;
    this.draw();
  }

  undo() { this.set(this.corners.slice(0, -1)); }

  fit(flat) {
    const lons = flat.filter((_, at) => at % 2 === 0), lats = flat.filter((_, at) => at % 2 === 1);
    const [west, east] = [Math.min(...lons), Math.max(...lons)], [south, north] = [Math.min(...lats), Math.max(...lats)];
    const lat = (south + north) / 2, width = this.canvas.clientWidth || 640, height = this.canvas.clientHeight || 384;
    const squeeze = Math.max(0.1, Math.cos((lat * Math.PI) / 180));
    const scale = 0.8 * Math.min(width / Math.max(1e-4, (east - west) * squeeze), height / Math.max(1e-4, north - south));
    this.view = { lon: (west + east) / 2, lat, scale: Math.min(scale, 1e5) };
  }

  show(name) {
    if (!this.boxes?.has(name)) return;
    this.fit(this.boxes.get(name));
    this.draw();
  }

  zoom(by, around) {
    const scale = Math.min(1e5, Math.max(0.8, this.view.scale * by));
    if (around) {
      const share = 1 - this.view.scale / scale;
      this.view.lon += (around[0] - this.view.lon) * share;
      this.view.lat += (around[1] - this.view.lat) * share;
    }
    this.view.scale = scale;
    this.draw();
  }

  /** Zooms by the wheel once the map is in use; until then the wheel moves the page. */
  turn(event) {
    if (document.activeElement !== this.canvas) return;
    event.preventDefault();
    this.zoom(event.deltaY < 0 ? 1.25 : 0.8, this.place(event));
  }

  get squeeze() { return Math.max(0.1, Math.cos((this.view.lat * Math.PI) / 180)); }

  /** Where a place stands on the canvas, in its own pixels. */
  at([lon, lat]) {
    const { view, canvas } = this;
    return [canvas.clientWidth / 2 + (lon - view.lon) * view.scale * this.squeeze, canvas.clientHeight / 2 - (lat - view.lat) * view.scale];
  }

  /** Which place a pointer is over. */
  place(event) {
    const box = this.canvas.getBoundingClientRect(), { view } = this;
    const x = event.clientX - box.left - this.canvas.clientLeft - this.canvas.clientWidth / 2, y = event.clientY - box.top - this.canvas.clientTop - this.canvas.clientHeight / 2;
    return this.held([view.lon + x / (view.scale * this.squeeze), view.lat - y / view.scale]);
  }

  held([lon, lat]) { return [Math.min(180, Math.max(-180, lon)), Math.min(90, Math.max(-90, lat))]; }

  grab(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const start = [event.clientX, event.clientY], from = { ...this.view };
    const point = [event.offsetX, event.offsetY];
    const near = this.corners.findIndex((one) => Math.hypot(...this.at(one).map((side, axis) => side - point[axis])) < 12);
    let moved = false;
    const move = (now) => {
      const by = [now.clientX - start[0], now.clientY - start[1]];
      if (Math.hypot(...by) > 4) moved = true;
      if (!moved) return;
      if (near >= 0) this.set(this.corners.map((one, at) => (at === near ? this.place(now) : one)));
      else this.pan(from.lon - by[0] / (from.scale * this.squeeze), from.lat + by[1] / from.scale);
    };
    const end = (now) => {
      for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) this.canvas.removeEventListener(name, act);
      if (!moved && near < 0 && now.type === "pointerup") this.set([...this.corners, this.place(now)]);
    };
    for (const [name, act] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) this.canvas.addEventListener(name, act);
  }

  pan(lon, lat) {
    [this.view.lon, this.view.lat] = this.held([lon, lat]);
    this.draw();
  }

  key(event) {
    const step = 40 / this.view.scale, { lon, lat } = this.view;
    const acts = {
      ArrowLeft: () => this.pan(lon - step / this.squeeze, lat), ArrowRight: () => this.pan(lon + step / this.squeeze, lat),
      ArrowUp: () => this.pan(lon, lat + step), ArrowDown: () => this.pan(lon, lat - step),
      "+": () => this.zoom(1.6), "=": () => this.zoom(1.6), "-": () => this.zoom(1 / 1.6),
      Enter: () => this.set([...this.corners, [lon, lat]]), Backspace: () => this.undo(),
    };
    if (!acts[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    acts[event.key]();
  }

  draw() {
    const { canvas } = this, dense = devicePixelRatio || 1, style = getComputedStyle(canvas), colour = (name) => style.getPropertyValue(name).trim();
    if (!canvas.clientWidth) return;
    canvas.width = canvas.clientWidth * dense;
    canvas.height = canvas.clientHeight * dense;
    const pen = canvas.getContext("2d");
    pen.scale(dense, dense);
    this.land(pen, colour("--line"), colour("--soft"));
    this.lines(pen, colour("--line"), colour("--soft"));
    this.surroundings(pen, colour("--soft"), colour("--ink"), colour("--sheet"));
    this.look();
    this.area(pen, colour("--accent"), colour("--sheet"));
    const [x, y] = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    pen.strokeStyle = colour("--soft");
    pen.beginPath();
    for (const [a, b] of [[-7, 0], [7, 0], [0, -7], [0, 7]]) { pen.moveTo(x, y); pen.lineTo(x + a, y + b); }
    pen.stroke();
  }

  /** The countries that are in sight. */
  land(pen, fill, line) {
    const { view, canvas } = this;
    const reach = [(canvas.clientWidth / 2 / (view.scale * this.squeeze)) * 100 + 1, (canvas.clientHeight / 2 / view.scale) * 100 + 1];
    pen.beginPath();
    for (const { ring, west, east, south, north } of this.rings) {
      if (east < view.lon * 100 - reach[0] || west > view.lon * 100 + reach[0] || north < view.lat * 100 - reach[1] || south > view.lat * 100 + reach[1]) continue;
      for (let at = 0; at < ring.length; at += 2) {
        const [x, y] = this.at([ring[at] / 100, ring[at + 1] / 100]);
        if (at) pen.lineTo(x, y);
        else pen.moveTo(x, y);
      }
    }
    pen.globalAlpha = 0.45;
    pen.fillStyle = fill;
    pen.fill("evenodd");
    pen.globalAlpha = 1;
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.stroke();
  }

  /** Lines of longitude and latitude, with their degrees. */
  lines(pen, line, ink) {
    const { view, canvas } = this, steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
    const step = steps.find((one) => one * view.scale < 160) ?? 0.001, places = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const ends = [canvas.clientWidth / 2 / (view.scale * this.squeeze), canvas.clientHeight / 2 / view.scale];
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    pen.font = "12px system-ui, sans-serif";
    pen.beginPath();
    for (let lon = Math.ceil((view.lon - ends[0]) / step) * step; lon < view.lon + ends[0]; lon += step) {
      const x = this.at([lon, 0])[0];
      pen.moveTo(x, 0); pen.lineTo(x, canvas.clientHeight);
      pen.fillText(`${lon.toFixed(places)}°`, x + 3, canvas.clientHeight - 4);
    }
    for (let lat = Math.ceil((view.lat - ends[1]) / step) * step; lat < view.lat + ends[1]; lat += step) {
      const y = this.at([0, lat])[1];
      pen.moveTo(0, y); pen.lineTo(canvas.clientWidth, y);
      pen.fillText(`${lat.toFixed(places)}°`, 4, y - 3);
    }
    pen.stroke();
  }

  /** Rivers, borders of regions, and as many towns as have room for their names. */
  surroundings(pen, line, ink, paper) {
    for (const [name, colour, dash] of [["borders", line, [4, 3]], ["rivers", "#4a8fb5", []]]) {
      pen.strokeStyle = colour;
      pen.setLineDash(dash);
      pen.beginPath();
      for (const ring of this.around[name]) {
        for (let at = 0; at < ring.length; at += 2) {
          const [x, y] = this.at([ring[at], ring[at + 1]]);
          if (at) pen.lineTo(x, y);
          else pen.moveTo(x, y);
        }
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.font = "13px system-ui, sans-serif";
    const taken = [];
    for (const [name, lon, lat] of this.around.towns) {
      const [x, y] = this.at([lon, lat]), wide = pen.measureText(name).width + 10;
      if (taken.some(([left, top, right]) => x < right && x + wide > left && Math.abs(y - top) < 17)) continue;
      taken.push([x, y, x + wide]);
      pen.fillStyle = ink;
      pen.beginPath();
      pen.arc(x, y, 2.5, 0, 2 * Math.PI);
      pen.fill();
      pen.lineWidth = 3;
      pen.strokeStyle = paper;
      pen.strokeText(name, x + 6, y + 4);
      pen.fillText(name, x + 6, y + 4);
      pen.lineWidth = 1;
    }
  }

  /** The area that is being drawn, with its corners. */
  area(pen, ink, paper) {
    const shown = this.corners.map((one) => this.at(one));
    pen.strokeStyle = pen.fillStyle = ink;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const [x, y] of shown) pen.lineTo(x, y);
    pen.closePath();
    pen.stroke();
    pen.globalAlpha = 0.2;
    pen.fill();
    pen.globalAlpha = 1;
    for (const [x, y] of shown) {
      pen.beginPath();
      pen.arc(x, y, 5, 0, 2 * Math.PI);
      pen.fillStyle = paper;
      pen.fill();
      pen.stroke();
    }
    pen.lineWidth = 1;
  }
}

for (const box of document.querySelectorAll("[data-draws]")) new Drawing(box);
