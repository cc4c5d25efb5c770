// @ts-check
/* A map to choose from: squares with a net of longitudes and latitudes. */

/** @import { Choose, Lattice } from "./types.d.ts" */

import { net } from "./net.js";
import { onClick, part, write } from "./parts.js";
import { insideOf, number, square } from "./places.js";

const [LEFT, TOP] = [92, 36];
/** @type {Record<string, [down: number, right: number]>} */
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The map, by pointer, keys or coordinates. */
export class Squares {
  /**
   * @param {Lattice} places
   * @param {number} cells
   * @param {Choose} onChoice
   */
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
    /** @type {number | null} */
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
    const brush = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    brush.clearRect(0, 0, this.canvas.width, this.canvas.height);
    let cell = 0;
    this.inside.slice(0, this.rows * this.columns).forEach((isCell, at) => {
      if (!isCell) return;
      brush.fillStyle = cell++ === this.marked ? "#792282" : "#e6d3e4";
      const [x, y] = [LEFT + (at % this.columns) * side, TOP + Math.floor(at / this.columns) * side];
      brush.fillRect(x, y, side - 1, side - 1);
    });
    net(brush, this.places, (row, column) => [LEFT + column * side, TOP + row * side]);
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  mark(row, column) {
    this.marked = number(row, column, this.places);
    if (this.marked === null) this.choose(undefined, "This place is outside the area.");
    else this.choose(this.marked, `Chosen: the cell ${row + 1} from the top, ${column + 1} from the left.`);
    this.place = [row, column];
    this.draw();
  }

  /**
   * @param {number} lat
   * @param {number} lon
   */
  locate(lat, lon) {
    this.mark(...square(lon, lat, this.places));
  }

  /** The place whose coordinates were typed. */
  find() {
    const [lat, lon] = [part("lat"), part("lon")].map(({ value }) => parseFloat(value.replace(",", ".")));
    if (Number.isFinite(lat + lon)) this.locate(lat, lon);
    else this.choose(undefined, "Write latitude and longitude in degrees, like 40.55 and -1.72.");
  }

  /** The place where the device says it is. */
  ask() {
    const failed = () => this.choose(undefined, "This device does not tell its position; choose on the map.");
    if (!navigator.geolocation) failed();
    else
      navigator.geolocation.getCurrentPosition(({ coords }) => this.locate(coords.latitude, coords.longitude), failed);
  }
}

/**
 * @param {number} value
 * @param {number} count
 */
const clamped = (value, count) => Math.min(Math.max(value, 0), count - 1);
