(() => {
"use strict";

// ../arrays.js
/* Arrays from the forms they travel in. */
var TYPES = { uint8: Uint8Array, int32: Int32Array, float32: Float32Array, float64: Float64Array };
function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}
/** A typed array from its base64 form. */
function decode(packed) {
  return new TYPES[packed.type](plainBytes(packed).buffer);
}
function plainBytes(packed) {
  if (packed.deflated && !packed.bytes) throw new Error("an array is still deflated");
  return packed.bytes?.slice() ?? bytes(packed.data);
}
/** Inflates all deflated arrays among what the page carries, so that `decode` has them at once. */
async function inflateAll(thing) {
  if (!thing || typeof thing !== "object") return;
  const packed = thing;
  if (packed.deflated) packed.bytes ??= await plainOf(packed);
  else await Promise.all(Object.values(thing).map(inflateAll));
}
/** Of whole numbers the steps travel, each from the number `deflated` places before, all first bytes together, then all second ones. */
async function plainOf({ type, data, deflated = 1 }) {
  const found = await inflated(data);
  if (type !== "int32") return found;
  const count = found.length / 4;
  const out = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const step = found[i] | found[i + count] << 8 | found[i + 2 * count] << 16 | found[i + 3 * count] << 24;
    out[i] = step + (i < deflated ? 0 : out[i - deflated]);
  }
  return new Uint8Array(out.buffer);
}
async function inflated(text) {
  const stream = new Blob([bytes(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
/** 0 or 1 for each of `count` bits. */
function bits(packed, count) {
  const source = plainBytes(packed);
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = source[i >> 3] >> 7 - (i & 7) & 1;
  return out;
}
/** Row-wise differences, deflated: the form the image of cell numbers travels in. */
async function inflateRows(packed, width) {
  const out = new Int32Array((await inflated(packed.data)).buffer);
  for (let i = 0; i < out.length; i++) if (i % width) out[i] += out[i - 1];
  return out;
}

// ../cells/plane.js
/* Rings, edges and boxes in a plane. */
/** Whether a place lies inside rings, by the even-odd rule. */
function holds(rings, x, y) {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [ax, ay] = ring[i];
      const [bx, by] = ring[j];
      if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
    }
  }
  return inside;
}
/** Whether a place lies inside what edges enclose, by the even-odd rule. */
function encloses(all, x, y) {
  let inside = false;
  for (const [ax, ay, bx, by] of all) {
    if (ay > y !== by > y && x < (bx - ax) * (y - ay) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
/** The box around rings. */
function boxOfRings(rings) {
  return boxOfAll(rings.flatMap((ring) => ring.map(([x, y]) => [x, y, x, y])));
}
/** The box around boxes. */
function boxOfAll(boxes) {
  const found = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [west, south, east, north] of boxes) {
    found[0] = Math.min(found[0], west);
    found[1] = Math.min(found[1], south);
    found[2] = Math.max(found[2], east);
    found[3] = Math.max(found[3], north);
  }
  return found;
}
/** Whether two boxes do not meet. */
var apart = (a, b) => a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3];
/** The box around an edge. */
var boxOfEdge = ([ax, ay, bx, by]) => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
/** The edges of rings. */
function edgesOf(rings) {
  return rings.flatMap((ring) => ring.map((a, i) => [...a, ...ring[(i + 1) % ring.length]])).filter(([ax, ay, bx, by]) => ax !== bx || ay !== by);
}
/** The area that two shapes share, by their oriented edges: what lies under an edge of one and under an edge of the other,
   added up with the sign of both directions. */
function shared(one, other) {
  const base = one.reduce((low, [, ay, , by]) => Math.min(low, ay, by), Infinity);
  let total = 0;
  for (const a of one) for (const b of other) total += sharedUnder(a, b, base);
  return total;
}
/** What lies above `base` and under two edges, with the sign of both directions. */
function sharedUnder([ax, ay, bx, by], [cx, cy, dx, dy], base) {
  const left = Math.max(Math.min(ax, bx), Math.min(cx, dx));
  const right = Math.min(Math.max(ax, bx), Math.max(cx, dx));
  if (left >= right) return 0;
  const f = (x) => ay + (by - ay) * (x - ax) / (bx - ax) - base;
  const g = (x) => cy + (dy - cy) * (x - cx) / (dx - cx) - base;
  const mean = meanUnder(f(left), f(right), g(left), g(right));
  return ax > bx === cx > dx ? mean * (right - left) : -mean * (right - left);
}
/** The mean of max(0, min(f, g)) of two straight lines, given by their ends, f never below 0. */
function meanUnder(f0, f1, g0, g1) {
  const places = [0, 1];
  if ((f0 - g0) * (f1 - g1) < 0) places.push((f0 - g0) / (f0 - g0 - f1 + g1));
  if (g0 * g1 < 0) places.push(g0 / (g0 - g1));
  places.sort((a, b) => a - b);
  let total = 0;
  for (let i = 1; i < places.length; i++) {
    const t = (places[i - 1] + places[i]) / 2;
    total += Math.max(0, Math.min(f0 + (f1 - f0) * t, g0 + (g1 - g0) * t)) * (places[i] - places[i - 1]);
  }
  return total;
}

// ../cells/coverage.js
/* Which share of each square of a lattice a zone covers. */
/** Squares of a lattice, with room for what edges add to each and to all east of it. */
/** Which share of each square of a lattice oriented edges enclose, to `tell(row, column, share)`, outer squares left out.
   
   Each piece of an edge that lies in one square adds its height to every square east of it in that row, and the ground to
   its east to its own: the signed sums are the shares, exactly, holes and all. */
function coverage(all, columns, rows, tell) {
  const ledge = ledgeOf(all, columns, rows);
  const { left, top, wide, high, own, east } = ledge;
  for (const edge of all) addEdge(edge, ledge);
  for (let row = 0; row < high; row++) {
    for (let column = 0, before = 0; column < wide; column++) {
      const at = row * wide + column;
      tell(row + top, column + left, own[at] + before);
      before += east[at];
    }
  }
}
/** The part of the lattice that edges reach. */
function ledgeOf(all, columns, rows) {
  const box = boxOfAll(all.map(boxOfEdge));
  const kept = (value, most) => Math.max(0, Math.min(most, value));
  const [left, top] = [kept(Math.floor(box[0]), columns), kept(Math.floor(box[1]), rows)];
  const wide = Math.max(0, kept(Math.ceil(box[2]), columns) - left);
  const high = Math.max(0, kept(Math.ceil(box[3]), rows) - top);
  return { left, top, wide, high, own: new Float64Array(wide * high), east: new Float64Array(wide * high) };
}
function addEdge(edge, { left, top, wide, high, own, east }) {
  const [ax, ay, bx, by] = [edge[0] - left, edge[1] - top, edge[2] - left, edge[3] - top];
  const stops = [0, 1, ...linesBetween(ax, bx, wide), ...linesBetween(ay, by, high)].sort((a, b) => a - b);
  for (let k = 1; k < stops.length; k++) {
    const [startY, endY] = [ay + stops[k - 1] * (by - ay), ay + stops[k] * (by - ay)];
    const middle = Math.max(0, ax + (stops[k - 1] + stops[k]) / 2 * (bx - ax));
    const row = Math.floor((startY + endY) / 2);
    if (row < 0 || row >= high || middle >= wide) continue;
    const at = row * wide + Math.floor(middle);
    own[at] += (endY - startY) * (1 - (middle - Math.floor(middle)));
    east[at] += endY - startY;
  }
}
/** Where the way from one number to another meets the whole numbers from 0 to `last`, as shares of it. */
function linesBetween(from, to, last) {
  const low = Math.max(0, Math.floor(Math.min(from, to)) + 1);
  const high = Math.min(last, Math.ceil(Math.max(from, to)) - 1);
  const found = [];
  for (let line = low; line <= high; line++) found.push((line - from) / (to - from));
  return found;
}
/** Cells by number, sorted by the share of each that a zone covers. */
function sorted(cells, shareOf, slack) {
  const found = { within: [], cut: [], shares: [] };
  for (const cell of cells) {
    const share = shareOf(cell);
    if (share >= 1 - slack) found.within.push(cell);
    else if (share > slack) {
      found.cut.push(cell);
      found.shares.push(share);
    }
  }
  return found;
}

// ../cells/oriented.js
/* Rings as edges that have the inside on their left, however the rings were drawn. */
/** Rings as edges with the inside, by the even-odd rule, on their left; parts of them that cross are cut apart. */
function oriented(rings) {
  const [west, south, east, north] = boxOfRings(rings);
  const step = 1e-7 * Math.max(east - west, north - south);
  const all = edgesOf(rings);
  const cuts = crossings(all);
  if (cuts.every((places) => !places.length)) return rings.flatMap((_, i) => orientedRing(rings, i, step));
  return all.flatMap((edge, i) => pieces(edge, cuts[i])).flatMap((piece) => {
    const [left, right] = beside(piece, step).map(([x, y]) => holds(rings, x, y));
    return left === right ? [] : [left ? piece : turned(piece)];
  });
}
/** One ring among others that it does not cross: a hole where it lies in an odd number of them. */
function orientedRing(rings, at, step) {
  const own = edgesOf([rings[at]]);
  if (!own.length) return [];
  const [left, right] = beside(own[0], step);
  const onLeft = encloses(own, ...left);
  const [x, y] = onLeft ? left : right;
  const depth = rings.filter((ring, i) => i !== at && holds([ring], x, y)).length;
  return depth % 2 === 0 === onLeft ? own : own.map(turned);
}
/** An edge cut at these shares of it. */
function pieces([ax, ay, bx, by], cuts) {
  const stops = [0, ...cuts.sort((a, b) => a - b), 1];
  const ends = stops.map((t) => [ax + (bx - ax) * t, ay + (by - ay) * t]);
  return ends.slice(1).map((end, k) => [...ends[k], ...end]);
}
/** For each edge, in order, where others cross it. */
function crossings(all) {
  const cuts = all.map(() => []);
  const boxes = all.map(boxOfEdge);
  const order = all.map((_, i) => i).sort((i, j) => boxes[i][0] - boxes[j][0]);
  order.forEach((i, at) => {
    for (let next = at + 1; next < order.length && boxes[order[next]][0] <= boxes[i][2]; next++) {
      const j = order[next];
      const [one, other] = apart(boxes[i], boxes[j]) ? [] : crossing(all[i], all[j]);
      if (one === void 0 || other === void 0) continue;
      cuts[i].push(one);
      cuts[j].push(other);
    }
  });
  return cuts;
}
/** Where two edges cross at an inner point of both, as a share of each; nothing where they do not. */
function crossing([ax, ay, bx, by], [cx, cy, dx, dy]) {
  const [s, t] = [sideOf(cx, cy, ax, ay, bx, by), sideOf(dx, dy, ax, ay, bx, by)];
  const [u, v] = [sideOf(ax, ay, cx, cy, dx, dy), sideOf(bx, by, cx, cy, dx, dy)];
  return s * t < 0 && u * v < 0 ? [u / (u - v), s / (s - t)] : [];
}
/** On which side of the line between two places a place lies, by the sign. */
function sideOf(x, y, fromX, fromY, toX, toY) {
  return (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
}
/** Places a little to the left and to the right of an edge's middle. */
function beside([ax, ay, bx, by], step) {
  const length = Math.hypot(bx - ax, by - ay);
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
  return [step, -step].map((aside) => [x - aside * (by - ay) / length, y + aside * (bx - ax) / length]);
}
var turned = ([ax, ay, bx, by]) => [bx, by, ax, ay];

// ../cells/outline.js
/* The outline of cells that lie together. */
/** More than any number of vertices. */
var MANY = 2 ** 26;
/** Rings of vertices around cells, the inside on their left, none touching itself: sides that two cells share are left out. */
function ringsAround(sides) {
  const outer = new Map();
  for (const [from, to, cell] of sides) {
    if (from !== to && !outer.delete(to * MANY + from)) outer.set(from * MANY + to, cell);
  }
  const ways = new Map();
  for (const [key, cell] of outer) {
    const [from, to] = [Math.floor(key / MANY), key % MANY];
    const known = ways.get(from);
    if (known) known.push([to, cell]);
    else ways.set(from, [[to, cell]]);
  }
  const found = [];
  for (const start of ways.keys()) walk(ways, start, found);
  return found;
}
/** Follows sides from a vertex until none is left there; whatever comes back to a vertex on the way is a ring. */
function walk(ways, start, found) {
  const path = [start];
  const at = new Map([[start, 0]]);
  let cell = -1;
  for (let open2 = ways.get(start); open2?.length; open2 = ways.get(path[path.length - 1])) {
    const own = open2.findIndex(([, owner2]) => owner2 === cell);
    const [to, owner] = open2.splice(Math.max(own, 0), 1)[0];
    cell = owner;
    const before = at.get(to);
    if (before === void 0) {
      at.set(to, path.length);
      path.push(to);
      continue;
    }
    const ring = path.splice(before + 1);
    for (const vertex of ring) at.delete(vertex);
    found.push([to, ...ring]);
  }
}
/** Rings as polygons, each an outer ring and its holes. */
/** A place just inside a hole, beside the middle of its first side. */
/** Twice the area within a ring; below 0 where it runs clockwise. */
/** The sides of rings of vertices of one cell. */
function sidesOf(rings, cell) {
  return rings.flatMap(
    (ring) => ring.map(
      (from, i) => [from, ring[i + 1 < ring.length ? i + 1 : 0], cell]
    )
  );
}

// ../cells/pixels.js
/* Painting on the canvas: hatches, and cells pixel by pixel. */
/** How many rows of pixels are drawn at a time. */
var ROWS = 16;
/** A tint's colour, or for cells that are named by hatching, not by a colour alone, a canvas pattern. */
function hatched(context, tint) {
  if (!tint.hatch) return tint.fill;
  const tile = document.createElement("canvas");
  const ratio = context.getTransform().a || 1;
  tile.width = tile.height = Math.round(6 * ratio);
  const pen = penOf(tile);
  pen.scale(tile.width / 6, tile.width / 6);
  pen.fillStyle = tint.fill;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = tint.hatch;
  pen.lineWidth = 0.7;
  pen.beginPath();
  for (const start of [-6, 0, 6]) {
    pen.moveTo(start, 6);
    pen.lineTo(start + 6, 0);
  }
  pen.stroke();
  const pattern = context.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix().scale(6 / tile.width));
  return pattern;
}
function penOf(canvas) {
  return canvas.getContext("2d");
}
/** Draws, pixel by pixel, whatever cell `rowLocator` names there: the nearest cell, warped for this very view. Cells that
   belong together, where they are large enough on the screen, are outlined. */
function* fillPixels(view, tints, palette, rowLocator, groups, cellWidth) {
  const { width, height } = view.context.canvas;
  const ink = pixelOf(view.ink);
  const blockOf = blocksShown(view, tints, palette, groups, cellWidth);
  const colourAt = painter(view, tints, palette);
  const above = new Int32Array(width).fill(-1);
  const band = new Band(width);
  for (let row = 0; row < height; row++) {
    const locate = rowLocator(view.worldY(row + 0.5));
    const pixels = band.row(row);
    let before = -1;
    for (let column = 0; locate && column < width; column++) {
      const cell = locate(view.worldX(column + 0.5));
      const block = groups.some ? blockOf(cell) : -1;
      const edge = block !== before || block !== above[column];
      before = above[column] = block;
      if (edge) pixels[column] = ink;
      else if (cell >= 0) pixels[column] = colourAt(cell, row, column);
    }
    if ((row + 1) % ROWS && row + 1 < height) continue;
    band.lay(view.context, row);
    yield;
  }
}
/** Which block is outlined at a cell; -1 for none. */
function blocksShown(view, tints, palette, groups, cellWidth) {
  const least = Math.max(2, (12 / view.pixels(cellWidth)) ** 2);
  const loud = palette.map((tint) => !tint.quiet);
  return (cell) => cell >= 0 && loud[tints[cell]] && groups.sizeOf(cell) >= least ? groups.of(cell) : -1;
}
/** The colour of a cell's pixel: on a hatched one, every few pixels, that of its lines. */
function painter(view, tints, palette) {
  const fills = palette.map((tint) => pixelOf(tint.fill));
  const lines = palette.map((tint) => pixelOf(tint.hatch || tint.fill));
  const spacing = Math.round(6 * view.ratio);
  const [left, top] = view.origin.map((value) => Math.round(value * view.ratio));
  return (cell, row, column) => {
    const place = ((column + left + row + top) % spacing + spacing) % spacing;
    return (place < view.ratio ? lines : fills)[tints[cell]];
  };
}
/** Some rows of pixels, from one that is a multiple of their number. */
var Band = class {
  constructor(width) {
    this.picture = new ImageData(width, ROWS);
    this.pixels = new Uint32Array(this.picture.data.buffer);
    this.sheet = Object.assign(document.createElement("canvas"), { width, height: ROWS });
  }
  /** The pixels of a row. */
  row(row) {
    const { width } = this.picture;
    return this.pixels.subarray(row % ROWS * width, (row % ROWS + 1) * width);
  }
  /** Lays the rows up to this one over a canvas; what is clear in them stays. */
  lay(context, last) {
    penOf(this.sheet).putImageData(this.picture, 0, 0);
    context.save();
    context.resetTransform();
    context.drawImage(this.sheet, 0, last - last % ROWS);
    context.restore();
    this.pixels.fill(0);
  }
};
/** `#rrggbb` as one opaque little-endian pixel. */
function pixelOf(colour) {
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return (255 << 24 | blue << 16 | green << 8 | red) >>> 0;
}

// ../cells/world.js
/* World coordinates (Web Mercator): from 0 to 1, y to the south. */
var worldX = (longitude) => (longitude + 180) / 360;
function worldY(latitude) {
  const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI / 180);
  return 0.5 - Math.atanh(sine) / (2 * Math.PI);
}
var longitudeOf = (x) => x * 360 - 180;
var latitudeOf = (y) => Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI;
/** Rings of [longitude, latitude] in world coordinates. */
function onWorld(rings) {
  return rings.map((ring) => ring.map(([x, y]) => [worldX(x), worldY(y)]));
}
/** World coordinates as Leaflet has places: [latitude, longitude]. */

// ../cells/image.js
/* Many hexagons: cells read off an image of their numbers in Web Mercator. */
var SLACK = 1e-9;
/** Cells known by some six pixels each. */
var CellImage = class {
  constructor({ width, height, box }, numbers, count) {
    this.width = width;
    this.height = height;
    this.numbers = numbers;
    this.count = count;
    this.west = box[0] + 0.5;
    this.east = box[2] + 0.5;
    this.top = 0.5 - box[3];
    this.bottom = 0.5 - box[1];
    this.boxes = pixelBoxes(numbers, width, count);
  }
  toX(column) {
    return this.west + (this.east - this.west) * column / this.width;
  }
  toY(row) {
    return this.top + (this.bottom - this.top) * row / this.height;
  }
  toColumn(x) {
    return (x - this.west) / (this.east - this.west) * this.width;
  }
  toRow(y) {
    return (y - this.top) / (this.bottom - this.top) * this.height;
  }
  numberAt(row, column) {
    const outside = row < 0 || column < 0 || row >= this.height || column >= this.width;
    return outside ? -1 : this.numbers[row * this.width + column] - 1;
  }
  cellAt(longitude, latitude) {
    return this.numberAt(Math.floor(this.toRow(worldY(latitude))), Math.floor(this.toColumn(worldX(longitude))));
  }
  *fill(view, tints, palette, groups) {
    const cellWidth = 360 * (this.east - this.west) / Math.sqrt(this.count);
    yield* fillPixels(view, tints, palette, (y) => this.rowAt(y), groups, cellWidth);
  }
  rowAt(y) {
    const row = Math.floor(this.toRow(y));
    if (row < 0 || row >= this.height) return null;
    return (x) => this.numberAt(row, Math.floor(this.toColumn(x)));
  }
  /** Along the pixels of the cells. */
  outlineOf(members) {
    const wide = this.width + 1;
    const rings = ringsAround(this.sidesAround(members));
    return rings.map(
      (ring) => ring.map((vertex) => [longitudeOf(this.toX(vertex % wide)), latitudeOf(this.toY(Math.floor(vertex / wide)))])
    );
  }
  /** The sides of pixels between these cells and others. */
  sidesAround(members) {
    const mine = new Uint8Array(this.count);
    let [left, top, right, bottom] = [this.width, this.height, -1, -1];
    for (const cell of Array.from(members)) {
      mine[cell] = 1;
      const [x, y, far, down] = this.boxes.subarray(4 * cell, 4 * cell + 4);
      if (x < 0) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, far), Math.max(bottom, down)];
    }
    const wide = this.width + 1;
    const other = (row, column) => mine[this.numberAt(row, column)] !== 1;
    const sides = [];
    for (let row = top; row <= bottom; row++) {
      for (let column = left; column <= right; column++) {
        const cell = this.numberAt(row, column);
        if (mine[cell] !== 1) continue;
        const corner = row * wide + column;
        if (other(row, column - 1)) sides.push([corner, corner + wide, cell]);
        if (other(row + 1, column)) sides.push([corner + wide, corner + wide + 1, cell]);
        if (other(row, column + 1)) sides.push([corner + wide + 1, corner + 1, cell]);
        if (other(row - 1, column)) sides.push([corner + 1, corner, cell]);
      }
    }
    return sides;
  }
  centre(cell) {
    const [x, y, right, down] = this.boxes.subarray(4 * cell, 4 * cell + 4);
    return [latitudeOf(this.toY((y + down + 1) / 2)), longitudeOf(this.toX((x + right + 1) / 2))];
  }
  /** Shares are those of a cell's pixels; a cell is within the zone where all of them are and no edge comes near it. */
  cover(zone) {
    const held = this.pixelsHeld(zone);
    const crossed = this.cellsCrossed(zone);
    const whole = this.sizes();
    const shareOf = (cell) => {
      const share = (held.get(cell) || 0) / whole[cell];
      return crossed.has(cell) ? Math.max(2 * SLACK, Math.min(1 - 2 * SLACK, share)) : share;
    };
    return sorted(new Set([...held.keys(), ...crossed]), shareOf, SLACK);
  }
  /** How many pixels of each cell lie in a zone. */
  pixelsHeld(zone) {
    const edges = oriented(zone).map(([ax, ay, bx, by]) => [
      this.toColumn(worldX(ax)),
      this.toRow(worldY(ay)),
      this.toColumn(worldX(bx)),
      this.toRow(worldY(by))
    ]);
    const held = new Map();
    coverage(edges, this.width, this.height, (row, column, share) => {
      const cell = share > 0 ? this.numberAt(row, column) : -1;
      if (cell >= 0) held.set(cell, (held.get(cell) || 0) + share);
    });
    return held;
  }
  /** Cells that an edge runs through are cut, however narrow the zone is there; so are those a pixel beside it, since a
     pixel belongs wholly to one cell of the several it may touch. */
  cellsCrossed(zone) {
    const crossed = new Set();
    for (const [ax, ay, bx, by] of edgesOf(onWorld(zone))) {
      const [left, up] = [this.toColumn(ax), this.toRow(ay)];
      const [right, down] = [this.toColumn(bx), this.toRow(by)];
      const steps = Math.ceil(2 * Math.max(Math.abs(right - left), Math.abs(down - up))) || 1;
      for (let i = 0; i <= steps; i++) {
        const row = Math.floor(this.toRow(ay + (by - ay) * i / steps));
        const column = Math.floor(this.toColumn(ax + (bx - ax) * i / steps));
        for (let near = 0; near < 9; near++) {
          const cell = this.numberAt(row + Math.floor(near / 3) - 1, column + near % 3 - 1);
          if (cell >= 0) crossed.add(cell);
        }
      }
    }
    return crossed;
  }
  /** How many pixels each cell has. */
  sizes() {
    const found = new Int32Array(this.count);
    for (const number of this.numbers) if (number) found[number - 1] += 1;
    return found;
  }
};
/** The first and last column and row of each cell, as [left, top, right, bottom]; -1 for a cell of no pixel. */
function pixelBoxes(numbers, width, count) {
  const found = new Int32Array(4 * count).fill(-1);
  for (let i = 0; i < numbers.length; i++) {
    const at = 4 * (numbers[i] - 1);
    if (at < 0) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    const fresh = found[at] < 0;
    found[at] = fresh ? x : Math.min(found[at], x);
    found[at + 1] = fresh ? y : found[at + 1];
    found[at + 2] = fresh ? x : Math.max(found[at + 2], x);
    found[at + 3] = y;
  }
  return found;
}

