(() => {
"use strict";

// device.js
/* What runs on the volunteer's device: the same algorithm as dpmap/local/device.py, where its proof stands, and the same bytes
   for the same entropy. No network, no dependency, no floating point that rounds: only whole numbers below 2^53. */
var [ID, WORD, SPAN, MOST] = [16, 4, 2 ** 32, 65535];
/** An epsilon such as 2, 0.5 or 1/3 as a fraction of two BigInts; between 0.01 and 10. */
function fraction(text) {
  const pattern = /^(\d{1,40})(?:\.(\d{1,40})|\/(\d{1,40}))?$/;
  const [, whole = "0", decimals = "", below = "1"] = pattern.exec(text) || [];
  const [top, bottom] = [BigInt(whole + decimals), BigInt(below) * 10n ** BigInt(decimals.length)];
  if (top * 100n < bottom || top > 10n * bottom) throw new Error("epsilon: between 0.01 and 10");
  return [top, bottom];
}
/** At most 2^64 e^x: the series, each term rounded down. */
function expBelow([numerator, denominator]) {
  let term = 1n << 64n;
  let total = term;
  for (let k = 1n; term; k++) {
    term = term * numerator / (denominator * k);
    total += term;
  }
  return total;
}
/** Of 2^32 words, those that mean one certain untrue answer. */
function threshold(epsilon, others) {
  const below = expBelow(fraction(epsilon)) + (BigInt(others) << 64n);
  return Number(((1n << 96n) + below - 1n) / below);
}
/** The question, if it is one. */
function checked(question) {
  const { epsilon, mechanism, cells, round } = question;
  const whole = Number.isInteger(cells) && cells >= 1 && cells <= MOST && /^[0-9a-f]{32}$/.test(round);
  if (!whole) throw new Error("question: damaged");
  if (mechanism !== "oue" && mechanism !== "grr") throw new Error("question: of an unknown mechanism");
  const wide = threshold(epsilon, cells) * (cells + 1) > SPAN;
  if (wide && mechanism === "grr") throw new Error("question: too many cells");
  return question;
}
/** Bytes of randomness that one report takes. */
var entropy = ({ mechanism, cells }) => ID + WORD * (mechanism === "oue" ? cells + 1 : 1);
/** The report as a function of the answer (null: elsewhere) and of the entropy: an id, then big-endian words. */
function report(cell, question, stream) {
  const { epsilon, mechanism, cells, round } = checked(question);
  if (cell !== null && !(Number.isInteger(cell) && cell >= 0 && cell < cells)) throw new Error("cell: no such number");
  if (stream.length !== entropy(question)) throw new Error("entropy: of another length");
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  const word = (i) => view.getUint32(ID + WORD * i);
  const truth = cell === null ? cells : cell;
  const answer = mechanism === "grr" ? one(truth, cells, threshold(epsilon, cells), word(0)) : bits(truth, cells + 1, threshold(epsilon, 1), word);
  const id = Array.from(stream.subarray(0, ID), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return JSON.stringify({ round, id, answer });
}
/** k-ary randomised response: the true answer, or the untrue one of this number. */
function one(truth, others, bar, word) {
  if (word >= others * bar) return truth;
  const untrue = (word - word % bar) / bar;
  return untrue >= truth ? untrue + 1 : untrue;
}
/** Optimised unary encoding: a bit for each answer, the first in the highest place, as base64. */
function bits(truth, answers, bar, word) {
  const packed = new Uint8Array(Math.ceil(answers / 8));
  for (let i = 0; i < answers; i++) {
    if (word(i) < (i === truth ? SPAN / 2 : bar)) packed[i >> 3] |= 128 >> (i & 7);
  }
  return btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
}
/** One line to send, from the system's entropy. It spends epsilon each time it is called. */
function randomise(cell, question) {
  const stream = new Uint8Array(entropy(checked(question)));
  for (let at = 0; at < stream.length; at += 65536) crypto.getRandomValues(stream.subarray(at, at + 65536));
  return report(cell, question, stream);
}
/** The line that was sent for this question before, where `kept` has one; null where it has none. */
var answered = (question, kept) => kept.getItem(`dpmap ${question.round}`);
/** The line that was sent before; else a new one, kept there. */
function answerOnce(cell, question, kept) {
  const before = answered(checked(question), kept);
  if (before !== null) return before;
  const line = randomise(cell, question);
  kept.setItem(`dpmap ${question.round}`, line);
  return line;
}

// parts.js
/* Elements of the page. */
/** The element of this name. */
var part = (name) => document.getElementById(name);
function write(name, words) {
  part(name).textContent = words;
}
function onClick(name, act) {
  part(name).addEventListener("click", act);
}

// chances.js
/* What the report tells of the answer, in words. */
var percent = (share) => `${(100 * share).toPrecision(share < 0.0995 ? 2 : 3).replace(/\.0+$/, "")} %`;
/** Writes the chances of each answer, and the promise. */
function explain({ mechanism, epsilon, cells }) {
  const named = mechanism === "grr";
  const other = threshold(epsilon, named ? cells : 1) / 2 ** 32;
  write(
    "chances",
    named ? `The report names one of ${cells + 1} answers: yours with a chance of ${percent(1 - cells * other)}, each of the others with one of ${percent(other)}.` : `The report has a mark or none for each of ${cells + 1} answers: for yours with a chance of 50 %, for each of the others with one of ${percent(other)}.`
  );
  const [whole, below = 1] = epsilon.split("/").map(Number);
  write(
    "promise",
    `So nobody can be sure from it what you answered: it moves their odds about that by a factor of ${Math.exp(whole / below).toPrecision(3)} at most (epsilon ${epsilon}), whatever else they know.`
  );
}

// places.js
/* From a place to a cell, as dpmap/local/device.py finds it. */
/** How many cells a place in degrees lies south of the north edge and east of the west edge; null off the lattice. */
function rowColumn(lon, lat, { lattice: n, box: [west, south, east, north], columns, rows }) {
  const [x, y] = [(lon - west) / (east - west) * n, (lat - south) / (north - south) * n];
  if (!(x >= 0 && x <= n && y >= 0 && y <= n)) return null;
  const [i, j] = [Math.min(Math.floor(x), n - 1), Math.min(Math.floor(y), n - 1)];
  return [rows, columns].map((table) => {
    const [low, high] = [0, 1].map((b) => {
      const at = (j + b) * (n + 1) + i;
      return table[at] + (x - i) * (table[at + 1] - table[at]);
    });
    return low + (y - j) * (high - low);
  });
}
/** The row and column of a place in degrees; -1 off the lattice. */
function square(lon, lat, places) {
  const [row, column] = rowColumn(lon, lat, places) || [-1, -1];
  return [Math.floor(row), Math.floor(column)];
}
/** The cell of a place in degrees; null outside the area. */
function locate(lon, lat, places) {
  return number(...square(lon, lat, places), places);
}
/** The number of the cell in a row and column; null for one outside the area. */
function number(row, column, places) {
  const [rows, columns] = places.shape;
  if (row < 0 || column < 0 || row >= rows || column >= columns) return null;
  const inside = insideOf(places);
  const place = row * columns + column;
  return inside[place] ? inside.slice(0, place).filter(Boolean).length : null;
}
/** 1 for each place of the shape that is a cell, else 0. */
function insideOf({ inside }) {
  return Array.from(atob(inside)).flatMap(
    (mark) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => mark.charCodeAt(0) >> bit & 1)
  );
}

// net.js
/* Lines of round longitudes and latitudes, each with its degrees where it begins. */
var STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30];
/** The whole net; `pixel` is where a row and column are on the canvas. */
function net(brush, places, pixel) {
  const [west, south, east, north] = places.box;
  const step = STEPS.find((size) => Math.max(east - west, north - south) / size <= 5) ?? 60;
  brush.font = "22px system-ui, sans-serif";
  brush.strokeStyle = brush.fillStyle = "#555";
  for (const upright of [true, false]) {
    const [low, high] = upright ? [west, east] : [south, north];
    for (let at = Math.ceil(low / step) * step; at <= high; at += step) {
      const dots = along(at, upright, places).map(([row, column]) => pixel(row, column));
      stroke(brush, dots);
      if (dots.length) degrees(brush, at, upright, dots[0], pixel(3, 3));
    }
  }
}
/** Rows and columns along a meridian (upright) or a parallel, from the north or the west on. */
function along(at, upright, places) {
  const [west, south, east, north] = places.box;
  const [rows, columns] = places.shape;
  const found = [];
  for (let i = 0; i <= 64; i++) {
    const [lon, lat] = upright ? [at, north - (north - south) * i / 64] : [west + (east - west) * i / 64, at];
    const [row, column] = rowColumn(lon, lat, places) ?? [-1, -1];
    if (row >= 0 && column >= 0 && row <= rows && column <= columns) found.push([row, column]);
  }
  return found;
}
function stroke(brush, dots) {
  brush.globalAlpha = 0.45;
  brush.beginPath();
  for (const [x, y] of dots) brush.lineTo(x, y);
  brush.stroke();
  brush.globalAlpha = 1;
}
/** The degrees of a line, where it begins near the map's edge. */
function degrees(brush, at, upright, [x, y], [nearX, nearY]) {
  const sides = upright ? ["W", "E"] : ["S", "N"];
  const words = `${+Math.abs(at).toFixed(2)}°${sides[at < 0 ? 0 : 1]}`;
  brush.textAlign = upright ? "center" : "right";
  if (upright && y < nearY) brush.fillText(words, Math.max(x, 40), 26);
  if (!upright && x < nearX) brush.fillText(words, 86, y + 7);
}

// squares.js
/* A map to choose from: squares with a net of longitudes and latitudes. */
var [LEFT, TOP] = [92, 36];
var MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
/** The map, by pointer, keys or coordinates. */
var Squares = class {
  constructor(places, cells, onChoice) {
    this.rows = places.shape[0];
    this.columns = places.shape[1];
    this.places = places;
    this.choose = onChoice;
    this.side = Math.max(4, Math.min(40, Math.floor(1400 / this.columns)));
    this.inside = insideOf(places);
    this.canvas = part("map");
    this.canvas.width = LEFT + this.columns * this.side + 4;
    this.canvas.height = this.rows * this.side + TOP + 4;
    this.marked = null;
    const start = this.inside.indexOf(1);
    this.place = [Math.floor(start / this.columns), start % this.columns];
    part("squares").hidden = false;
    write("scale", `${cells} cells of ${places.cell}; north is at the top.`);
    this.listen();
    this.draw();
  }
  listen() {
    this.canvas.addEventListener("click", ({ offsetX, offsetY }) => {
      const scale = this.canvas.width / this.canvas.clientWidth;
      this.mark(Math.floor((offsetY * scale - TOP) / this.side), Math.floor((offsetX * scale - LEFT) / this.side));
    });
    this.canvas.addEventListener("keydown", (event) => {
      const move = MOVES[event.key];
      if (!move) return;
      event.preventDefault();
      this.mark(clamped(this.place[0] + move[0], this.rows), clamped(this.place[1] + move[1], this.columns));
    });
    onClick("find", () => this.find());
    onClick("here", () => this.ask());
    onClick("elsewhere", () => {
      this.marked = null;
      this.draw();
    });
  }
  draw() {
    const { side } = this;
    const brush = this.canvas.getContext("2d");
    brush.clearRect(0, 0, this.canvas.width, this.canvas.height);
    let cell = 0;
    this.inside.slice(0, this.rows * this.columns).forEach((isCell, at) => {
      if (!isCell) return;
      brush.fillStyle = cell++ === this.marked ? "#792282" : "#e6d3e4";
      const [x, y] = [LEFT + at % this.columns * side, TOP + Math.floor(at / this.columns) * side];
      brush.fillRect(x, y, side - 1, side - 1);
    });
    net(brush, this.places, (row, column) => [LEFT + column * side, TOP + row * side]);
  }
  mark(row, column) {
    this.marked = number(row, column, this.places);
    if (this.marked === null) this.choose(void 0, "This place is outside the area.");
    else this.choose(this.marked, `Chosen: the cell ${row + 1} from the top, ${column + 1} from the left.`);
    this.place = [row, column];
    this.draw();
  }
  locate(lat, lon) {
    this.mark(...square(lon, lat, this.places));
  }
  /** The place whose coordinates were typed. */
  find() {
    const [lat, lon] = [part("lat"), part("lon")].map(({ value }) => parseFloat(value.replace(",", ".")));
    if (Number.isFinite(lat + lon)) this.locate(lat, lon);
    else this.choose(void 0, "Write latitude and longitude in degrees, like 40.55 and -1.72.");
  }
  /** The place where the device says it is. */
  ask() {
    const failed = () => this.choose(void 0, "This device does not tell its position; choose on the map.");
    if (!navigator.geolocation) failed();
    else
      navigator.geolocation.getCurrentPosition(({ coords }) => this.locate(coords.latitude, coords.longitude), failed);
  }
};
var clamped = (value, count) => Math.min(Math.max(value, 0), count - 1);

// main.js
/* The page. All texts of the question are shown as text only. */
var asked = JSON.parse(part("question").text);
var memory = storage();
var chosen;
/** What remembers the report: the browser's storage, or where a page may have none, the page itself. */
function storage() {
  try {
    localStorage.getItem("dpmap");
    return localStorage;
  } catch {
    const own = new Map();
    return { getItem: (key) => own.get(key) ?? null, setItem: (key, value) => own.set(key, value) };
  }
}
/** Shows what was chosen. */
function choose(cell, words) {
  chosen = cell;
  write("chosen", words);
  part("elsewhere").setAttribute("aria-pressed", String(cell === null));
  part("make").disabled = cell === void 0;
}
/** The report, once there is one: shown here, and told to the app that shows this page. */
function finish(line) {
  part("ask").hidden = true;
  part("done").hidden = false;
  part("line").value = line;
  write(
    "kept",
    memory instanceof Storage ? "This device keeps the report and shows the same one again: a second answer would tell more about you." : "This browser forgets the report when the page is closed. Do not answer twice: that would tell more about you."
  );
  dispatchEvent(new CustomEvent("dpmap-report", { detail: line }));
  if (parent !== window) parent.postMessage({ dpmapReport: line }, "*");
}
/** A list to choose from, for cells that have names. */
function list({ names }) {
  const select = part("name");
  part("names").hidden = false;
  names.forEach((words, cell) => {
    select.append(new Option(words, String(cell)));
  });
  select.addEventListener("change", () => {
    const cell = Number(select.value);
    if (select.value) choose(cell, `Chosen: ${names[cell]}.`);
    else choose(void 0, "Nothing is chosen yet.");
  });
}
/** The report on the clipboard, or in a file. */
function handOver() {
  const line = part("line");
  onClick("copy", () => {
    line.select();
    document.execCommand("copy");
  });
  onClick("save", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${line.value}
`], { type: "application/json" }));
    link.download = "report.jsonl";
    link.click();
  });
}
write("title", asked.title);
write("text", asked.text);
if (asked.places.names) list(asked.places);
else new Squares(asked.places, asked.cells, choose);
explain(asked);
onClick("elsewhere", () => {
  part("name").value = "";
  choose(null, "Chosen: elsewhere, or nothing to report.");
});
onClick("make", () => chosen !== void 0 && finish(answerOnce(chosen, asked, memory)));
handOver();
/** The one name that the page has for others: for an app that shows its own questions, and for tests. */
Object.assign(globalThis, { dpmapLocal: { answerOnce, randomise, report, locate } });
var earlier = answered(asked, memory);
if (earlier !== null) finish(earlier);
document.documentElement.dataset.ready = "";
})();