// ../cells/mesh.js
/* The way from longitude and latitude to another plane. */
/** A mesh of exact places to interpolate between, by cubics where a zone or a pointer is placed, and straight where pixels
   are. Two nodes a side mean that it is straight. */
var Mesh = class {
  constructor({ box, nodes, mesh }) {
    this.box = box;
    this.nodes = nodes;
    this.steps = nodes - 1;
    this.values = decode(mesh);
  }
  /** [column, row] as fractions. */
  place(longitude, latitude) {
    const { nodes, steps, values } = this;
    const [west, south, east, north] = this.box;
    const order = Math.min(3, steps);
    const [i, u] = weighted((longitude - west) / (east - west) * steps, steps, order);
    const [j, v] = weighted((north - latitude) / (north - south) * steps, steps, order);
    const found = [0, 0];
    v.forEach((b, row) => {
      u.forEach((a, column) => {
        const at = 2 * ((j + row) * nodes + i + column);
        found[0] += a * b * values[at];
        found[1] += a * b * values[at + 1];
      });
    });
    return found;
  }
  /** A zone's oriented edges in the plane: straight between vertices 1/200 of its span apart, as the library has them. */
  edgesOf(rings) {
    const [left, bottom, right, top] = boxOfRings(rings);
    const longest = Math.max(right - left, top - bottom) / 200;
    return oriented(rings).flatMap((edge) => this.follow(edge, longest));
  }
  /** An edge in degrees as edges of the plane, none longer than `longest` degrees; beyond the mesh it runs along its rim,
     where no cell is. */
  follow([ax, ay, bx, by], longest) {
    if (this.steps === 1) return [[...this.place(ax, ay), ...this.place(bx, by)]];
    const [west, south, east, north] = this.box;
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / longest));
    const stops = Array.from({ length: parts + 1 }, (_, k) => k / parts);
    stops.push(...meetings(ax, bx, [west, east]), ...meetings(ay, by, [south, north]));
    const places = stops.sort((a, b) => a - b).map((t) => this.place(clamped(ax + (bx - ax) * t, west, east), clamped(ay + (by - ay) * t, south, north)));
    return places.slice(1).map((end, k) => [...places[k], ...end]);
  }
};
/** The first node to interpolate from, and the weight of each from there on. */
function weighted(at, steps, order) {
  const first = Math.max(0, Math.min(steps - order, Math.floor(at) - (order >> 1)));
  const t = at - first;
  if (order === 1) return [first, [1 - t, t]];
  return [
    first,
    [
      -(t - 1) * (t - 2) * (t - 3) / 6,
      t * (t - 2) * (t - 3) / 2,
      -t * (t - 1) * (t - 3) / 2,
      t * (t - 1) * (t - 2) / 6
    ]
  ];
}
/** Where the way from one number to another crosses others, as shares of it. */
function meetings(from, to, sides) {
  return sides.filter((side) => (from - side) * (to - side) < 0).map((side) => (side - from) / (to - from));
}
var clamped = (value, low, high) => Math.max(low, Math.min(high, value));

// ../cells/lattice.js
/* Square cells in rows and columns, of any number. */
/** Square cells, found through a mesh of exact places. */
var Lattice = class {
  constructor(plain) {
    this.rows = plain.rows;
    this.columns = plain.columns;
    this.tolerance = plain.tolerance;
    this.mesh = new Mesh(plain);
    /** So many vertices along a side of a cell that long ones stay in place. */
    this.fine = this.mesh.steps > 1 ? Math.max(1, Math.ceil(64 / Math.max(this.rows, this.columns))) : 1;
    this.known = new Map();
    this.numbers = plain.inside && numbered(bits(plain.inside, plain.rows * plain.columns));
    this.places = this.numbers && placesOf(this.numbers);
  }
  number(row, column) {
    if (row < 0 || column < 0 || row >= this.rows || column >= this.columns) return -1;
    const place = row * this.columns + column;
    return this.numbers ? this.numbers[place] : place;
  }
  rowColumn(cell) {
    const place = this.places ? this.places[cell] : cell;
    return [Math.floor(place / this.columns), place % this.columns];
  }
  cellAt(longitude, latitude) {
    const [column, row] = this.mesh.place(longitude, latitude);
    return this.number(Math.floor(row), Math.floor(column));
  }
  /** [longitude, latitude] of a fractional column and row, by Newton's method on the mesh. */
  lonLat(column, row) {
    const { mesh } = this;
    const [west, south, east, north] = mesh.box;
    let [x, y] = [west + (east - west) * column / this.columns, north - (north - south) * row / this.rows];
    const [dx, dy] = [(east - west) / 1e4, (north - south) / 1e4];
    for (let turn = 0, moved = Infinity; turn < 12 && moved > 1e-13; turn++) {
      const now = mesh.place(x, y);
      const [c, r] = now;
      const [cx, rx] = mesh.place(x + dx, y).map((value, k) => (value - now[k]) / dx);
      const [cy, ry] = mesh.place(x, y + dy).map((value, k) => (value - now[k]) / dy);
      const determinant = cx * ry - cy * rx;
      const across = ((c - column) * ry - (r - row) * cy) / determinant;
      const down = ((r - row) * cx - (c - column) * rx) / determinant;
      [x, y] = [x - across, y - down];
      moved = Math.hypot(across, down);
    }
    return [x, y];
  }
  /** The vertices of a cell, from its north-west corner and the inside on their left; neighbours share theirs. */
  corners(cell) {
    const { fine } = this;
    const wide = this.columns * fine + 1;
    const [row, column] = this.rowColumn(cell);
    const first = row * fine * wide + column * fine;
    const far = fine * wide + fine;
    const found = [];
    for (let k = 0; k < fine; k++) found.push(first + k * wide);
    for (let k = 0; k < fine; k++) found.push(first + fine * wide + k);
    for (let k = 0; k < fine; k++) found.push(first + far - k * wide);
    for (let k = 0; k < fine; k++) found.push(first + fine - k);
    return found;
  }
  /** Where a vertex is. */
  corner(vertex) {
    const wide = this.columns * this.fine + 1;
    const known = this.known.get(vertex) ?? this.lonLat(vertex % wide / this.fine, Math.floor(vertex / wide) / this.fine);
    this.known.set(vertex, known);
    return known;
  }
  outlineOf(members) {
    const sides = Array.from(members).flatMap((cell) => sidesOf([this.corners(cell)], cell));
    return ringsAround(sides).map((ring) => ring.map((vertex) => this.corner(vertex)));
  }
  centre(cell) {
    const [row, column] = this.rowColumn(cell);
    const [longitude, latitude] = this.lonLat(column + 0.5, row + 0.5);
    return [latitude, longitude];
  }
  *fill(view, tints, palette, groups) {
    const [west, , east] = this.mesh.box;
    yield* fillPixels(view, tints, palette, (y) => this.rowAt(y), groups, (east - west) / this.columns);
  }
  /** What finds the cell at each place of a row of pixels. */
  rowAt(y) {
    const { box, steps } = this.mesh;
    const [, south, , north] = box;
    const latitude = latitudeOf(y);
    if (latitude < south || latitude > north) return null;
    const down = (north - latitude) / (north - south) * steps;
    const j = Math.max(0, Math.min(steps - 1, Math.floor(down)));
    return (x) => this.cellInRow(longitudeOf(x), j, down - j);
  }
  /** `cellAt` without its allocations: it runs once for every pixel of the screen. */
  cellInRow(longitude, j, v) {
    const { box, steps, nodes, values } = this.mesh;
    const across = (longitude - box[0]) / (box[2] - box[0]) * steps;
    if (across < 0 || across > steps) return -1;
    const i = Math.min(steps - 1, Math.floor(across));
    const u = across - i;
    const a = 2 * (j * nodes + i);
    const b = a + 2 * nodes;
    const column = (values[a] * (1 - u) + values[a + 2] * u) * (1 - v) + (values[b] * (1 - u) + values[b + 2] * u) * v;
    const row = (values[a + 1] * (1 - u) + values[a + 3] * u) * (1 - v) + (values[b + 1] * (1 - u) + values[b + 3] * u) * v;
    return this.number(Math.floor(row), Math.floor(column));
  }
  cover(zone) {
    const shares = new Map();
    coverage(this.mesh.edgesOf(zone), this.columns, this.rows, (row, column, share) => {
      const cell = this.number(row, column);
      if (cell >= 0 && share > this.tolerance) shares.set(cell, share);
    });
    return sorted(shares.keys(), (cell) => shares.get(cell) ?? 0, this.tolerance);
  }
};
/** In-area cells by their place, numbered in row order; -1 is outside. */
function numbered(inside) {
  const found = new Int32Array(inside.length);
  let next = 0;
  for (let i = 0; i < inside.length; i++) found[i] = inside[i] ? next++ : -1;
  return found;
}
function placesOf(numbers) {
  const found = [];
  for (let i = 0; i < numbers.length; i++) if (numbers[i] >= 0) found.push(i);
  return Int32Array.from(found);
}

// ../cells/polygons.js
/* Cells as polygons: areas, and up to 5,000 others. */
/** How many cells are drawn at a time. */
var A_STEP = 64;
/** Each cell's rings of vertices, outer ones anticlockwise and inner ones clockwise, and where a vertex is. */
/** Cells as polygons; those that belong together have their outline instead of lines between them. */
var Polygons = class {
  constructor(shapes, plane = null) {
    this.shapes = shapes;
    this.degrees = ringsOf(shapes);
    this.count = this.degrees.length;
    this.boxes = this.degrees.map(boxOfRings);
    this.onWorld = this.degrees.map(onWorld);
    this.mesh = plane ? new Mesh(plane) : null;
    this.onPlane = plane ? ringsOf(shapesOf(plane.rings)) : this.degrees;
    this.planeBoxes = plane ? this.onPlane.map(boxOfRings) : this.boxes;
    this.usualWidth = this.boxes.map(([west, , east]) => east - west).sort((a, b) => a - b)[this.count >> 1];
    this.outlines = new WeakMap();
  }
  cellAt(x, y) {
    for (let cell = 0; cell < this.count; cell++) {
      const [west, south, east, north] = this.boxes[cell];
      if (x >= west && x <= east && y >= south && y <= north && holds(this.degrees[cell], x, y)) return cell;
    }
    return -1;
  }
  *fill(view, tints, palette, groups) {
    const pen = view.context;
    const ink = palette.map((tint) => hatched(pen, tint));
    pen.lineWidth = 0.6;
    pen.lineJoin = "round";
    const roomy = view.pixels(this.usualWidth) > 11;
    for (let cell = this.count - 1; cell >= 0; cell--) {
      const tint = palette[tints[cell]];
      if (!tint || apart(this.boxes[cell], view.box) || groups.alike && groups.sizeOf(cell) > 1) continue;
      traceRings(view, this.onWorld[cell]);
      pen.fillStyle = ink[tints[cell]];
      pen.fill("evenodd");
      pen.strokeStyle = roomy && !tint.even && groups.sizeOf(cell) === 1 ? view.separator : ink[tints[cell]];
      pen.stroke();
      if (cell % A_STEP === 0) yield;
    }
    pen.lineWidth = 0.9;
    for (const { first, rings } of this.outlined(groups)) {
      const tint = palette[tints[first]];
      if (!tint || tint.quiet && !groups.alike) continue;
      traceRings(view, rings);
      pen.fillStyle = ink[tints[first]];
      if (groups.alike) pen.fill("evenodd");
      pen.strokeStyle = tint.quiet ? ink[tints[first]] : view.ink;
      pen.stroke();
      yield;
    }
  }
  /** The outlines of groups of several cells, each with one of its cells. */
  outlined(groups) {
    const known = this.outlines.get(groups) ?? [];
    if (this.outlines.has(groups)) return known;
    for (let group = 0; group < groups.count; group++) {
      const members = groups.membersOf(group);
      if (members.length > 1)
        known.push({ first: members[0], rings: onWorld(groups.outlines.get(group) ?? this.outlineOf(members)) });
    }
    this.outlines.set(groups, known);
    return known;
  }
  outlineOf(members) {
    const sides = Array.from(members).flatMap((cell) => sidesOf(this.shapes.rings[cell], cell));
    return ringsAround(sides).map((ring) => ring.map(this.shapes.at));
  }
  centre(cell) {
    const [west, south, east, north] = this.boxes[cell];
    return [(south + north) / 2, (west + east) / 2];
  }
  cover(zone) {
    const edges = this.mesh ? this.mesh.edgesOf(zone) : oriented(zone);
    const bounds = edges.map(boxOfEdge);
    const all = boxOfAll(bounds);
    const reached = this.planeBoxes.flatMap((box, cell) => apart(box, all) ? [] : [cell]);
    return sorted(reached, (cell) => this.shareOf(cell, edges, bounds), 1e-7);
  }
  /** Which share of a cell lies within what edges enclose. */
  shareOf(cell, edges, bounds) {
    const own = this.planeBoxes[cell];
    const rings = this.onPlane[cell];
    if (!bounds.some((box) => !apart(box, own))) return encloses(edges, ...rings[0][0]) ? 1 : 0;
    const above = edges.filter((_, i) => bounds[i][0] < own[2] && bounds[i][2] > own[0]);
    const cellEdges = edgesOf(rings);
    const twice = cellEdges.reduce((total, [ax, ay, bx, by]) => total + ax * by - bx * ay, 0);
    return Math.abs(shared(cellEdges, above) / (twice / 2));
  }
};
/** Cells' vertices, unpacked; those of a ring may be written out one by one, or by their numbers. */
function shapesOf({ corner: [west, south], step, ...packed }) {
  const [points, lengths, owners] = [decode(packed.points), decode(packed.lengths), decode(packed.cells)];
  const numbers = packed.at && decode(packed.at);
  const count = 1 + owners.reduce((most, owner) => Math.max(most, owner), -1);
  const rings = Array.from({ length: count }, () => []);
  let next = 0;
  lengths.forEach((length, ring) => {
    const vertices = Array.from({ length }, (_, i) => numbers ? numbers[next + i] : next + i);
    next += length;
    rings[owners[ring]].push(vertices.slice(0, -1));
  });
  return { rings, at: (vertex) => [west + step * points[2 * vertex], south + step * points[2 * vertex + 1]] };
}
/** Each cell's rings of places. */
var ringsOf = ({ rings, at }) => rings.map((cell) => cell.map((ring) => ring.map(at)));
function traceRings({ context, x, y }, rings) {
  context.beginPath();
  for (const ring of rings) {
    ring.forEach((place, i) => {
      context[i ? "lineTo" : "moveTo"](x(place[0]), y(place[1]));
    });
    context.closePath();
  }
}

// ../cells/cells.js
/* Where the cells are, in whichever of three forms they came: a lattice, polygons, an image of cell numbers. */
/** The cells of a layer. */
async function cellsOf({ geometry, cells: count }) {
  const { image, lattice, rings, plane, few, ids, codes } = geometry;
  if (ids) geometry.names = new TextDecoder().decode(decode(ids)).split(" ");
  if (codes) codes.all = decode(codes.marks);
  if (image) return new CellImage(image, await inflateRows(image.numbers, image.width), count);
  if (lattice) return few ? new FewSquares(lattice, count) : new Lattice(lattice);
  if (rings) return new Polygons(shapesOf(rings), plane);
  throw new Error("the page carries no cells");
}
/** Squares that answer through their lattice and are drawn as polygons. */
var FewSquares = class extends Lattice {
  constructor(plain, count) {
    super(plain);
    const rings = Array.from({ length: count }, (_, cell) => [this.corners(cell)]);
    this.shapes = new Polygons({ rings, at: (vertex) => this.corner(vertex) });
  }
  *fill(view, tints, palette, groups) {
    yield* this.shapes.fill(view, tints, palette, groups);
  }
};

// ../elements.js
/* Elements of the page. Text is only ever set as text, never as markup. */
/** The first element that a selector finds, which must be there and of this kind. */
function find(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}
/** An element by the name after `dp-`. */
var element = (name) => find(`#dp-${name}`, HTMLElement);
var input = (name) => find(`#dp-${name}`, HTMLInputElement);
var details = (name) => find(`#dp-${name}`, HTMLDetailsElement);
/** A new element holding text. */
function make(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
/** A colour of the style sheet, as it is now (light, dark or print). */
var inkOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// ../filled.js
/* What every page says once it is filled, or could not be. */
/** Hands the filled page on and marks the document as ready; a failure is told on the page. */
function whenFilled(filling, done) {
  filling.then(
    (page) => {
      done(page);
      document.documentElement.dataset.ready = "yes";
    },
    (error) => {
      element("problem").textContent = `This browser cannot show the cells: ${error.message}`;
      throw error;
    }
  );
}

// ../ground.js
/* The empty map: Leaflet, its controls, the places it may show, and tiles where the maker of the page chose some. */
/** A Leaflet map with nothing on it yet. */
function emptyMap(name, facts) {
  useOwnPictures();
  const map = L.map(name, {
    attributionControl: Boolean(facts.tiles),
    zoomSnap: 0.25,
    zoomDelta: 0.5,
    maxBoundsViscosity: 0.7,
    keyboardPanDelta: 60,
    zoomControl: false,
    boxZoom: false
  });
  map.getContainer().setAttribute("aria-label", `Map: ${facts.title}`);
  L.control.zoom({ zoomInTitle: "Zoom in", zoomOutTitle: "Zoom out" }).addTo(map);
  L.control.scale({ position: "bottomleft", imperial: false }).addTo(map);
  map.createPane("cells").style.zIndex = "250";
  const [west, south, east, north] = facts.context.box;
  map.setMaxBounds([
    [south, west],
    [north, east]
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
/** A background from one named server, and what that server learns. */
/** Lets nobody come closer than the cells mean: one is a quarter of the map's width at most. */
function limitZoom(map, { cells, geometry }, areaOf) {
  const areas = Array.from(
    { length: Math.min(cells, 2e3) },
    (_, i) => areaOf(Math.floor(i * cells / Math.min(cells, 2e3)))
  );
  const small = areas.sort((a, b) => a - b)[Math.floor(areas.length / 10)];
  const latitude = (geometry.bounds[0][0] + geometry.bounds[1][0]) / 2;
  const kmPerPixel = 156.543 * Math.cos(latitude * Math.PI / 180);
  const closest = Math.log2(kmPerPixel * map.getSize().x / 4 / Math.sqrt(small));
  map.setMaxZoom(Math.max(Math.floor(closest * 4) / 4, map.getBoundsZoom(geometry.bounds)));
}

// ../cells/regions.js
/* Cells that belong together: land that was measured as one, or is told as one place. */
/** How many cells each of so many regions has; a label of -1 is none. */
function sizesOf(labels, regions) {
  const sizes = new Int32Array(regions);
  for (const region of labels || []) if (region >= 0) sizes[region] += 1;
  return sizes;
}
/** Cells by the number of their group. */
function groupsOf(labels, count, outlines) {
  const sizes = sizesOf(labels, count);
  let order;
  const starts = new Int32Array(count + 1);
  sizes.forEach((size, group) => starts[group + 1] = starts[group] + size);
  return {
    count,
    outlines: unpacked(outlines),
    some: sizes.some((size) => size > 1),
    of: (cell) => labels[cell],
    sizeOf: (cell) => sizes[labels[cell]],
    membersOf(group) {
      order ??= sortedBy(labels, starts);
      return order.subarray(starts[group], starts[group + 1]);
    }
  };
}
/** Outlines by the number of their group. */
function unpacked(outlines) {
  const found = new Map();
  if (!outlines) return found;
  const numbers = decode(outlines.groups);
  ringsOf(shapesOf(outlines)).forEach((rings, i) => found.set(numbers[i], rings));
  return found;
}
/** The rings of [longitude, latitude] around a group. */
var outlineOf = (cells, groups, group) => groups.outlines.get(group) ?? cells.outlineOf(groups.membersOf(group));
/** Cells in the order of their groups. */
function sortedBy(labels, starts) {
  const next = starts.slice();
  const order = new Int32Array(starts[starts.length - 1]);
  labels.forEach((group, cell) => {
    if (group >= 0) order[next[group]++] = cell;
  });
  return order;
}
/** Which region of the last measurement each cell is in. */

// ../places/names.js
/* Places by the towns near them, in the words of dpmap/render/towns.py. */
var EARTH = 6371.0088;
/** Kilometres: a place is not named after a town farther away. */
var FARTHEST = 200;
/** A town that lies so many sides from the middle of a cell lies in it, or at its corner. */
var CELL_REACH = 0.7;
var POINTS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/** `at Teruel` where a town lies in the cell, `12 km NE of Teruel`, or coordinates rounded to a cell's side where no town is near. */
function placeName({ context }, longitude, latitude) {
  const { towns = [], own = [], side } = context;
  const named = own.filter(({ points }) => points.length).flatMap(({ names }) => names);
  const known = [...named, ...towns];
  const far = known.map((town) => distance(town, longitude, latitude));
  const within = known.find((_, at) => far[at] <= Math.max(0.5, CELL_REACH * side));
  if (within) return `at ${within[0]}`;
  const km = Math.min(...far, Infinity);
  const nearest = known[far.indexOf(km)];
  if (!nearest || km > FARTHEST) return placeCoordinates(longitude, latitude, side);
  return `${rounded(km, side)} km ${POINTS[bearing(nearest, longitude, latitude)]} of ${nearest[0]}`;
}
/** `40.3° N, 1.1° W`, to the decimals that a cell's side means. */
function placeCoordinates(longitude, latitude, side) {
  const decimals = Math.min(4, Math.max(0, Math.ceil(Math.log10(111 / side) - 0.05)));
  return `${coordinate(latitude, decimals, "NS")}, ${coordinate(longitude, decimals, "EW")}`;
}
var radians = (degrees2) => degrees2 * Math.PI / 180;
/** Kilometres on a sphere. */
function distance([, east, north], longitude, latitude) {
  const [up, across] = [radians(north - latitude), radians(east - longitude)];
  const half = Math.sin(up / 2) ** 2 + Math.cos(radians(latitude)) * Math.cos(radians(north)) * Math.sin(across / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.sqrt(Math.min(half, 1)));
}
/** The nearest of eight points of the compass in which a place lies from a town. */
function bearing([, fromEast, fromNorth], longitude, latitude) {
  const [across, here, there] = [radians(longitude - fromEast), radians(fromNorth), radians(latitude)];
  const east = Math.sin(across) * Math.cos(there);
  const north = Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(across);
  return (Math.floor(Math.atan2(east, north) * 4 / Math.PI + 0.5) + 8) % 8;
}
/** Whole kilometres; tenths where cells are smaller than one. */
var rounded = (km, side) => side < 1 ? Math.floor(km * 10 + 0.5) / 10 : Math.floor(km + 0.5);
function coordinate(degrees2, decimals, letters) {
  const size = Number(Math.abs(degrees2).toFixed(decimals));
  return `${size}°${size === 0 ? "" : ` ${letters[degrees2 > 0 ? 0 : 1]}`}`;
}

// ../places/land.js
/* What land of several cells is called: by a town only where that lies in it or close by, in the words of dpmap/render/towns.py. */
/** Land is near a town that lies no farther from it than half its own width, nor than so many cells. */
/** Land that is wider than so many cells is not near a town. */
/** From this share of the map's width on, land lies across it. */
/** `around Teruel`, `near Teruel`, `in the north-east of the map`; of several pieces how many they are, and so of the largest. */
/** Where one piece lies. */
/** `in the north-east of the map`, by thirds of it. */
/** Kilometres from one corner of a box to the other. */
/** Kilometres from a town to the nearest edge of land, on the plane that touches the globe there. */
/** How large the land within a ring is, for comparing. */

// ../words.js
/* Numbers and names as people read them. */
/** No more digits than matter, thousands apart. */
function numberText(value) {
  if (!Number.isFinite(value)) return value > 0 ? "unbounded" : "unknown";
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en");
  if (size >= 1 || size === 0) return String(Math.round(value * 10) / 10);
  return size >= 5e-4 ? String(Number(value.toPrecision(2))) : "0";
}
/** How many, thousands apart. */
var many = (count) => count.toLocaleString("en");
/** `1 cell`, `2,000 cells`. */
var counted = (count, noun) => `${many(count)} ${noun}${count === 1 ? "" : "s"}`;
var percent = (share) => `${Math.round(share * 1e3) / 10} %`;
/** From one number to another; a low end that is above 0 without reaching a number that can be read is said so. */
/** `3 per 100 km²`: a density, given per square kilometre, in the unit that is plainest here. */
/** A density of ground, which is one per square kilometre too where colours show totals per cell. */
/** A cell's own name, or its place. */
/** The code of a cell in the official grid that it is in; empty where it has none. */
function codeOf({ geometry, cells }, cell) {
  const { width = 0, all = new Uint8Array() } = geometry.codes ?? {};
  const marks = Array.from({ length: width }, (_, at) => all[at * cells + cell]);
  return String.fromCharCode(...marks.filter((mark) => mark > 0));
}
/** `10kmE428N267 in the EEA reference grid`, as the last of a cell's lines; none where it has no code. */
/** `1 (4 cells)`, for a cluster of hot cells. */
/** Words for one cell, as lines of [words, class name of a style]; `index` is that of the threshold which is shown, if any. */
/** A place's number, and where it is; an area's own name. */
/** The cell of a place that is nearest to its middle. */
/** The same words for a place. */
/** A name as it is searched for: without regard to case, accents and outer blanks. */
var foldName = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();

// ../places/references.js
/* Places written as coordinates in degrees or as references of the British, the Irish and the military grid. */
/** A transverse Mercator projection: half axes, origin, scale, false origin, and the shift of its datum to WGS 84 (metres, seconds of arc,
   parts in a million), which is right to some metres. */
var WGS84 = { a: 6378137, b: 6356752314245e-6 };
var BRITISH = {
  ...{ a: 6377563396e-3, b: 6356256909e-3, lat: 49, lon: -2, scale: 0.9996012717, x: 4e5, y: -1e5 },
  shift: [446.448, -125.157, 542.06, 0.1502, 0.247, 0.8421, -20.4894]
};
var IRISH = {
  ...{ a: 6377340189e-3, b: 6356034447e-3, lat: 53.5, lon: -8, scale: 1.000035, x: 2e5, y: 25e4 },
  shift: [482.53, -130.596, 564.557, -1.042, -0.214, -0.631, 8.15]
};
var SQUARES = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
var TETRADS = "ABCDEFGHIJKLMNPQRSTUVWXYZ";
var BANDS = "CDEFGHJKLMNPQRSTUVWX";
var COLUMNS = ["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"];
var ROWS2 = "ABCDEFGHJKLMNPQRSTUV";
var METRES_A_DEGREE = 110500;
/** The middle of what a grid reference names (`SU12`, `SU 12 34`, `SU12A`, `O 15 34`, `30U WB 92 85`), as [longitude, latitude]; null where the
   text is none. */
function referencePlace(text) {
  const code = text.replace(/\s+/g, "").toUpperCase();
  const british = /^([HNOST])([A-HJ-Z])(\d*)([A-NP-Z]?)$/.exec(code);
  if (british) {
    const [first, second] = [SQUARES.indexOf(british[1]), SQUARES.indexOf(british[2])];
    const east = ((first - 2) % 5 * 5 + second % 5) * 1e5;
    const north = (19 - Math.floor(first / 5) * 5 - Math.floor(second / 5)) * 1e5;
    return squareIn(BRITISH, east, north, british[3], british[4]);
  }
  const irish = /^([A-HJ-Z])(\d+)([A-NP-Z]?)$/.exec(code);
  if (irish) {
    const at = SQUARES.indexOf(irish[1]);
    return squareIn(IRISH, at % 5 * 1e5, (4 - Math.floor(at / 5)) * 1e5, irish[2], irish[3]);
  }
  const military = /^(\d{1,2})([C-HJ-NP-X])([A-HJ-NP-Z])([A-HJ-NP-V])(\d*)$/.exec(code);
  return military && militarySquare(Number(military[1]), military[2], military[3], military[4], military[5]);
}
function militarySquare(zone, band, column, row, digits) {
  const across = COLUMNS[zone % 3].indexOf(column);
  if (zone < 1 || zone > 60 || across < 0) return null;
  const south = BANDS.indexOf(band) * 8 - 80;
  const y = south < 0 ? 1e7 : 0;
  const least = south * METRES_A_DEGREE + y - 1e5;
  let north = (ROWS2.indexOf(row) + (zone % 2 ? 0 : 15)) % 20 * 1e5;
  while (north < least) north += 2e6;
  const projection = { ...WGS84, lat: 0, lon: zone * 6 - 183, scale: 0.9996, x: 5e5, y, shift: [] };
  return squareIn(projection, (across + 1) * 1e5, north, digits, "");
}
/** The middle of a square of 100 km, or of the smaller one in it that digits and the letter of a tetrad name. */
function squareIn(projection, east, north, digits, tetrad) {
  const half = digits.length / 2;
  if (half % 1 || half > 5 || tetrad && half !== 1) return null;
  const side = 10 ** (5 - half);
  const [x, y] = [digits.slice(0, half), digits.slice(half)].map((some) => Number(some) * side);
  const at = TETRADS.indexOf(tetrad);
  const [right, up] = tetrad ? [Math.floor(at / 5) * 2e3 + 1e3, at % 5 * 2e3 + 1e3] : [side / 2, side / 2];
  return inDegrees(projection, east + x + right, north + y + up);
}
/** Longitude and latitude on WGS 84 of eastings and northings, by Krüger's series. */
function inDegrees({ a, b, lat, lon, scale, x, y, shift }, east, north) {
  const n = (a - b) / (a + b);
  const unit = scale * a * (1 + n ** 2 / 4 + n ** 4 / 64) / (1 + n);
  const origin = rectifying(radians2(lat), n);
  const [up, across] = [(north - y) / unit + origin, (east - x) / unit];
  const terms = [n / 2 - 2 * n ** 2 / 3 + 37 * n ** 3 / 96, n ** 2 / 48 + n ** 3 / 15, 17 * n ** 3 / 480];
  let [xi, eta] = [up, across];
  terms.forEach((term, i) => {
    xi -= term * Math.sin(2 * (i + 1) * up) * Math.cosh(2 * (i + 1) * across);
    eta -= term * Math.cos(2 * (i + 1) * up) * Math.sinh(2 * (i + 1) * across);
  });
  const conformal = Math.asin(Math.sin(xi) / Math.cosh(eta));
  const turns = [2 * n - 2 * n ** 2 / 3 - 2 * n ** 3, 7 * n ** 2 / 3 - 8 * n ** 3 / 5, 56 * n ** 3 / 15];
  const latitude = turns.reduce((sum, turn, i) => sum + turn * Math.sin(2 * (i + 1) * conformal), conformal);
  const longitude = radians2(lon) + Math.atan2(Math.sinh(eta), Math.cos(xi));
  return shift.length ? onWgs84(a, b, longitude, latitude, shift) : [degrees(longitude), degrees(latitude)];
}
/** The rectifying latitude: how far along the meridian a latitude lies. */
function rectifying(latitude, n) {
  const terms = [-3 * n / 2 + 9 * n ** 3 / 16, 15 * n ** 2 / 16 - 15 * n ** 4 / 32, -35 * n ** 3 / 48];
  return terms.reduce((sum, term, i) => sum + term * Math.sin(2 * (i + 1) * latitude), latitude);
}
/** The same place on WGS 84, at the height of the ellipsoid. */
function onWgs84(a, b, longitude, latitude, [dx, dy, dz, rx, ry, rz, parts]) {
  const flat = 1 - b * b / (a * a);
  const normal = a / Math.sqrt(1 - flat * Math.sin(latitude) ** 2);
  const [x, y, z] = [
    normal * Math.cos(latitude) * Math.cos(longitude),
    normal * Math.cos(latitude) * Math.sin(longitude),
    normal * (1 - flat) * Math.sin(latitude)
  ];
  const [turnX, turnY, turnZ] = [rx, ry, rz].map((seconds) => radians2(seconds / 3600));
  const grown = 1 + parts * 1e-6;
  const [east, north, up] = [
    dx + grown * (x - turnZ * y + turnY * z),
    dy + grown * (turnZ * x + y - turnX * z),
    dz + grown * (-turnY * x + turnX * y + z)
  ];
  const flatter = 1 - WGS84.b ** 2 / WGS84.a ** 2;
  const level = Math.hypot(east, north);
  let moved = Math.atan2(up, level * (1 - flatter));
  for (let turn = 0; turn < 4; turn++) {
    const at = WGS84.a / Math.sqrt(1 - flatter * Math.sin(moved) ** 2);
    moved = Math.atan2(up + flatter * at * Math.sin(moved), level);
  }
  return [degrees(Math.atan2(north, east)), degrees(moved)];
}
var radians2 = (angle) => angle * Math.PI / 180;
var degrees = (angle) => angle * 180 / Math.PI;
var HALF = /^([NSEW])?\s*([-+]?\d+(?:\.\d+)?)\s*°?\s*(?:(\d+(?:\.\d+)?)\s*['′]?\s*)?(?:(\d+(?:\.\d+)?)\s*["″]?\s*)?([NSEW])?$/;
/** The two numbers of coordinates that are typed, east first: degrees (`51.07, -1.79`, `51° 4′ N 1° 47′ W`), or eastings and northings in metres,
   which are larger; null where the text is none. */
function typedCoordinates(text) {
  const plain = text.trim().toUpperCase().replace(/−/g, "-").replace(/’/g, "′");
  const halves = /^(.+?)\s*[,;]\s*(.+)$/.exec(plain) ?? /^([NSEW].+?)\s+([NSEW].+)$/.exec(plain) ?? /^(.*\d.*?[NSEW])\s*(.+)$/.exec(plain) ?? /^(\S+)\s+(\S+)$/.exec(plain);
  const [first, second] = [halves?.[1], halves?.[2]].map((half) => HALF.exec(half ?? ""));
  if (!first || !second) return null;
  const [one, other] = [first, second].map(([, before, whole, minutes, seconds, after]) => {
    const size = Math.abs(Number(whole)) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
    const letter = before ?? after ?? "";
    return { letter, value: whole.startsWith("-") || letter === "S" || letter === "W" ? -size : size };
  });
  const projected = Math.max(Math.abs(one.value), Math.abs(other.value)) > 180;
  const eastFirst = "EW".includes(one.letter || "?") || projected && !one.letter;
  return eastFirst ? [one.value, other.value] : [other.value, one.value];
}

// ../places/search.js
/* Finding a place by its name, its code in a grid or its coordinates. */
/** Where a place lies, and its outline if it is one of the map's own. */
/** So many names are listed while one is typed. */
var MOST_LISTED = 2e3;
var RING = "#0b5cad";
/** Moves the map to what is typed, and says what the background cannot show. */
function placeSearch(map, facts, cells, tell = () => {
}) {
  notes(facts);
  const finders = findersOf(facts, cells);
  const form = find("#dp-search", HTMLFormElement);
  form.hidden = false;
  for (const name of finders.names.slice(0, MOST_LISTED)) {
    const option = make("option");
    option.value = name;
    element("places").append(option);
  }
  const box = input("place");
  const mark = L.layerGroup().addTo(map);
  const go = () => {
    const place = finders.place(box.value);
    const outside = place && !isIn(facts.context.box, place.at);
    mark.clearLayers();
    box.setAttribute("aria-invalid", String(Boolean(box.value.trim()) && (!place || outside)));
    if (!place || outside) {
      const missing = outside ? `${place.words} lies outside this map.` : `Nothing is found. ${finders.hint}`;
      element("found").textContent = box.value.trim() ? missing : "";
      return;
    }
    element("found").textContent = place.words;
    show(map, facts, mark, place);
    tell(L.latLng(place.at[1], place.at[0]));
  };
  map.on("click", () => mark.clearLayers());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  box.addEventListener("input", (event) => {
    const typed = event instanceof InputEvent ? event.inputType : "";
    if ((!typed || typed === "insertReplacementText") && finders.has(box.value)) go();
  });
}
/** Moves the map to a place and marks it: by its outline, else by a ring. */
function show(map, facts, mark, { at: [x, y], outline }) {
  const style = { color: RING, weight: 3, fill: false, interactive: false };
  if (outline) {
    const shape = L.polygon(
      outline.map((ring) => ring.map(([east, north]) => [north, east])),
      style
    );
    const zoom = Math.min(map.getBoundsZoom(shape.getBounds().pad(0.5)), zoomAt(map, facts));
    map.setView(shape.getBounds().getCenter(), Math.max(zoom, map.getBoundsZoom(facts.geometry.bounds)), {
      animate: false
    });
    shape.addTo(mark);
    return;
  }
  map.setView([y, x], Math.max(map.getZoom(), zoomAt(map, facts)), { animate: false });
  L.circleMarker([y, x], { ...style, radius: 14 }).addTo(mark);
}
/** What can be found, by which way of writing it. */
function findersOf(facts, cells) {
  const { geometry, context } = facts;
  const named = namedPlaces(facts, cells);
  const names = [...named.keys()];
  const nameOf = (typed) => bestOf(names, typed);
  const placeOf = (name) => named.get(name)?.() ?? null;
  const ways = [
    (typed) => placeOf(names.find((name) => foldName(name) === foldName(typed)) ?? ""),
    codeFinder(facts, cells),
    (typed) => pointOf(facts, cells, typedCoordinates(typed), typed),
    (typed) => /\d/.test(typed) ? pointOf(facts, cells, referencePlace(typed), typed) : null,
    (typed) => placeOf(nameOf(typed)),
    (typed) => pointOf(facts, cells, referencePlace(typed), typed)
  ];
  const kinds = [
    ...geometry.names && !geometry.ids ? ["an area of this map"] : [],
    ...context.regions?.length ? ["a county or region"] : [],
    ...context.towns?.length ? ["a town"] : [],
    ...geometry.codes ? ["the code of a cell"] : [],
    "a grid reference like SU 12 34",
    "coordinates like 51.07, -1.79"
  ];
  return {
    names,
    has: (typed) => named.has(typed),
    hint: `Type ${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}.`,
    place: (typed) => {
      if (!typed.trim()) return null;
      for (const way of ways) {
        const place = way(typed);
        if (place) return place;
      }
      return null;
    }
  };
}
/** Each name with its place: the map's own areas, own layers, towns, regions; names that several places bear are told apart by
   their coordinates. */
function namedPlaces({ context, geometry }, cells) {
  const places = new Map();
  geometry.names?.forEach((name, cell) => {
    const area = () => {
      const [y, x] = cells.centre(cell);
      return { at: [x, y], words: name, outline: cells.outlineOf([cell]) };
    };
    if (!places.has(name)) places.set(name, area);
  });
  const { own = [], towns = [], regions = [] } = context;
  const all = [...own.flatMap(({ names }) => names), ...towns, ...regions];
  const inMap = all.filter(([, x, y]) => isIn(context.box, [x, y]));
  const times = new Map([...places.keys()].map((name) => [name, 1]));
  for (const [name] of inMap) times.set(name, (times.get(name) ?? 0) + 1);
  for (const [name, x, y] of inMap) {
    const apart2 = times.get(name) === 1 ? name : `${name} (${placeCoordinates(x, y, 10)})`;
    if (!places.has(apart2)) places.set(apart2, () => ({ at: [x, y], words: apart2 }));
  }
  return places;
}
/** Finds cells by their codes in the official grid that they are in. */
function codeFinder({ geometry }, cells) {
  const { codes } = geometry;
  const count = codes?.all ? codes.all.length / codes.width : 0;
  let numbers = null;
  return (typed) => {
    numbers ??= new Map(
      Array.from({ length: count }, (_, cell2) => [squeezed(codeOf({ geometry, cells: count }, cell2)), cell2])
    );
    const cell = numbers.get(squeezed(typed));
    if (cell === void 0) return null;
    const [y, x] = cells.centre(cell);
    const words = `${codeOf({ geometry, cells: count }, cell)} in the ${codes?.title}`;
    return { at: [x, y], words, outline: cells.outlineOf([cell]) };
  };
}
/** A point in degrees, or in the map's own metres where its cells are squares. */
function pointOf({ geometry, context }, cells, point, typed) {
  if (!point) return null;
  const words = typed.trim();
  const frame = geometry.lattice?.frame;
  const inDegrees2 = Math.abs(point[0]) <= 360 && Math.abs(point[1]) <= 90;
  if (inDegrees2) return { at: point, words: `${words}: ${placeCoordinates(...point, Math.min(context.side, 1))}` };
  if (!frame || !cells.lonLat) return null;
  const [west, north, width, height] = frame;
  const [column, row] = [(point[0] - west) / width, (north - point[1]) / height];
  const { rows, columns } = geometry.lattice;
  if (column < 0 || row < 0 || column > columns || row > rows) {
    return { at: [NaN, NaN], words };
  }
  return { at: cells.lonLat(column, row), words };
}
var isIn = ([west, south, east, north], [x, y]) => x >= west && x <= east && y >= south && y <= north;
/** The name that was meant: the same, one that begins so, or one that contains it, without regard to case and accents. */
function bestOf(names, typed) {
  const wanted = foldName(typed);
  if (wanted.length < 2) return "";
  const ranked = names.map((name) => foldName(name).indexOf(wanted));
  const first = ranked.indexOf(0);
  const within = ranked.findIndex((at) => at > 0);
  return names[first] ?? names[within] ?? "";
}
var squeezed = (text) => text.replace(/\s+/g, "").toUpperCase();
/** The zoom at which a place found has some twenty cells around it, or what fits the whole map if that is closer. */
function zoomAt(map, { context, geometry }) {
  const whole = map.getBoundsZoom(geometry.bounds);
  const metres = context.side * 1e3 * 20;
  const wide = Math.log2(40075e3 * map.getSize().x / 256 / metres);
  return Math.max(whole, Math.min(wide, whole + 1.5));
}
/** What the reader must know of the background. */
function notes({ context, tiles }) {
  const own = [...new Set((context.own ?? []).map(({ title }) => title))];
  const lines = [];
  if (context.coarse && !tiles) lines.push("The coast is drawn coarser than the cells.");
  if (own.length) lines.push(`Drawn as given: ${own.join(", ")}.`);
  element("ground").textContent = lines.join(" ");
}

// ../tools/outlines.js
/* Lines and names over the map. */
/** A line with a pale casing, to be seen on every colour of the map. */
function outlined(latlngs, colour, weight = 3) {
  const line = (options) => L.polygon(latlngs, { interactive: false, fill: false, ...options });
  const parts = [line({ color: "#ffffff", weight: 2 * weight, opacity: 0.9 }), line({ color: colour, weight })];
  const group = L.featureGroup(parts);
  return {
    group,
    move: (places) => {
      for (const part of parts) part.setLatLngs(places);
    }
  };
}
/** The name of an area and its answer, above it; whoever cannot see the map has both in the list. */
function labelled(bounds, name, answer) {
  const words = make("div", "", "dp-label");
  words.append(make("strong", name), make("div", answer));
  const label = L.tooltip({ permanent: true, direction: "top", className: "dp-labelled" });
  label.on("add", () => label.getElement()?.setAttribute("aria-hidden", "true"));
  return label.setLatLng([bounds.getNorth(), bounds.getCenter().lng]).setContent(words);
}

// ../tools/pointing.js
/* Pointing with a mouse, a finger, or the cross in the middle when the keyboard moves the map. */
/** Tells of what is pointed at: a cell, or the place it is in. */
var Pointing = class {
  constructor(map, cells, tell) {
    this.map = map;
    this.cells = cells;
    this.tell = tell;
    this.tip = find(".dp-tip", HTMLElement);
    this.cross = find(".dp-cross", HTMLElement);
    this.mark = outlined([], "#111111");
    this.byKeyboard = false;
    /** While something is drawn, the mouse does not point. */
    this.paused = false;
    this.last = -1;
    this.listen();
  }
  listen() {
    const { map } = this;
    map.on("mousemove click", (event) => {
      const { latlng, containerPoint } = event;
      this.point(latlng, containerPoint);
    });
    map.on("mouseout", () => this.hide());
    map.on("dragstart zoomstart", () => this.byKeyboard || this.hide());
    map.on("moveend", () => this.byKeyboard && this.pointAtCross());
    const box = map.getContainer();
    box.addEventListener("keydown", () => this.setKeyboard(true));
    box.addEventListener("pointerdown", () => this.setKeyboard(false));
    box.addEventListener("focus", () => box.matches(":focus-visible") && this.setKeyboard(true));
    box.addEventListener("blur", () => {
      this.setKeyboard(false);
      this.hide();
    });
  }
  /** Says again what it says, in the words of the layer that is shown now. */
  refresh() {
    if (!this.tip.hidden) this.write(this.last);
  }
  show(cell, at) {
    this.write(cell);
    this.place(at);
  }
  setKeyboard(on) {
    if (on === this.byKeyboard) return;
    this.byKeyboard = on;
    this.cross.classList.toggle("dp-on", on);
    if (on) this.pointAtCross();
  }
  pointAtCross() {
    const middle = this.map.getSize().divideBy(2);
    this.cross.style.left = `${middle.x - 11}px`;
    this.cross.style.top = `${middle.y - 11}px`;
    this.point(this.map.getCenter(), middle);
  }
  point(latlng, at) {
    const silent = this.paused && !this.byKeyboard;
    const cell = silent ? -1 : this.cells.cellAt(latlng.lng, latlng.lat);
    if (cell < 0) {
      this.hide();
      return;
    }
    if (cell !== this.last) this.write(cell);
    this.place(at);
  }
  write(cell) {
    this.last = cell;
    const { lines, outline } = this.tell(cell);
    const made = lines.map(
      ([words, style]) => make(style === "value" ? "strong" : "div", words, style && `dp-${style}`)
    );
    this.tip.replaceChildren(...made);
    this.mark.move(outline().map((ring) => [ring.map(([x, y]) => [y, x])]));
    this.mark.group.addTo(this.map);
    this.tip.hidden = false;
  }
  /** Beside the place, inside the map. */
  place(at) {
    const { tip } = this;
    const size = this.map.getSize();
    const [right, bottom] = [size.x - tip.offsetWidth - 8, size.y - tip.offsetHeight - 8];
    const left = at.x + 18 > right ? at.x - tip.offsetWidth - 18 : at.x + 18;
    const top = at.y + 18 > bottom ? at.y - tip.offsetHeight - 18 : at.y + 18;
    tip.style.left = `${Math.max(8, Math.min(right, left))}px`;
    tip.style.top = `${Math.max(8, Math.min(bottom, top))}px`;
  }
  hide() {
    this.last = -1;
    this.tip.hidden = true;
    this.mark.group.remove();
  }
};

// ../life.js
/* Listeners on what outlives a layer's page (the window, the document) end with it. */
var life = new AbortController();
/** For `addEventListener`. */
var whileOpen = () => ({ signal: life.signal });
/** All such listeners go; new ones may come. */

// ../tools/printing.js
/* On paper: light colours, the whole map in the paper's width, facts unfolded. */
/** Makes the page ready for paper, and puts it back. */
function printing(map, facts, shown) {
  const about = details("about");
  const paper = window.matchMedia("print");
  let before = null;
  const remember = () => {
    about.dataset.was = about.open ? "open" : "";
  };
  const unfold = () => {
    remember();
    about.open = true;
  };
  const turn = () => {
    if (paper.matches && !("was" in about.dataset)) remember();
    about.open = paper.matches || about.dataset.was === "open";
    const view = [map.getCenter(), map.getZoom()];
    map.invalidateSize({ animate: false, pan: false });
    if (paper.matches) {
      before = view;
      map.fitBounds(facts.geometry.bounds, { animate: false, padding: [8, 8] });
    } else {
      delete about.dataset.was;
      if (before) map.setView(...before, { animate: false });
    }
    shown.show();
  };
  window.addEventListener("beforeprint", unfold, whileOpen());
  paper.addEventListener("change", turn, whileOpen());
}

// divider.js
/* The divider between the two maps: a native slider, for mouse, finger and keys. */
/** The width of the slider's handle: its middle never comes closer to the edge of the map than half of it. */
var HANDLE = 44;
/** Shows the later map from the divider to the right, the earlier one to the left of it. */
var Divider = class {
  constructor(map, facts, pane) {
    this.map = map;
    this.pane = pane;
    this.titles = [facts.before.title, facts.after.title];
    this.slider = input("divider");
    this.slider.addEventListener("input", () => this.move());
    map.on("move resize zoomend viewreset", () => this.move());
  }
  show(on) {
    element("dividing").hidden = !on;
    this.move();
  }
  /** Where the divider is, in pixels from the left edge of the map. */
  get at() {
    return HANDLE / 2 + Number(this.slider.value) / 100 * (this.map.getSize().x - HANDLE);
  }
  /** Cuts the later map at the divider. */
  move() {
    const { map, at } = this;
    const [corner, opposite] = [map.containerPointToLayerPoint([0, 0]), map.containerPointToLayerPoint(map.getSize())];
    const edges = [corner.y, opposite.x, opposite.y, corner.x + at];
    this.pane.style.clip = `rect(${edges.map((edge) => `${edge}px`).join(", ")})`;
    element("line").style.left = `${at}px`;
    const share = Number(this.slider.value);
    const words = `${share} % of the map shows ${this.titles[0]}, the rest ${this.titles[1]}`;
    this.slider.setAttribute("aria-valuetext", words);
  }
};

// rows.js
/* The rows that were compared: cells, regions or zones, each with its change. */
/** Each row's numbers and class, and the cells that it has; a cell of no row is in a last one, of nothing. */
function rowsOf({ change }) {
  const [before, after, difference, low, high] = [
    change.before,
    change.after,
    change.change,
    change.low,
    change.high
  ].map((packed) => decode(packed));
  const count = before.length;
  const row = decode(change.row).map((one) => one < 0 ? count : one);
  const none = change.colours.length + 1;
  const classes = Uint8Array.from([...decode(change.classes), none]);
  const groups = { ...groupsOf(row, count + 1, null), alike: true };
  return { count, before, after, change: difference, low, high, told: bits(change.told, count), row, classes, groups };
}
/** A change with its sign. */
var signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${numberText(Math.abs(value))}`;
/** What is told of the row that a cell is in, as lines of [words, class name of a style], and its outline. */
function describeRow(facts, rows, cells, cell) {
  const row = rows.row[cell];
  const lines = row < rows.count ? linesOf(facts, rows, row) : [["not compared", "value"]];
  const { names } = facts.change;
  const [latitude, longitude] = cells.centre(cell);
  const name = names && row < rows.count ? names[row] : placeName(facts, longitude, latitude);
  return {
    lines: [[name, "name"], ...lines],
    outline: () => row < rows.count ? outlineOf(cells, rows.groups, row) : cells.outlineOf([cell])
  };
}
function linesOf(facts, rows, row) {
  const [change, size] = [rows.change[row], rows.groups.membersOf(row).length];
  if (Number.isNaN(change)) return [["not compared", "value"]];
  const finding = rows.told[row] ? `${numberText(Math.abs(change))} ${change > 0 ? "more" : "fewer"}` : "no change can be told";
  const lines = [
    [finding, "value"],
    [
      `change ${signed(change)}, ${percent(facts.level)} interval ${signed(rows.low[row])} to ${signed(rows.high[row])}`,
      ""
    ],
    [`before ${numberText(rows.before[row])}, after ${numberText(rows.after[row])} ${facts.noun}`, ""]
  ];
  if (!rows.told[row] && (rows.low[row] > 0 || rows.high[row] < 0))
    lines.push([`The interval leaves 0 out, but among so many ${facts.called} some do by chance.`, "quiet"]);
  if (size > 1) lines.push([`${counted(size, "cell")} together`, "quiet"]);
  return lines;
}

// ../places/labels.js
/* Names on the canvas, the most important first, where they overlap nothing. */
/** Square pixels of map for each name. */
var A_NAME = 55e3;
/** The canvas reaches this share of itself beyond what is seen of it, to either side. */
var RIM = 0.12;
var ARROWS = ["→", "↘", "↓", "↙", "←", "↖", "↑", "↗"];
var [FONT, HEIGHT, AWAY] = ["12px system-ui, sans-serif", 15, 6];
function drawNames(view, names) {
  const { context } = view;
  const { width, height } = context.canvas;
  const [right, bottom] = [width / view.ratio, height / view.ratio];
  const most = Math.max(4, Math.round(right * bottom / A_NAME));
  const taken = [];
  let [written, seen] = [0, false];
  context.save();
  context.font = FONT;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  for (const { words, at, dot } of names) {
    const [x, y] = [view.x(at[0]), view.y(at[1])];
    if (x < 0 || y < 0 || x > right || y > bottom || words && written >= most) continue;
    const place = roomFor(words ? context.measureText(words).width : 0, [x, y], dot, taken, [0, 0, right, bottom]);
    if (!place) continue;
    if (dot) drawDot(context, x, y);
    if (words) write(context, words, place[0] + 2, (place[1] + place[3]) / 2);
    taken.push(place, ...dot ? [[x - 3, y - 3, x + 3, y + 3]] : []);
    written += words ? 1 : 0;
    const isSeen = Math.abs(x / right - 0.5) < 0.5 - RIM && Math.abs(y / bottom - 0.5) < 0.5 - RIM;
    seen ||= Boolean(words) && isSeen;
  }
  if (!seen) pointTo(view, names, [right, bottom]);
  context.restore();
}
/** Where nothing in sight has a name: the nearest one at the edge that it lies beyond. */
function pointTo({ context, x, y }, names, [right, bottom]) {
  const away = ({ at }) => [x(at[0]) - right / 2, y(at[1]) - bottom / 2];
  const named = names.filter(({ words: words2 }) => words2);
  if (!named.length) return;
  const nearest = named.reduce((a, b) => Math.hypot(...away(b)) < Math.hypot(...away(a)) ? b : a);
  const [east, south] = away(nearest);
  const arrow = ARROWS[(Math.round(Math.atan2(south, east) * 4 / Math.PI) + 8) % 8];
  const words = `${nearest.words} ${arrow}`;
  const wide = context.measureText(words).width;
  const [aside, below] = [RIM * right + HEIGHT, RIM * bottom + HEIGHT];
  const left = Math.min(Math.max(east + right / 2 - wide / 2, aside), right - wide - aside);
  const level = Math.min(Math.max(south + bottom / 2, below), bottom - below);
  write(context, words, left, level);
}
/** Beside a dot, or on the middle of what has none; null where all is taken. */
function roomFor(wide, [x, y], dot, taken, frame) {
  const half = HEIGHT / 2;
  const sides = dot ? [
    [x + AWAY, y],
    [x - AWAY - wide, y],
    [x - wide / 2, y - HEIGHT],
    [x - wide / 2, y + HEIGHT]
  ] : [[x - wide / 2, y]];
  for (const [left, level] of sides) {
    const box = [left - 2, level - half, left + wide + 2, level + half];
    const inside = box[0] >= frame[0] && box[1] >= frame[1] && box[2] <= frame[2] && box[3] <= frame[3];
    if (inside && !taken.some((other) => overlap(box, other))) return box;
  }
  return null;
}
var overlap = (one, other) => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
function drawDot(context, x, y) {
  context.beginPath();
  context.arc(x, y, 2.5, 0, 2 * Math.PI);
  context.fillStyle = inkOf("--name");
  context.strokeStyle = inkOf("--name-edge");
  context.lineWidth = 1.5;
  context.stroke();
  context.fill();
}
function write(context, words, x, y) {
  context.strokeStyle = inkOf("--name-edge");
  context.lineWidth = 3;
  context.strokeText(words, x, y);
  context.fillStyle = inkOf("--name");
  context.fillText(words, x, y);
}

// ../scene.js
/* What is drawn of a map: background, cells and names. */
/** Background and cells, to be drawn on any canvas. */
var Scene = class {
  constructor(facts, cells) {
    this.cells = cells;
    this.tints = new Uint8Array(facts.cells);
    this.palette = [];
    this.groups = null;
    /** How much of the ground shows through: 1 is nothing. */
    this.opacity = 1;
    this.tiled = Boolean(facts.tiles);
    this.background = backgroundOf(facts.context);
    this.own = ownOf(facts.context);
    this.names = namesOf(facts.context, this.tiled);
  }
  /** Draws all of it, step by step. */
  *draw(view) {
    const { box, land, lakes, borders, rivers } = this.background;
    if (!this.tiled) {
      fillLines(view, box, "--water");
      fillLines(view, land, "--ground");
      yield;
      fillLines(view, lakes, "--water");
      yield;
    }
    fillLines(view, this.own.areas, "--own-area");
    yield;
    yield* this.fillCells(view);
    yield;
    if (!this.tiled) {
      lineTheSea(view, box, land);
      yield;
      strokeLines(view, rivers, "--river", 1, []);
      strokeLines(view, lakes, "--river", 0.8, []);
      yield;
      strokeLines(view, land, "--coast", 0.9, []);
      strokeLines(view, borders, "--border", 1, [5, 3]);
      yield;
    }
    strokeLines(view, this.own.lines, "--name-edge", 2.6, []);
    yield;
    strokeLines(view, this.own.lines, "--own-line", 1.2, []);
    yield;
    drawNames(view, this.names);
  }
  /** The cells in their tints, as one layer that the ground may show through. */
  *fillCells(view) {
    if (!this.groups) return;
    if (this.opacity === 1) {
      yield* this.cells.fill(view, this.tints, this.palette, this.groups);
      return;
    }
    const { canvas } = view.context;
    const sheet = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
    const context = penOf(sheet);
    context.setTransform(view.ratio, 0, 0, view.ratio, 0, 0);
    yield* this.cells.fill({ ...view, context }, this.tints, this.palette, this.groups);
    view.context.save();
    view.context.resetTransform();
    view.context.globalAlpha = this.opacity;
    view.context.drawImage(sheet, 0, 0);
    view.context.restore();
  }
};
/** A canvas made to hold a part of the map, and how world coordinates fall on it. */
function viewOn(canvas, map, bounds) {
  const size = bounds.getSize();
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  canvas.width = Math.round(size.x * ratio);
  canvas.height = Math.round(size.y * ratio);
  canvas.style.width = `${size.x}px`;
  canvas.style.height = `${size.y}px`;
  const context = penOf(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const world = 256 * 2 ** map.getZoom();
  const origin = map.getPixelOrigin().add(bounds.min);
  const corner = map.layerPointToLatLng(bounds.min);
  const opposite = map.layerPointToLatLng(bounds.max);
  return {
    context,
    ratio,
    origin: [origin.x, origin.y],
    box: [corner.lng, opposite.lat, opposite.lng, corner.lat],
    x: (x) => x * world - origin.x,
    y: (y) => y * world - origin.y,
    worldX: (pixel) => (pixel / ratio + origin.x) / world,
    worldY: (pixel) => (pixel / ratio + origin.y) / world,
    pixels: (degrees2) => degrees2 / 360 * world,
    separator: inkOf("--separator"),
    ink: inkOf("--block")
  };
}
function ownOf({ own = [] }) {
  const areas = onWorld(own.flatMap((layer) => layer.areas));
  return { areas, lines: [...areas, ...onWorld(own.flatMap((layer) => layer.lines))] };
}
/** Names of own layers, then those of towns and of regions, for which there is room once one is near; tiles have both. */
function namesOf({ own = [], towns = [], regions = [] }, tiled) {
  const named = new Set(own.flatMap(({ points }) => points.map(([x, y]) => `${x},${y}`)));
  const given = own.flatMap(
    ({ names }) => names.map(([words, x, y]) => ({ words, x, y, dot: named.has(`${x},${y}`) }))
  );
  const known = new Set(given.map(({ x, y }) => `${x},${y}`));
  const others = own.flatMap(({ points }) => points).filter(([x, y]) => !known.has(`${x},${y}`));
  return [
    ...given,
    ...others.map(([x, y]) => ({ words: "", x, y, dot: true })),
    ...(tiled ? [] : towns).map(([words, x, y]) => ({ words, x, y, dot: true })),
    ...(tiled ? [] : regions).map(([words, x, y]) => ({ words, x, y, dot: false }))
  ].map(({ words, x, y, dot }) => ({ words, at: [worldX(x), worldY(y)], dot }));
}
function backgroundOf({ box: [west, south, east, north], land = [], lakes = [], borders = [], rivers = [] }) {
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north]
  ];
  return {
    box: onWorld([corners]),
    land: onWorld(land),
    lakes: onWorld(lakes),
    borders: onWorld(borders),
    rivers: onWorld(rivers)
  };
}
function traceLines({ context, x, y }, lines) {
  context.beginPath();
  for (const line of lines) {
    line.forEach((place, i) => {
      context[i ? "lineTo" : "moveTo"](x(place[0]), y(place[1]));
    });
  }
}
function fillLines(view, lines, name) {
  traceLines(view, lines);
  view.context.fillStyle = inkOf(name);
  view.context.fill("evenodd");
}
/** A light edge along the coast on the side of the sea only, so that cells over it are told from those on land. */
function lineTheSea(view, box, land) {
  view.context.save();
  traceLines(view, [...box, ...land]);
  view.context.clip("evenodd");
  strokeLines(view, land, "--shore", 5, []);
  view.context.restore();
}
function strokeLines(view, lines, name, width, dash) {
  traceLines(view, lines);
  view.context.strokeStyle = inkOf(name);
  view.context.lineWidth = width;
  view.context.setLineDash(dash);
  view.context.stroke();
  view.context.setLineDash([]);
}

// ../slices.js
/* Long work done a little at a time, so that the page answers meanwhile. Such work is a generator that pauses often. */
/** Milliseconds at a time. What is drawn in them takes the browser several times as long to turn into pixels. */
var SHARE = 2;
/** Does all that is left. */
function finish(work) {
  while (!work.next().done) ;
}
/** Does a little, then a little more whenever the page has done what it has to do between, for as long as the work is wanted; then
   `done` is called. */
function slowly(work, wanted, done) {
  const slice = () => {
    if (!wanted()) return;
    for (const end = performance.now() + SHARE; performance.now() < end; ) {
      if (work.next().done) {
        done();
        return;
      }
    }
    setTimeout(slice);
  };
  setTimeout(slice);
}

// ../canvas.js
/* The canvas that Leaflet moves and zooms. */
/** A view that is being drawn: on which canvas, what is left to do, and where it lies on the map. */
/** Shows background and cells on a canvas that moves and stretches with the map. Once the map has come to rest its new view is
   drawn on a second canvas, a little at a time, and takes the place of the first when it is whole. */
var CellLayer = class extends L.Renderer {
  constructor(facts, cells, pane = "cells") {
    super({ pane, padding: 0.15 });
    this.scene = new Scene(facts, cells);
    this.spare = this.empty();
    this.next = null;
    /** Whether the map has moved on since that was begun. */
    this.late = false;
  }
  /** Shows each cell in `palette[tints[cell]]`, and outlines those that belong together. */
  paint(tints, palette, groups) {
    Object.assign(this.scene, { tints, palette, groups });
    if (this._map) this.redraw();
  }
  empty() {
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true");
    if (this.scene.tiled) canvas.style.opacity = "0.75";
    return canvas;
  }
  _initContainer() {
    this._container = this.empty();
  }
  _destroyContainer() {
    this._container.remove();
  }
  /** Draws the map as it is now, a little at a time. */
  _update() {
    const next = this.next;
    if (!this._bounds) this.redraw();
    else if (next && this.isWanted(next)) this.late = true;
    else if (this.canDraw()) this.proceed(this.begin());
  }
  /** Draws the map as it is now, at once. */
  redraw() {
    if (!this.canDraw()) return;
    const next = this.begin();
    finish(next.work);
    this.show(next);
  }
  /** Between two scales there is nothing to draw: what is shown stretches. */
  canDraw() {
    return Boolean(this._map) && !(this._map._animatingZoom && this._bounds);
  }
  _reset() {
    this._update();
    this._updateTransform(this._map.getCenter(), this._map.getZoom());
  }
  /** Begins a drawing of the map as it is now. */
  begin() {
    const { _map: map, spare: canvas } = this;
    const shown = frameOf(this);
    super._update();
    const frame = frameOf(this);
    Object.assign(this, shown);
    this.late = false;
    const work = this.scene.draw(viewOn(canvas, map, frame._bounds));
    this.next = { canvas, work, frame, origin: map.getPixelOrigin(), size: map.getSize() };
    return this.next;
  }
  proceed(next) {
    slowly(
      next.work,
      () => this.isWanted(next) || this.giveUp(next),
      () => {
        const { late } = this;
        this.show(next);
        if (late) this._update();
      }
    );
  }
  /** Whether a drawing will still fit the map, which may have moved since but neither changed its scale nor its size. */
  isWanted(next) {
    const { _map: map } = this;
    return Boolean(map) && this.next === next && map.getPixelOrigin().equals(next.origin) && map.getSize().equals(next.size);
  }
  /** Forgets a drawing that no longer fits: nobody goes on with it, even if the map returns to where it was begun. */
  giveUp(next) {
    if (this.next === next) this.next = null;
    return false;
  }
  /** Puts a drawing in the place of the one before. */
  show({ canvas, frame }) {
    Object.assign(this, frame);
    this.next = null;
    L.DomUtil.setPosition(canvas, frame._bounds.min);
    if (canvas === this._container) return;
    canvas.className = this._container.className;
    this._container.replaceWith(canvas);
    [this._container, this.spare] = [canvas, this._container];
  }
  /** What is drawn, where it begins on the map, and how large it is there. */
  drawn(map) {
    if (this.next) this.redraw();
    const at = map.layerPointToContainerPoint(this._bounds.min);
    return { canvas: this._container, at, size: this._bounds.getSize() };
  }
};
/** Which part of the map a renderer shows. */
var frameOf = ({ _bounds, _center, _zoom }) => ({ _bounds, _center, _zoom });

// ../layers/ink.js
/* The colours of the layers, light or dark as the page is. */
/** Whether the reader's screen is dark; paper never is. */
var dark = window.matchMedia("screen and (prefers-color-scheme: dark)");
/** Light to dark, on paper and on a dark page alike. */
/** Grey hatches: not known. */
var unsure = () => ({ fill: inkOf("--unsure"), hatch: inkOf("--unsure-line"), quiet: true });
/** Plain grey: known, and not it. */
/** A green that no ramp has: told to hold next to nothing. */
var nearlyEmpty = () => ({ fill: inkOf("--empty"), quiet: true, even: true });
/** The tint of each of so many cells. */
/** The number of the class that a value lies in. */
/** The units, then the classes from the highest down. */

// ../layers/legend.js
/* The legend beside the map. */
/** Rows of [number of the palette or null, words], the colour before the words. */
function writeLegend(rows, palette) {
  const made = rows.map(([index, words]) => {
    const row = make("li", "", index === null ? "dp-units" : "");
    if (index !== null) row.append(swatch(palette[index]));
    row.append(make("span", words));
    return row;
  });
  element("legend").replaceChildren(...made);
}
function swatch({ fill, hatch }) {
  const made = make("span", "", "dp-swatch");
  made.setAttribute("aria-hidden", "true");
  made.style.background = hatch ? `repeating-linear-gradient(135deg, ${fill} 0 3px, ${hatch} 3px 4px)` : fill;
  return made;
}

// outlines.js
/* Lines around what is told to have changed, and the words for the largest of it. */
/** The room that words take, in pixels. */
var [WIDE, HIGH] = [130, 50];
/** Outlines are always there; words are shown with the change, as many as do not overlap. */
var Outlines = class {
  constructor(map, told) {
    this.map = map;
    this.worded = false;
    const rings = told.map((one) => one.rings.map((ring) => ring.map(([x, y]) => L.latLng(y, x))));
    const weight = told.length > 200 ? 0.6 : told.length > 40 ? 1.5 : 2.5;
    L.featureGroup(rings.map((one) => outlined(one, "#111111", weight).group)).addTo(map);
    this.labels = told.flatMap(({ named, change, interval }, at) => {
      const bounds = L.latLngBounds(rings[at].flat());
      return named ? [{ label: labelled(bounds, change, interval), bounds }] : [];
    });
    map.on("zoomend", () => this.show(this.worded));
  }
  show(worded) {
    this.worded = worded;
    const placed = [];
    for (const { label, bounds } of this.labels) {
      const at = this.map.latLngToLayerPoint([bounds.getNorth(), bounds.getCenter().lng]);
      const free = placed.every((one) => Math.abs(one.x - at.x) > WIDE || Math.abs(one.y - at.y) > HIGH);
      if (worded && free) {
        placed.push(at);
        label.addTo(this.map);
      } else label.remove();
    }
  }
};

// shown.js
/* What is shown: both maps beside each other, or what changed. */
var NOTES = {
  both: "Both maps have the same classes. Two colours that differ prove nothing, since each map has noise of its own: what is told to have changed has a dark outline.",
  change: "Grey hatched land may have changed or not: the noise of the two maps hides which."
};
/** Both maps, or the change; `onShow` is called after each choice. */
var Shown = class {
  constructor(map, facts, cells, rows) {
    this.map = map;
    this.facts = facts;
    this.onShow = () => {
    };
    this.mode = "both";
    this.before = sideOf2(map, facts, cells.before, facts.before, 250);
    this.after = sideOf2(map, facts, cells.after, facts.after, 251);
    const tints = rows.row.map((row) => rows.classes[row]);
    this.change = layerOf(map, facts, cells.change, { name: "change", tints, groups: rows.groups, order: 252 });
    this.pane = map.getPane("after");
    this.outlines = new Outlines(map, facts.change.outlined);
    for (const radio of document.querySelectorAll("#dp-modes input"))
      radio.addEventListener("change", () => this.choose(radio.getAttribute("value")));
    dark.addEventListener("change", () => this.show());
  }
  /** What is chosen again, such as in other colours or at another size. */
  show() {
    this.choose(this.mode);
  }
  choose(mode) {
    this.mode = mode;
    find(`#dp-modes [value=${mode}]`, HTMLInputElement).checked = true;
    const [here, gone] = mode === "both" ? [[this.before, this.after], [this.change]] : [[this.change], [this.before, this.after]];
    const palette = mode === "both" ? mapPalette(this.facts) : changePalette(this.facts);
    for (const { layer } of gone) layer.remove();
    for (const { layer, tints, groups } of here) {
      layer.addTo(this.map);
      layer.paint(tints, palette, groups);
    }
    writeLegend(mode === "both" ? mapRows(this.facts) : changeRows(this.facts), palette);
    element("legend-title").textContent = mode === "both" ? "Both maps" : "Change";
    element("explain").textContent = NOTES[mode];
    this.outlines.show(mode === "change");
    this.onShow(mode);
  }
};
function sideOf2(map, facts, cells, side, order) {
  const classes = decode(side.classes);
  const place = decode(side.place);
  const tints = Uint8Array.from(place, (one) => classes[one]);
  const groups = { ...groupsOf(place, classes.length, side.outlines), alike: true };
  return layerOf(map, facts, cells, { name: order === 250 ? "before" : "after", tints, groups, order });
}
function layerOf(map, facts, cells, { name, tints, groups, order }) {
  map.createPane(name).style.zIndex = String(order);
  const layer = new CellLayer({ cells: tints.length, context: facts.context, tiles: null }, cells, name);
  return { layer, tints: Uint8Array.from(tints), groups };
}
var ramp = ({ colours, dark_colours }) => (dark.matches ? dark_colours : colours).map((fill) => ({ fill }));
var mapPalette = ({ classes }) => [...ramp(classes), unsure(), nearlyEmpty()];
/** The classes, not told, not compared, and the classes again for clusters that are told only as a whole. */
function changePalette({ change }) {
  const told = ramp(change);
  const whole = told.map(({ fill }) => ({ fill, hatch: inkOf("--block"), quiet: true, even: true }));
  return [...told, unsure(), { fill: "transparent", quiet: true, even: true }, ...whole];
}
function mapRows({ classes, before, after }) {
  const many2 = classes.colours.length;
  const rows = classes.labels.map((words, at) => [at, words]);
  rows.reverse();
  if (before.empty || after.empty) rows.push([many2 + 1, "told to be nearly empty"]);
  if (before.unsure || after.unsure) rows.push([many2, "not distinguishable from none"]);
  return [[null, classes.units], ...rows];
}
/** From the most to the fewest, with the grey in the middle. */
function changeRows({ change }) {
  const many2 = change.colours.length;
  const rows = change.labels.map((words, at) => [at, words]);
  rows.reverse().splice(many2 / 2, 0, [many2, change.untold]);
  if (change.whole) rows.push(change.whole);
  if (change.apart) rows.push([many2 + 1, "not compared"]);
  return [[null, change.heading], ...rows];
}

// table.js
/* The table of changes: the same numbers for whoever cannot see the map. */
/** Writes the table; the name of each row moves the map to it. */
function writeTable(map, facts) {
  const { rows, left } = facts.table;
  element("rows").replaceChildren(...rows.map((row) => lineOf(map, row)));
  element("table").hidden = !rows.length;
  element("table-note").textContent = noteOf(facts, rows.length, left);
}
function noteOf({ called, change, level }, shown, left) {
  if (!shown) return `Of none of the ${called} can a change be told; there may be some.`;
  const each = `Below each change stands its ${percent(level)} interval.`;
  const which = change.names ? `Every one of the ${called}.` : `The ${called} that are told to have changed, the largest change first.`;
  const rest = left ? ` ${many(left)} more are left out here; the layer (--to change.gpkg) has all.` : "";
  return `${which} ${each}${rest}`;
}
function lineOf(map, { name, box: [west, south, east, north], numbers, interval, finding }) {
  const line = make("tr");
  const head = make("th");
  head.scope = "row";
  const button = make("button", name);
  button.type = "button";
  button.addEventListener("click", () => {
    const around = L.latLngBounds([south, west], [north, east]).pad(2);
    map.fitBounds(around, { animate: false });
    map.getContainer().focus({ preventScroll: false });
  });
  head.append(button, make("span", finding, "dp-code"));
  const [before, after, change] = numbers.map((words) => make("td", words));
  change.append(make("span", interval, "dp-code"));
  line.append(head, before, after, change);
  return line;
}

// open.js
/* The page of a comparison: two maps that lie over each other, and what changed. */
/** The page that is open, once its cells are drawn. */
var opened = null;
var openedPage = () => opened;
/** Fills the page from its facts and returns the Leaflet map at once; the cells follow as soon as they are unpacked. */
function open(name) {
  const facts = JSON.parse(document.getElementById(`${name}_facts`)?.textContent ?? "{}");
  writeWords(facts);
  const map = emptyMap(name, facts);
  map.attributionControl?.remove();
  whenFilled(fillPage(map, facts), (page) => opened = page);
  return map;
}
function writeWords(facts) {
  element("title").textContent = facts.title;
  element("subtitle").textContent = `${facts.counted}.`;
  element("provenance").textContent = facts.provenance;
  element("capped").textContent = facts.capped;
  element("name-before").textContent = `Before: ${facts.before.title}`;
  element("name-after").textContent = `After: ${facts.after.title}`;
  for (const words of facts.words) {
    const line = document.createElement("li");
    line.textContent = `${words[0].toUpperCase()}${words.slice(1)}.`;
    element("rules").append(line);
  }
}
/** Both maps, what changed, and what tells of it. */
async function fillPage(map, facts) {
  await inflateAll({ ...facts, context: null });
  const counts = [facts.before, facts.after].map(({ place }) => decode(place).length);
  const rows = rowsOf(facts);
  const after = await cellsOf({ geometry: facts.geometry, cells: counts[1] });
  const before = facts.before_geometry && await cellsOf({ geometry: facts.before_geometry, cells: counts[0] });
  const zones = facts.change.zones && await cellsOf({ geometry: facts.change.zones, cells: rows.count });
  const cells = { before: before ?? after, after, change: zones ?? after };
  limitZoom(map, { cells: counts[1], geometry: facts.geometry }, () => facts.context.side ** 2);
  const shown = new Shown(map, facts, cells, rows);
  const divider = new Divider(map, facts, shown.pane);
  const pointing = new Pointing(map, cells.change, (cell) => describeRow(facts, rows, cells.change, cell));
  shown.onShow = (mode) => {
    divider.show(mode === "both");
    pointing.refresh();
  };
  shown.choose("both");
  writeTable(map, facts);
  placeSearch(map, facts, cells.after);
  printing(map, facts, shown);
  return { facts, map, cells, rows, shown, divider, pointing };
}

// main.js
/* The scripts of a comparison's page, from the modules of dpmap/render/scripts: `make page` put them together. */
/** The one name that the page has for others: `open` is for its own last line, `page` for tests. */
var dpmap = {
  open,
  get page() {
    return openedPage();
  }
};
Object.assign(globalThis, { dpmap });
})();
