(() => {
"use strict";

// arrays.js
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

// cells/plane.js
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

// cells/coverage.js
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

// cells/oriented.js
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

// cells/mesh.js
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

// cells/outline.js
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
function polygonsIn(rings) {
  const outer = rings.filter((ring) => twiceArea(ring) > 0);
  const polygons = outer.map((ring) => [ring]);
  for (const hole of rings) {
    if (twiceArea(hole) > 0) continue;
    const [x, y] = within(hole);
    const around = polygons.filter(([ring]) => holds([ring], x, y));
    const nearest = around.sort(([a], [b]) => twiceArea(a) - twiceArea(b))[0];
    nearest?.push(hole);
  }
  return polygons;
}
/** A place just inside a hole, beside the middle of its first side. */
function within([[ax, ay], [bx, by]]) {
  return [(ax + bx) / 2 + 1e-6 * (by - ay), (ay + by) / 2 - 1e-6 * (bx - ax)];
}
/** Twice the area within a ring; below 0 where it runs clockwise. */
function twiceArea(ring) {
  const [x0, y0] = ring[0];
  let total = 0;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    total += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
  });
  return total;
}
/** The sides of rings of vertices of one cell. */
function sidesOf(rings, cell) {
  return rings.flatMap(
    (ring) => ring.map(
      (from, i) => [from, ring[i + 1 < ring.length ? i + 1 : 0], cell]
    )
  );
}

// cells/pixels.js
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
  const lines2 = palette.map((tint) => pixelOf(tint.hatch || tint.fill));
  const spacing = Math.round(6 * view.ratio);
  const [left, top] = view.origin.map((value) => Math.round(value * view.ratio));
  return (cell, row, column) => {
    const place = ((column + left + row + top) % spacing + spacing) % spacing;
    return (place < view.ratio ? lines2 : fills)[tints[cell]];
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

// cells/world.js
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

// cells/polygons.js
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

// cells/regions.js
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
function regionsOf({ zones, alone, cells, blocks }) {
  const labels = zones.labels && decode(zones.labels);
  const sizes = sizesOf(labels, zones.regions);
  const each = labels ?? Int32Array.from({ length: cells }, (_, cell) => cell);
  const groups = groupsOf(each, labels ? zones.regions : cells, blocks);
  return {
    ...groups,
    labels,
    sizes,
    some: alone !== null,
    of: (cell) => labels ? labels[cell] : cell,
    sizeOf: (cell) => labels ? sizes[labels[cell]] : 1
  };
}

// law/noise.js
/* The noise law: the same formulas as dpmap/noise/distributions.py and dpmap.inference.discoveries, so that the page and the library
   answer alike. */
/** P(noise >= noisy - threshold) for the discrete Laplace, or Gaussian, of `scale` lattice steps. */
function pValue(noisy, threshold, scale, lattice, kind) {
  const steps = Math.ceil((noisy - threshold) * lattice);
  if (kind === "gaussian") return steps <= 0 ? 1 : normalTail((steps - 1) / scale);
  return steps <= 0 ? 1 : Math.exp(-steps / scale) / (1 + Math.exp(-1 / scale));
}
/** P(X >= x), X standard normal, x >= 0: by its series, and far out by its continued fraction. */
function normalTail(x) {
  const density = Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
  if (x < 3) {
    let [term, sum] = [x, x];
    for (let k = 3; term > sum * 1e-17; k += 2) {
      term *= x * x / k;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let below = x;
  for (let k = 80; k > 0; k--) below = x + k / below;
  return density / below;
}
/** The x at which `normalTail` is this chance, at most a half. */
function normalQuantile(chance) {
  let [low, high] = [0, 40];
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (normalTail(middle) > chance) low = middle;
    else high = middle;
  }
  return high;
}
/** The largest p-value that Benjamini and Hochberg's rule accepts at this rate; -1 for none. */
function largestAccepted(ascending, rate) {
  for (let i = ascending.length - 1; i >= 0; i--) {
    if (ascending[i] <= rate * (i + 1) / ascending.length) return ascending[i];
  }
  return -1;
}

// law/sums.js
/* How far sums of independent noises reach: `sum_quantile` of dpmap/noise/theory.py, read off the characteristic function. */
var POINTS = 1 << 15;
var STEP = 1 / 400;
var quantiles = new Map();
/** A q with P(|S| <= q) >= level, S the sum of `count` independent noises of this scale: of Gaussian ones by the normal law;
   of Laplace ones as `sumsQuantile`. */
function sumQuantile(level, scale, count, kind) {
  if (count === 0 || scale === 0) return 0;
  if (kind === "gaussian") return Math.sqrt(count) * scale * normalQuantile((1 - level) / 2) + 1;
  return sumsQuantile(level, [[scale, count]]);
}
/** The same for Laplace noises of several scales, for each [scale, count] so many. */
function sumsQuantile(level, parts) {
  const some = parts.filter(([scale, count]) => scale * count > 0);
  if (!some.length) return 0;
  const widest = Math.max(...some.map(([scale]) => scale));
  const unit = some.map(([scale, count]) => [scale / widest, count]);
  const key = `${level} ${unit}`;
  const quantile = quantiles.get(key) ?? unitQuantile(level, unit);
  quantiles.set(key, quantile);
  return quantile * widest;
}
/** The same where the widest scale is 1. */
function unitQuantile(level, parts) {
  const real = new Float64Array(POINTS);
  const deviation = Math.sqrt(parts.reduce((sum, [scale, count]) => sum + 2 * count * scale * scale, 0));
  for (let j = 0; j <= POINTS / 2; j++) {
    const angle = 2 * Math.PI * j / POINTS / STEP / deviation;
    const value = Math.exp(-parts.reduce((sum, [scale, count]) => sum + count * Math.log1p((angle * scale) ** 2), 0));
    real[j] = value;
    if (j > 0 && j < POINTS / 2) real[POINTS - j] = value;
  }
  fourier(real, new Float64Array(POINTS));
  let reach = 1;
  let within2 = (real[0] + 2 * real[1]) / POINTS;
  while (within2 < level && reach < POINTS / 2 - 1) {
    reach += 1;
    within2 += 2 * real[reach] / POINTS;
  }
  return (reach + 1) * STEP * deviation;
}
/** In-place radix-2 Fourier transform; both arrays have a power of two entries. */
function fourier(real, imaginary) {
  reverseBits(real, imaginary);
  const size = real.length;
  for (let span = 2; span <= size; span <<= 1) {
    const half = span >> 1;
    for (let k = 0; k < half; k++) {
      const cosine = Math.cos(2 * Math.PI * k / span);
      const sine = Math.sin(2 * Math.PI * k / span);
      for (let i = k; i < size; i += span) {
        const j = i + half;
        const re = real[j] * cosine - imaginary[j] * sine;
        const im = real[j] * sine + imaginary[j] * cosine;
        real[j] = real[i] - re;
        imaginary[j] = imaginary[i] - im;
        real[i] += re;
        imaginary[i] += im;
      }
    }
  }
}
/** Puts each entry where the bits of its number, read backwards, say. */
function reverseBits(real, imaginary) {
  for (let i = 1, j = 0; i < real.length; i++) {
    let bit = real.length >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [real[i], real[j]] = [real[j], real[i]];
    [imaginary[i], imaginary[j]] = [imaginary[j], imaginary[i]];
  }
}

// elements.js
/* Elements of the page. Text is only ever set as text, never as markup. */
/** The first element that a selector finds, which must be there and of this kind. */
function find(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}
/** An element by the name after `dp-`. */
var element = (name) => find(`#dp-${name}`, HTMLElement);
var button = (name) => find(`#dp-${name}`, HTMLButtonElement);
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

// places/labels.js
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
  const named2 = names.filter(({ words: words2 }) => words2);
  if (!named2.length) return;
  const nearest = named2.reduce((a, b) => Math.hypot(...away(b)) < Math.hypot(...away(a)) ? b : a);
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

// scene.js
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
  const named2 = new Set(own.flatMap(({ points }) => points.map(([x, y]) => `${x},${y}`)));
  const given = own.flatMap(
    ({ names }) => names.map(([words, x, y]) => ({ words, x, y, dot: named2.has(`${x},${y}`) }))
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
function traceLines({ context, x, y }, lines2) {
  context.beginPath();
  for (const line of lines2) {
    line.forEach((place, i) => {
      context[i ? "lineTo" : "moveTo"](x(place[0]), y(place[1]));
    });
  }
}
function fillLines(view, lines2, name) {
  traceLines(view, lines2);
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
function strokeLines(view, lines2, name, width, dash) {
  traceLines(view, lines2);
  view.context.strokeStyle = inkOf(name);
  view.context.lineWidth = width;
  view.context.setLineDash(dash);
  view.context.stroke();
  view.context.setLineDash([]);
}

// slices.js
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

// canvas.js
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

// cells/image.js
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

// cells/lattice.js
/* Square cells in rows and columns, of any number. */
/** Square cells, found through a mesh of exact places. */
var Lattice = class {
  constructor(plain3) {
    this.rows = plain3.rows;
    this.columns = plain3.columns;
    this.tolerance = plain3.tolerance;
    this.mesh = new Mesh(plain3);
    /** So many vertices along a side of a cell that long ones stay in place. */
    this.fine = this.mesh.steps > 1 ? Math.max(1, Math.ceil(64 / Math.max(this.rows, this.columns))) : 1;
    this.known = new Map();
    this.numbers = plain3.inside && numbered(bits(plain3.inside, plain3.rows * plain3.columns));
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

// cells/cells.js
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
  constructor(plain3, count) {
    super(plain3);
    const rings = Array.from({ length: count }, (_, cell) => [this.corners(cell)]);
    this.shapes = new Polygons({ rings, at: (vertex) => this.corner(vertex) });
  }
  *fill(view, tints, palette, groups) {
    yield* this.shapes.fill(view, tints, palette, groups);
  }
};

// facts.js
/* What the page carries, in script elements that are never run. */
/** What is true of one layer: what all have in common, and what is its own. */
function factsOf(name, layer) {
  return { ...readJson(`${name}_facts`), ...readJson(`${name}_layer_${layer}`) };
}
var readJson = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");

// filled.js
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

// ground.js
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
function addTiles(map, { url, host }) {
  map.attributionControl.setPrefix(false);
  L.tileLayer(url, { attribution: `Background: ${host}`, referrerPolicy: "no-referrer" }).addTo(map);
  const notice = element("tiles");
  notice.hidden = false;
  notice.textContent = `Background from ${host}: that server learns your network address and which part of the map you look at.`;
}
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

// life.js
/* Listeners on what outlives a layer's page (the window, the document) end with it. */
var life = new AbortController();
/** For `addEventListener`. */
var whileOpen = () => ({ signal: life.signal });
/** All such listeners go; new ones may come. */
function endLife() {
  life.abort();
  life = new AbortController();
}

// places/names.js
/* Places by the towns near them, in the words of dpmap/render/towns.py. */
var EARTH = 6371.0088;
/** Kilometres: a place is not named after a town farther away. */
var FARTHEST = 200;
/** A town that lies so many sides from the middle of a cell lies in it, or at its corner. */
var CELL_REACH = 0.7;
var POINTS2 = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
/** `at Teruel` where a town lies in the cell, `12 km NE of Teruel`, or coordinates rounded to a cell's side where no town is near. */
function placeName({ context }, longitude, latitude) {
  const { towns = [], own = [], side } = context;
  const named2 = own.filter(({ points }) => points.length).flatMap(({ names }) => names);
  const known = [...named2, ...towns];
  const far = known.map((town) => distance(town, longitude, latitude));
  const within2 = known.find((_, at) => far[at] <= Math.max(0.5, CELL_REACH * side));
  if (within2) return `at ${within2[0]}`;
  const km = Math.min(...far, Infinity);
  const nearest = known[far.indexOf(km)];
  if (!nearest || km > FARTHEST) return placeCoordinates(longitude, latitude, side);
  return `${rounded(km, side)} km ${POINTS2[bearing(nearest, longitude, latitude)]} of ${nearest[0]}`;
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

// places/land.js
/* What land of several cells is called: by a town only where that lies in it or close by, in the words of dpmap/render/towns.py. */
/** Land is near a town that lies no farther from it than half its own width, nor than so many cells. */
var SOME_CELLS = 5;
/** Land that is wider than so many cells is not near a town. */
var WIDE = 20;
/** From this share of the map's width on, land lies across it. */
var ACROSS = 0.66;
var KM_A_DEGREE = 111.195;
/** `around Teruel`, `near Teruel`, `in the north-east of the map`; of several pieces how many they are, and so of the largest. */
function landName(facts, pieces2) {
  const sizes = pieces2.map(([outer]) => sizeOf(outer));
  const largest = whereIs(facts, pieces2[sizes.indexOf(Math.max(...sizes))]);
  return pieces2.length === 1 ? largest : `${pieces2.length.toLocaleString("en")} pieces, the largest ${largest}`;
}
/** Where one piece lies. */
function whereIs({ context, geometry }, piece) {
  const { towns = [], own = [], side } = context;
  const named2 = own.filter(({ points }) => points.length).flatMap(({ names }) => names);
  const known = [...named2, ...towns];
  const box = boxOfRings(piece);
  const width = diagonal(box);
  const middle = middleOf(box);
  if (width > ACROSS * diagonal(boxOfMap(geometry.bounds))) return "across the map";
  const inside = known.find(([, x, y]) => holds(piece, x, y));
  if (inside && distance(inside, ...middle) <= Math.max(width / 4, side)) return `around ${inside[0]}`;
  const part = partOfMap(geometry.bounds, box);
  if (inside) return `${part}, with ${inside[0]}`;
  if (width > WIDE * side) return part;
  let [nearest, least] = [null, Math.min(width / 2, SOME_CELLS * side)];
  for (const town of known) {
    const far = kmTo(piece, town);
    if (far <= least) [nearest, least] = [town, far];
  }
  return nearest ? `near ${nearest[0]}` : part;
}
/** `in the north-east of the map`, by thirds of it. */
function partOfMap([[south, west], [north, east]], box) {
  const [x, y] = middleOf(box);
  const up = ["south", "", "north"][third(y, south, north)];
  const aside = ["west", "", "east"][third(x, west, east)];
  return `in the ${[up, aside].filter(Boolean).join("-") || "middle"} of the map`;
}
var boxOfMap = ([[south, west], [north, east]]) => [west, south, east, north];
var third = (value, from, to) => Math.min(2, Math.max(0, Math.floor(3 * (value - from) / (to - from))));
var middleOf = ([west, south, east, north]) => [(west + east) / 2, (south + north) / 2];
/** Kilometres from one corner of a box to the other. */
var diagonal = ([west, south, east, north]) => distance(["", west, south], east, north);
/** Kilometres from a town to the nearest edge of land, on the plane that touches the globe there. */
function kmTo([outer], [, longitude, latitude]) {
  const across = KM_A_DEGREE * Math.cos(latitude * Math.PI / 180);
  const flat = outer.map(([x, y]) => [(x - longitude) * across, (y - latitude) * KM_A_DEGREE]);
  return Math.min(...flat.map((from, i) => fromOrigin(from, flat[(i + 1) % flat.length])));
}
function fromOrigin([ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const along = Math.min(1, Math.max(0, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(ax + along * dx, ay + along * dy);
}
/** How large the land within a ring is, for comparing. */
function sizeOf(ring) {
  const [x0, y0] = ring[0];
  let total = 0;
  ring.forEach(([x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    total += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
  });
  return Math.abs(total) * Math.cos(y0 * Math.PI / 180);
}

// words.js
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
var range = (low, high) => `${low > 0 && low < 5e-4 ? "over 0" : numberText(low)} to ${numberText(high)}`;
/** `3 per 100 km²`: a density, given per square kilometre, in the unit that is plainest here. */
var densityText = ({ unit }, density) => `${numberText(density * unit.square_km)} per ${unit.words}`;
/** A density of ground, which is one per square kilometre too where colours show totals per cell. */
var groundText = (facts, density) => facts.per_km2 ? densityText(facts, density) : `${numberText(density)} per km²`;
/** A cell's own name, or its place. */
function cellName({ facts, cells }, cell) {
  const { names } = facts.geometry;
  if (names) return names[cell];
  const [latitude, longitude] = cells.centre(cell);
  return placeName(facts, longitude, latitude);
}
/** The code of a cell in the official grid that it is in; empty where it has none. */
function codeOf({ geometry, cells }, cell) {
  const { width = 0, all = new Uint8Array() } = geometry.codes ?? {};
  const marks = Array.from({ length: width }, (_, at) => all[at * cells + cell]);
  return String.fromCharCode(...marks.filter((mark) => mark > 0));
}
/** `10kmE428N267 in the EEA reference grid`, as the last of a cell's lines; none where it has no code. */
function codeLines(facts, cell) {
  const code = codeOf(facts, cell);
  return code ? [[`${code} in the ${facts.geometry.codes?.title}`, "code"]] : [];
}
/** `1 (4 cells)`, for a cluster of hot cells. */
var hotName = ({ hot }, cluster) => `${cluster + 1} (${counted(hot.members[cluster].length, "cell")})`;
/** Words for one cell, as lines of [words, class name of a style]; `index` is that of the threshold which is shown, if any. */
function describe(known, cell, index) {
  const { facts, reading, regions, hot } = known;
  const [value, size, cluster] = [reading.estimate(cell), regions.sizeOf(cell), hot.clusterOf.get(cell)];
  const lines2 = [
    [cellName(known, cell), "name"],
    [`${numberText(value)} ${facts.noun}`, "value"],
    [`${percent(facts.level)} interval ${range(reading.low(cell), reading.high(cell))}`, ""]
  ];
  if (facts.per_km2) lines2.push([densityText(facts, value / reading.areaOf(cell)), ""]);
  if (index !== null && size === 1) {
    const confidence = Math.floor(reading.confidence(index)(cell) * 1e3) / 10;
    const words = confidence > 99.8 ? "over 99.8" : confidence;
    lines2.push([`above ${numberText(reading.thresholds[index])}: ${words} % confidence`, ""]);
  }
  if (!reading.sure[cell]) lines2.push(["not distinguishable from none", "quiet"]);
  if (size > 1)
    lines2.push([`one of ${many(size)} cells measured as one block: how it lies within is a guess`, "quiet"]);
  if (cluster !== void 0) lines2.push([`in hot spot ${hotName(known, cluster)}`, ""]);
  return [...lines2, ...codeLines(facts, cell)];
}
/** A place's number, and where it is; an area's own name. */
function nameOfPlace(known, places, place) {
  const { facts, cells } = known;
  const [members, areas] = [places.membersOf(place), facts.geometry.kind === "areas"];
  if (members.length === 1) {
    const name = cellName(known, members[0]);
    return areas ? name : `Place ${place + 1}: ${name}`;
  }
  if (areas) {
    const middle = cellName(known, middleOf2(known, places, place));
    return `Place ${place + 1}: ${counted(members.length, "area")}, ${middle} among them`;
  }
  return `Place ${place + 1}: ${landName(facts, polygonsIn(outlineOf(cells, places, place)))}`;
}
/** The cell of a place that is nearest to its middle. */
function middleOf2({ cells }, places, place) {
  const members = Array.from(places.membersOf(place));
  const some = members.filter((_, i) => i % Math.ceil(members.length / 400) === 0);
  const centres = some.map((cell) => cells.centre(cell));
  const [y, x] = [0, 1].map((side) => centres.reduce((total, centre) => total + centre[side], 0) / some.length);
  const far = centres.map((centre) => Math.hypot(centre[0] - y, centre[1] - x));
  return some[far.indexOf(Math.min(...far))];
}
/** The same words for a place. */
function describePlace(known, places, place) {
  const { facts } = known;
  const [count, size] = [places.membersOf(place).length, places.sizes[place]];
  const ground = `${numberText(places.squareKm[place])} km², ${counted(count, "cell")}`;
  const [low, high, unit] = [places.low[place], places.high[place], facts.unit.square_km / size];
  const lines2 = [[nameOfPlace(known, places, place), "name"]];
  if (places.told[place]) {
    lines2.push(
      [`${numberText(places.estimate[place])} ${facts.noun}`, "value"],
      [`${percent(facts.level)} interval ${range(low, high)}`, ""],
      [`${densityText(facts, places.estimate[place] / size)} (${range(low * unit, high * unit)})`, ""]
    );
  } else {
    lines2.push(["not told", "value"]);
    if (Number.isFinite(high))
      lines2.push([`at most ${numberText(high)} ${facts.noun}, ${densityText(facts, high / size)}`, ""]);
  }
  lines2.push([ground, ""]);
  if (count > 1) lines2.push(["How it lies within this place is not known.", "quiet"]);
  return count > 1 ? lines2 : [...lines2, ...codeLines(facts, places.membersOf(place)[0])];
}
/** A name as it is searched for: without regard to case, accents and outer blanks. */
var foldName = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").trim().toLowerCase();

// layers/ink.js
/* The colours of the layers, light or dark as the page is. */
/** Whether the reader's screen is dark; paper never is. */
var dark = window.matchMedia("screen and (prefers-color-scheme: dark)");
/** Light to dark, on paper and on a dark page alike. */
function ramp(facts, name) {
  return (dark.matches ? facts[`dark_${name}`] : facts[name]).map((fill) => ({ fill }));
}
/** Grey hatches: not known. */
var unsure = () => ({ fill: inkOf("--unsure"), hatch: inkOf("--unsure-line"), quiet: true });
/** Plain grey: known, and not it. */
var grey = () => ({ fill: inkOf("--unsure"), quiet: true });
/** A green that no ramp has: told to hold next to nothing. */
var nearlyEmpty = () => ({ fill: inkOf("--empty"), quiet: true, even: true });
/** The tint of each of so many cells. */
function tintsOf(count, tint) {
  const tints = new Uint8Array(count);
  for (let cell = 0; cell < count; cell++) tints[cell] = tint(cell);
  return tints;
}
/** The number of the class that a value lies in. */
function classOf({ colours, edges }, value) {
  let found = 0;
  while (found < colours.length - 1 && value >= edges[found + 1]) found += 1;
  return found;
}
/** The units, then the classes from the highest down. */
function classRows({ units, labels, more }, above) {
  const words = above ? [...labels.slice(0, -1), more] : labels;
  const rows = words.map((name, i) => [i, name]);
  return [[null, units], ...rows.reverse()];
}

// layers/clearance.js
/* The layer for go or no-go: land that surely holds more than a typed density, land that surely holds less, and the rest. */
var [LESS, UNKNOWN, MORE] = [0, 1, 2];
var ANSWERS = ["surely less", "cannot say", "surely more"];
/** One colour without lines between places, so that land of one answer is seen as one. */
var plain = (name) => ({ fill: inkOf(name), quiet: true, even: true });
/** The answer of a place by its own interval; `limit` is in the measure of its size. */
function answerOf({ low, high, sizes }, place, limit) {
  if (low[place] > limit * sizes[place]) return MORE;
  return high[place] < limit * sizes[place] ? LESS : UNKNOWN;
}
/** `than 5 sightings per km²`, with the number as it was typed. */
function limitText({ noun, unit }, limit) {
  const typed = (limit * unit.square_km).toLocaleString("en", { maximumSignificantDigits: 9 });
  return `than ${typed} ${noun} per ${unit.words}`;
}
/** The answer of a place in words. */
function answerText(facts, places, place, limit) {
  const answer = answerOf(places, place, limit);
  const words = answer === UNKNOWN ? "cannot say whether more or less" : ANSWERS[answer];
  return `${words} ${limitText(facts, limit)}`;
}
/** The share of the land that each answer is given of, as words. */
function shareTexts(places, limit) {
  const squareKm2 = [0, 0, 0];
  places.squareKm.forEach((area, place) => {
    squareKm2[answerOf(places, place, limit)] += area;
  });
  const whole = squareKm2[LESS] + squareKm2[UNKNOWN] + squareKm2[MORE];
  return squareKm2.map((area) => {
    const share = area / whole;
    return share > 0 && share < 5e-4 ? "under 0.1 %" : percent(share);
  });
}
/** One sentence for all land, to be read out. */
function landText(facts, places, limit) {
  const shares = shareTexts(places, limit);
  return `${shares[MORE]} of the land holds surely more ${limitText(facts, limit)}, ${shares[LESS]} surely less; of ${shares[UNKNOWN]} the map cannot say.`;
}
/** Three colours, for the three answers. */
function clearanceLayer({ facts }, places) {
  const whole = places.some ? " A place of several cells is judged as a whole: a part of it may lie on the other side." : "";
  return {
    title: "More or less",
    heading: ({ limit }) => `more or less ${limitText(facts, limit)}`,
    groups: places,
    palette: () => [plain("--less"), { ...unsure(), even: true }, plain("--more")],
    tints: ({ limit }) => {
      const answers = tintsOf(places.count, (place) => answerOf(places, place, limit));
      return tintsOf(facts.cells, (cell) => answers[places.of(cell)]);
    },
    legend: ({ limit }) => {
      const shares = shareTexts(places, limit);
      return {
        rows: [MORE, LESS, UNKNOWN].map((answer) => [answer, `${ANSWERS[answer]}: ${shares[answer]} of the land`]),
        note: `A place is told on a side if its ${percent(facts.level)} interval lies wholly there.${whole} Surely less is no proof of absence: such land may hold some.`
      };
    }
  };
}

// layers/exceeds.js
/* The layer of cells above a threshold, by how sure that is. */
/** The confidences at which colours change. */
var STEPS_OF_CONFIDENCE = [0.5, 0.8, 0.9, 0.95, 0.99];
var EXCEEDS = STEPS_OF_CONFIDENCE.length + 1;
var BLOCK = EXCEEDS + 1;
/** Confidence cell by cell, and the cells that exceed it together. */
function exceedsLayer({ facts, reading, regions }) {
  const alone = facts.alone && bits(facts.alone, facts.cells);
  const tested = alone ? alone.reduce((total, one) => total + one, 0) : facts.cells;
  const blockRows = alone ? [[BLOCK, "in a block measured as one: not known cell by cell"]] : [];
  return {
    title: "Above a threshold",
    groups: regions,
    palette: () => [grey(), ...ramp(facts, "confidence_colours"), unsure()],
    tints: ({ index }) => {
      const confidence = reading.confidence(index);
      const exceeds = reading.exceeding(index);
      return tintsOf(facts.cells, (cell) => {
        if (alone && !alone[cell]) return BLOCK;
        if (exceeds(cell)) return EXCEEDS;
        const sure = confidence(cell);
        return STEPS_OF_CONFIDENCE.filter((least) => sure >= least).length;
      });
    },
    legend: ({ index }) => ({
      rows: [
        [null, `Confidence that a cell's capped total exceeds ${numberText(reading.thresholds[index])} ${facts.noun}`],
        ...tested ? [[EXCEEDS, `exceeds, corrected for ${counted(tested, "cell")}`], ...confidenceRows(), [0, "under 50 %"]] : [],
        ...blockRows
      ],
      note: tested ? `Confidence is for each cell by itself: 1 less the chance that noise alone makes it look this high. Corrected cells are chosen together (Benjamini-Hochberg): at most ${percent(facts.rate)} of them are expected not to exceed it.` : "Every cell was measured as part of a block: whether one alone exceeds it is not known."
    })
  };
}
/** From the highest confidence down. */
function confidenceRows() {
  const percents = STEPS_OF_CONFIDENCE.map((least) => Math.round(least * 100));
  const rows = percents.map((least, i) => [
    i + 1,
    i + 1 < percents.length ? `${least} to ${percents[i + 1]} %` : `${least} % or more`
  ]);
  return rows.reverse();
}

// layers/hot.js
/* The layer of hot spots. */
/** Denser than the surroundings, not shown to be, or not tested. */
function hotLayer({ facts, hot, regions }) {
  const ring = facts.geometry.kind === "areas" ? "the areas one or two steps away" : "the cells two to four steps away";
  const untested = facts.alone ? "measured as one block, or without surroundings: not tested" : "without surroundings: not tested";
  return {
    title: "Hot spots",
    groups: regions,
    palette: () => [grey(), ramp(facts, "confidence_colours")[3], unsure()],
    tints: () => tintsOf(facts.cells, (cell) => hot.clusterOf.has(cell) ? 1 : hot.tested[cell] ? 0 : 2),
    legend: () => ({
      rows: [
        ...hot.members.length ? [[1, "denser than its surroundings"]] : [],
        ...hot.tested.includes(1) ? [[0, "not shown to be denser"]] : [],
        ...hot.tested.includes(0) ? [[2, untested]] : []
      ],
      note: hot.members.length ? `${counted(hot.members.length, "hot spot")} of ${counted(hot.clusterOf.size, "cell")}: each cell is held against the density of ${ring} by the known law of the noise. At most ${percent(facts.rate)} of the cells chosen are expected to be false.` : `No cell is shown to be denser than ${ring}. That does not mean that there is no dense place.`
    })
  };
}

// layers/legend.js
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

// layers/limit.js
/* The field for the density that places are held against. */
/** What is typed; `onChange` is called whenever that is another number, or none. */
var Limit = class {
  constructor({ noun, unit }) {
    this.unit = unit.square_km;
    this.field = input("limit");
    this.onChange = () => {
    };
    element("limit-label").textContent = `More or less than how many ${noun} per ${unit.words}?`;
    this.field.addEventListener("input", () => {
      element("limit-problem").textContent = "";
      this.onChange();
    });
    this.field.addEventListener("change", () => this.check());
  }
  /** The density in the measure of the places' sizes; none where no number above 0 is typed. */
  get density() {
    const text = this.field.value.trim();
    const typed = text ? Number(text) : NaN;
    return typed > 0 && typed < Infinity ? typed / this.unit : NaN;
  }
  set density(density) {
    this.field.value = density > 0 ? String(Number((density * this.unit).toPrecision(9))) : "";
  }
  check() {
    const wrong = this.field.value.trim() !== "" && Number.isNaN(this.density);
    element("limit-problem").textContent = wrong ? "A number above 0, like 5 or 0.5." : "";
  }
  /** Shows the field, and says what came of the number. */
  tell(offered, words) {
    element("compare").hidden = !offered;
    element("limit-hint").hidden = words !== "";
    const answer = element("limit-answer");
    if (answer.textContent !== words) answer.textContent = words;
  }
};

// layers/places.js
/* The layers that show places: how dense each is, at least and at most, and how sure that is. */
/** Half the width of an interval as a share of the estimate, where colours change. */
var STEPS = [0.1, 0.25, 0.5, 1];
var [NEARLY_EMPTY, UNTOLD] = [STEPS.length + 1, STEPS.length + 2];
/** Every way to look at places, by its key. */
function placeLayers(known, places) {
  const level = percent(known.facts.level);
  const within2 = places.some ? " A place may have several cells, in one piece or in several: how these differ is not known." : "";
  return [
    [
      "estimate",
      densityLayer(known, places, "Estimate", places.estimate, `Places are as small as the noise allows.${within2}`)
    ],
    [
      "low",
      densityLayer(known, places, "At least", places.low, `The lower end of each place's ${level} interval.${within2}`)
    ],
    [
      "high",
      densityLayer(known, places, "At most", places.high, `The upper end of each place's ${level} interval.${within2}`)
    ],
    ["width", widthLayer(known, places)]
  ];
}
/** Densities in classes; hatched where the colour is not told. */
function densityLayer({ facts }, places, title, totals, note) {
  const none = facts.colours.length;
  const classes = tintsOf(
    places.count,
    (place) => places.told[place] ? classOf(facts, totals[place] / places.sizes[place]) : none
  );
  const above = totals.some((total, place) => places.told[place] && total / places.sizes[place] > facts.edges[none]);
  return {
    title,
    groups: places,
    palette: () => [
      ...ramp(facts, "colours").map(
        (tint, i) => i ? tint : { ...tint, quiet: true, even: facts.geometry.kind !== "areas" }
      ),
      unsure()
    ],
    tints: () => tintsOf(facts.cells, (cell) => classes[places.of(cell)]),
    legend: () => ({ rows: [...classRows(facts, above), ...untold(facts, places, none)], note })
  };
}
/** How wide intervals are. */
function widthLayer({ facts }, places) {
  const { told, low, high, estimate } = places;
  const classes = tintsOf(places.count, (place) => {
    if (!told[place]) return UNTOLD;
    if (places.nearlyEmpty(place)) return NEARLY_EMPTY;
    const share = (high[place] - low[place]) / 2 / estimate[place];
    return STEPS.filter((step) => share <= step).length;
  });
  const shown = (tint) => classes.includes(tint);
  const most = places.sizes.reduce(
    (top, size, place) => classes[place] === NEARLY_EMPTY ? Math.max(top, high[place] / size) : top,
    0
  );
  return {
    title: "How sure",
    groups: places,
    palette: () => [...ramp(facts, "confidence_colours").slice(0, NEARLY_EMPTY), nearlyEmpty(), unsure()],
    tints: () => tintsOf(facts.cells, (cell) => classes[places.of(cell)]),
    legend: () => ({
      rows: [
        [null, `Half of the ${percent(facts.level)} interval, as a share of the estimate`],
        ...[
          [4, "up to 10 %: surest"],
          [3, "10 to 25 %"],
          [2, "25 to 50 %"],
          [1, "50 to 100 %"],
          [0, "more than 100 %"],
          [NEARLY_EMPTY, `sure to be nearly empty: at most ${densityText(facts, most)}`]
        ].filter(([tint]) => shown(tint)),
        ...untold(facts, places, UNTOLD)
      ],
      note: "Darker is surer, not denser."
    })
  };
}
/** The row of land without a colour, and what that holds at most; none where there is no such land. */
function untold(facts, { told, high, sizes }, tint) {
  const most = sizes.reduce((top, size, place) => told[place] ? top : Math.max(top, high[place] / size), -1);
  if (most < 0) return [];
  return [[tint, Number.isFinite(most) ? `not told; at most ${densityText(facts, most)}` : "not told"]];
}

// layers/sure.js
/* The layer of cells that surely hold something. */
/** Surely something, or not distinguishable from none. */
function sureLayer({ facts, reading, regions }) {
  const single = Boolean(reading.believed) || !regions.some;
  const of = single ? (cell) => cell : regions.of;
  const out = new Set();
  const all = new Set();
  for (let cell = 0; cell < facts.cells; cell++) {
    all.add(of(cell));
    if (reading.sure[cell]) out.add(of(cell));
  }
  const what = single ? "cells" : "regions (blocks of cells measured as one, and cells)";
  const blocks = single ? "" : " Most cells of such a block may hold nothing.";
  const rule = reading.believed ? `their ${percent(facts.level)} intervals leave out 0.` : `at most ${percent(facts.rate)} of them are expected to be noise alone.${blocks}`;
  return {
    title: "Surely something",
    groups: regions,
    palette: () => [unsure(), ramp(facts, "confidence_colours")[3]],
    tints: () => reading.sure,
    legend: () => ({
      rows: [
        ...out.size ? [[1, "surely holds something"]] : [],
        [0, "not distinguishable from none"]
      ],
      note: out.size ? `${many(out.size)} of ${many(all.size)} ${what} surely ${out.size === 1 ? "holds" : "hold"} something: ${rule} Grey does not mean absent.` : `None of the ${many(all.size)} ${what} surely holds something. That does not mean that there is nothing.`
    })
  };
}

// layers/values.js
/* The layers that show each cell by itself in classes of colours: the estimate, and the ends of its interval. */
/** What surely holds something, or all of it. */
function estimateLayer(known) {
  const { facts, reading, regions, places } = known;
  const none = facts.colours.length;
  const blocks = facts.alone ? " Outlined land was measured as one block: its colours tell what the block holds, how it lies within is a guess." : "";
  const guess = places ? " Each cell by itself is a guess within its place." : "";
  return {
    title: "Estimate",
    groups: regions,
    palette: () => [...ramp(facts, "colours"), unsure()],
    tints: ({ mask }) => tintsOf(
      facts.cells,
      (cell) => mask && !reading.sure[cell] ? none : classOf(facts, densityOf(known, reading.estimate, cell))
    ),
    legend: ({ mask }) => {
      const rows = classRows(facts, reaches(known, reading.estimate));
      return {
        rows: mask ? [...rows, [none, "not distinguishable from none"]] : rows,
        note: (mask ? "Grey cells may hold some or none: the noise hides which." : "Most small values here are noise. Tick the box to see which cells surely hold something.") + guess + blocks
      };
    }
  };
}
/** At least this much. */
function lowLayer(known) {
  const { facts, reading, regions } = known;
  const none = facts.colours.length;
  return {
    title: "At least",
    groups: regions,
    palette: () => [...ramp(facts, "colours"), unsure()],
    tints: () => tintsOf(
      facts.cells,
      (cell) => reading.low(cell) > 0 ? classOf(facts, densityOf(known, reading.low, cell)) : none
    ),
    legend: () => ({
      rows: [...classRows(facts, reaches(known, reading.low)), [none, "0: not distinguishable from none"]],
      note: `The lower end of each cell's ${percent(facts.level)} interval, which holds for each cell by itself.`
    })
  };
}
/** At most this much. */
function highLayer(known) {
  const { facts, reading, regions } = known;
  return {
    title: "At most",
    groups: regions,
    palette: () => ramp(facts, "colours"),
    tints: () => tintsOf(facts.cells, (cell) => classOf(facts, densityOf(known, reading.high, cell))),
    legend: () => ({
      rows: classRows(facts, reaches(known, reading.high)),
      note: `The upper end of each cell's ${percent(facts.level)} interval, which holds for each cell by itself. A cell of a block that was measured as one may hold all of it.`
    })
  };
}
var densityOf = ({ facts, reading }, value, cell) => value(cell) / (facts.per_km2 ? reading.areaOf(cell) : 1);
/** Whether some cell lies above the top class. */
function reaches(known, value) {
  const top = known.facts.edges[known.facts.colours.length];
  for (let cell = 0; cell < known.facts.cells; cell++) if (densityOf(known, value, cell) > top) return true;
  return false;
}

// layers/shown.js
/* The layer that is shown: its choice, its colours and legend, and the threshold's slider. */
/** One layer at a time, of places or of single cells; `onShow` is called after each change. */
var Shown = class {
  constructor(known, canvas) {
    this.known = known;
    this.canvas = canvas;
    this.views = viewsOf(known);
    /** Whether it is places or cells that are shown. */
    this.by = known.places ? "places" : "cells";
    this.current = "estimate";
    this.onShow = () => {
    };
    this.slider = input("slider");
    this.mask = input("mask");
    this.limit = new Limit(known.facts);
    this.last = { place: -1, outline: [] };
    this.legend = { rows: [], note: "", palette: [] };
    this.opacity = input("opacity");
    const last = known.reading.thresholds.length - 1;
    this.slider.max = String(last);
    this.slider.value = String(Math.round(last / 4));
    this.listen();
    this.turn(this.by, this.current);
  }
  listen() {
    let waiting = 0;
    this.slider.addEventListener("input", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    });
    this.mask.addEventListener("change", () => this.show());
    this.limit.onChange = () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    };
    this.opacity.addEventListener("input", () => {
      this.canvas.scene.opacity = Number(this.opacity.value) / 100;
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => this.show());
    });
    dark.addEventListener("change", () => this.show(), whileOpen());
  }
  /** Every layer of what is shown, by its key. */
  get layers() {
    return this.views.get(this.by);
  }
  /** The layer whose colours are shown: the estimate's, until there is a number to hold places against. */
  get layer() {
    const waiting = this.current === COMPARE && !(this.limit.density > 0);
    return this.layers.get(waiting ? "estimate" : this.current);
  }
  get settings() {
    return { mask: this.mask.checked, index: Number(this.slider.value), limit: this.limit.density };
  }
  /** What is shown, in a few words. */
  heading() {
    const { title, heading } = this.layer;
    const words = heading ? heading(this.settings) : title.toLowerCase();
    return `${this.views.size > 1 ? NAMES[this.by] : "Cells"}: ${words}`;
  }
  /** The number of the threshold, while it matters. */
  threshold() {
    return this.current === "exceeds" ? Number(this.slider.value) : null;
  }
  /** Shows places or cells, by this layer if they have it, and offers their others. */
  turn(by, key) {
    this.by = this.views.has(by) ? by : this.by;
    this.current = this.layers.has(key) ? key : "estimate";
    element("by").hidden = this.views.size === 1;
    const kinds = [...this.views.keys()].map(
      (name) => choice("dp-by", name, NAMES[name], name === this.by, () => this.turn(name, this.current))
    );
    const layers = [...this.layers].map(
      ([name, { title }]) => choice("dp-layer", name, title, name === this.current, () => {
        this.current = name;
        this.show();
      })
    );
    replaceChoices(element("by"), kinds);
    replaceChoices(element("layers"), layers);
    this.show();
  }
  /** Shows what a link asks for, as far as it is there. */
  choose([by, key], index, limit = NaN) {
    this.limit.density = limit;
    if (index !== void 0) this.slider.value = String(index);
    this.turn(by, key);
  }
  show() {
    const { layer, settings } = this;
    const { facts, reading, places } = this.known;
    element("threshold").hidden = this.current !== "exceeds";
    element("mask-label").hidden = this.by !== "cells" || this.current !== "estimate";
    const words = `${numberText(reading.thresholds[settings.index])} ${facts.noun}`;
    element("threshold-value").textContent = words;
    this.slider.setAttribute("aria-valuetext", words);
    const compared = places && layer.heading ? landText(facts, places, settings.limit) : "";
    this.limit.tell(this.current === COMPARE, compared);
    const palette = layer.palette();
    const { rows, note } = layer.legend(settings);
    this.legend = { rows, note, palette };
    writeLegend(rows, palette);
    element("legend-title").textContent = this.heading();
    element("explain").textContent = note;
    this.canvas.paint(layer.tints(settings), palette, layer.groups);
    this.onShow();
  }
  /** What is told of where somebody points: of the place, or of the cell by itself. */
  told(cell) {
    const { known } = this;
    const { places, cells } = known;
    if (!places || this.by === "cells") {
      return { lines: describe(known, cell, this.threshold()), outline: () => cells.outlineOf([cell]) };
    }
    const place = places.of(cell);
    const lines2 = describePlace(known, places, place);
    if (this.layer.heading) lines2.splice(1, 0, [answerText(known.facts, places, place, this.limit.density), ""]);
    return {
      lines: lines2,
      outline: () => {
        if (this.last.place !== place) this.last = { place, outline: outlineOf(cells, places, place) };
        return this.last.outline;
      }
    };
  }
};
var NAMES = { places: "Places", cells: "Single cells" };
/** The key of the layer that holds places against a number. */
var COMPARE = "compare";
/** Every way to look at this release: places where it has them, and cells. */
function viewsOf(known) {
  const views = new Map();
  if (known.places) {
    const layers2 = new Map(placeLayers(known, known.places));
    if (!known.facts.local) layers2.set(COMPARE, clearanceLayer(known, known.places));
    views.set("places", layers2);
  }
  const layers = new Map();
  layers.set("estimate", estimateLayer(known));
  layers.set("low", lowLayer(known));
  layers.set("high", highLayer(known));
  layers.set("sure", sureLayer(known));
  layers.set("exceeds", exceedsLayer(known));
  if (known.facts.hot) layers.set("hot", hotLayer(known));
  return views.set("cells", layers);
}
/** A radio button with its words. */
function choice(name, value, title, checked, chosen) {
  const label = make("label");
  const radio = make("input");
  Object.assign(radio, { type: "radio", name, value, checked });
  radio.addEventListener("change", chosen);
  label.append(radio, make("span", title));
  return label;
}
/** Puts other radio buttons under a heading; whoever used one of them stays on it. */
function replaceChoices(box, choices) {
  const inside = box.contains(document.activeElement);
  for (const old of box.querySelectorAll("label")) old.remove();
  box.append(...choices);
  if (inside) box.querySelector("input:checked")?.focus();
}

// reading/hot.js
/* Hot spots, as the library found them. */
/** Cells and clusters above their surroundings. */
function hotSpotsOf({ hot, cells: count }) {
  if (!hot) return { tested: new Uint8Array(count), totals: [], members: [], clusterOf: new Map() };
  const clusters = decode(hot.clusters);
  const members = hot.totals.map(() => []);
  const clusterOf = new Map();
  decode(hot.cells).forEach((cell, i) => {
    members[clusters[i]].push(cell);
    clusterOf.set(cell, clusters[i]);
  });
  return { tested: bits(hot.tested, count), totals: hot.totals, members, clusterOf };
}

// places/references.js
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
  const plain3 = text.trim().toUpperCase().replace(/−/g, "-").replace(/’/g, "′");
  const halves = /^(.+?)\s*[,;]\s*(.+)$/.exec(plain3) ?? /^([NSEW].+?)\s+([NSEW].+)$/.exec(plain3) ?? /^(.*\d.*?[NSEW])\s*(.+)$/.exec(plain3) ?? /^(\S+)\s+(\S+)$/.exec(plain3);
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

// places/search.js
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
  const named2 = namedPlaces(facts, cells);
  const names = [...named2.keys()];
  const nameOf2 = (typed) => bestOf(names, typed);
  const placeOf2 = (name) => named2.get(name)?.() ?? null;
  const ways = [
    (typed) => placeOf2(names.find((name) => foldName(name) === foldName(typed)) ?? ""),
    codeFinder(facts, cells),
    (typed) => pointOf(facts, cells, typedCoordinates(typed), typed),
    (typed) => /\d/.test(typed) ? pointOf(facts, cells, referencePlace(typed), typed) : null,
    (typed) => placeOf2(nameOf2(typed)),
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
    has: (typed) => named2.has(typed),
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
  const within2 = ranked.findIndex((at) => at > 0);
  return names[first] ?? names[within2] ?? "";
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
  const lines2 = [];
  if (context.coarse && !tiles) lines2.push("The coast is drawn coarser than the cells.");
  if (own.length) lines2.push(`Drawn as given: ${own.join(", ")}.`);
  element("ground").textContent = lines2.join(" ");
}

// reading/places.js
/* The smallest places of which the colour can be told, as the library found them. */
/** Places with what each holds; null where the area is not parted. */
function placesOf2({ patches, per_km2 }, { areaOf }) {
  if (!patches) return null;
  const [estimate, low, high] = [patches.estimate, patches.low, patches.high].map((packed) => decode(packed));
  const groups = groupsOf(decode(patches.place), estimate.length, patches.outlines);
  const squareKm2 = new Float64Array(groups.count);
  decode(patches.place).forEach((place, cell) => squareKm2[place] += areaOf(cell));
  const sizes = per_km2 ? squareKm2 : squareKm2.map((_, place) => groups.membersOf(place).length);
  const told = bits(patches.told, estimate.length);
  const nearlyEmpty2 = (place) => told[place] === 1 && high[place] <= patches.nearly_empty * sizes[place] * (1 + 1e-9);
  return { ...groups, alike: true, told, estimate, low, high, squareKm: squareKm2, sizes, nearlyEmpty: nearlyEmpty2 };
}

// zones/believed.js
/* How surely any land holds what its cells add up to, by all that is known of it: BelievedEstimate of dpmap/inference/posterior_estimate.py. */
/** How often the beliefs' variance counts, which part of their errors all of a zone shares, and how far that may go. */
var [TWICE, TOGETHER, MOST] = [2, 0.02, 4];
/** What answers by the one belief, for zones and for single cells; null where the release has none. */
function believedLand({ zones, cells: count }, regions, areaOf, estimate) {
  if (!zones.believed) return null;
  const labels = "partners" in zones ? zones.partners.map((one) => decode(one.labels)) : [regions.labels];
  const { wide, upwards, parts } = zones.believed;
  const known = parts.map((part, i) => partOf(part, part.labels ? decode(part.labels) : labels[i], count, areaOf));
  const bounds = (total, told) => {
    const [middle, variance] = [0, 1].map((which) => told.reduce((sum, part) => sum + part[which], 0));
    const about = wide * Math.sqrt(variance);
    const [low, high] = [middle - about, middle + upwards * about].map((value) => Math.max(value, 0));
    return { low: Math.min(low, total), high: Math.max(high, total) };
  };
  const [lows, highs] = [new Float64Array(count).fill(NaN), new Float64Array(count)];
  const ofCell = (cell) => {
    if (Number.isNaN(lows[cell])) {
      const told = known.map((part) => part.ofCell(cell));
      ({ low: lows[cell], high: highs[cell] } = bounds(estimate(cell), told));
    }
    return cell;
  };
  return {
    zone: (covered, total) => {
      const told = known.map((part) => part.ofZone(covered));
      return bounds(total, told);
    },
    low: (cell) => lows[ofCell(cell)],
    high: (cell) => highs[ofCell(cell)]
  };
}
/** Total and variance of what one release tells of zones, and of single cells. */
function partOf({ mean, spread, parent, above, uneven, common }, labels, count, areaOf) {
  const [means, spreads, parents] = [decode(mean), decode(spread), parent && decode(parent)];
  const tree = treeOf(above);
  const regionOf = (cell) => labels ? labels[cell] : cell;
  const ground = new Float64Array(means.length);
  for (let cell = 0; cell < count; cell++) ground[regionOf(cell)] += areaOf(cell);
  const told = (shares, variance) => {
    let [total, leaning, cut] = [0, 0, 0];
    for (const [region, share] of shares) {
      const own = Math.max(means[region], 0);
      total += share * means[region];
      leaning += share * Math.sqrt(spreads[region]);
      cut += share * (1 - share) * (own + uneven * (own * own + spreads[region]));
    }
    const shared2 = Math.min(TOGETHER * leaning * leaning, MOST * variance) + common * leaning * leaning;
    return [total, TWICE * variance + shared2 + cut];
  };
  const shareOf = (region, area) => Math.min(area / ground[region], 1);
  const parentOf = (region) => parents ? parents[region] : -1;
  return {
    ofZone(covered) {
      const rising = tree.rising();
      const shares = [];
      for (const [region, area] of groundOf(covered, regionOf, areaOf)) {
        const share = shareOf(region, area);
        shares.push([region, share]);
        rising.add(parentOf(region), share * spreads[region], share * share * spreads[region]);
      }
      return told(shares, rising.variance());
    },
    ofCell(cell) {
      const region = regionOf(cell);
      if (region < 0) return [0, 0];
      const share = shareOf(region, areaOf(cell));
      const own = [share * spreads[region], share * share * spreads[region]];
      return told([[region, share]], tree.climbed(parentOf(region), own[0], own[1]));
    }
  };
}
/** How much ground of each region a zone covers. */
function groundOf({ within: within2, cut, shares }, regionOf, areaOf) {
  const found = new Map();
  const add2 = (cell, share) => {
    found.set(regionOf(cell), (found.get(regionOf(cell)) || 0) + share * areaOf(cell));
  };
  for (const cell of within2) add2(cell, 1);
  cut.forEach((cell, i) => add2(cell, shares[i]));
  found.delete(-1);
  return found;
}
/** The variance of a zone, from the smallest, from the smallest regions up: what is free of a region's total, and what hangs on it. */
function treeOf(above) {
  const [spreads, wide, parents] = [decode(above.spread), decode(above.wide), decode(above.parent)];
  const passed = (region, tied, free) => {
    const share = tied / wide[region];
    const loose = Math.max(free - tied * tied / wide[region], 0);
    return [share * spreads[region], loose + share * share * spreads[region]];
  };
  const rising = () => {
    const [tied, free] = [new Float64Array(wide.length), new Float64Array(wide.length)];
    let found = 0;
    const add2 = (parent, hanging, own) => {
      if (parent < 0) {
        found += own;
      } else {
        tied[parent] += hanging;
        free[parent] += own;
      }
    };
    const variance = () => {
      for (let i = wide.length - 1; i >= 0; i--) {
        if (tied[i]) add2(parents[i], ...passed(i, tied[i], free[i]));
      }
      return found;
    };
    return { add: add2, variance };
  };
  const climbed = (region, tied, free) => {
    let [at, hanging, own] = [region, tied, free];
    while (at >= 0 && hanging) {
      [hanging, own] = passed(at, hanging, own);
      at = parents[at];
    }
    return at < 0 ? own : 0;
  };
  return { rising, climbed };
}

// reading/ladder.js
/* Any other reading: its own numbers, and its p-values at a ladder of thresholds. */
/** What was written out; each rung is unpacked when it is first asked for. */
function fromLadder(plain3, count) {
  const [estimate, low, high] = [plain3.estimate, plain3.low, plain3.high].map((packed) => decode(packed));
  const rungs = [];
  const rung = (index) => {
    const { p, exceeds } = plain3.rungs[index];
    rungs[index] ??= { p: decode(p), exceeds: bits(exceeds, count) };
    return rungs[index];
  };
  return {
    noisy: null,
    estimate: (cell) => estimate[cell],
    low: (cell) => low[cell],
    high: (cell) => high[cell],
    confidence: (index) => (cell) => 1 - Math.exp(-rung(index).p[cell] / 16),
    exceeding: (index) => (cell) => rung(index).exceeds[cell] === 1
  };
}

// reading/noise.js
/* Cells that were measured one by one: the noise law says all. */
/** FlatEstimate: any threshold, any cell. */
function fromNoise(plain3, rate) {
  const noisy = decode(plain3.noisy);
  const lowered = plain3.lowered === null ? Infinity : plain3.lowered;
  const p = (value, threshold) => pValue(value, threshold, plain3.scale, plain3.lattice, plain3.law);
  const descending = noisy.slice().sort().reverse();
  return {
    noisy,
    estimate: (cell) => Math.max(noisy[cell] - lowered, 0),
    low: (cell) => noisy[cell] <= plain3.one ? 0 : Math.max(noisy[cell] - plain3.two, 1 / plain3.lattice),
    high: (cell) => Math.max(noisy[cell] + plain3.two, 0),
    confidence: (index) => (cell) => 1 - p(noisy[cell], plain3.thresholds[index]),
    exceeding: (index) => {
      const threshold = plain3.thresholds[index];
      const ascending = Float64Array.from(descending, (value) => p(value, threshold));
      const limit = largestAccepted(ascending, rate);
      return (cell) => p(noisy[cell], threshold) <= limit;
    }
  };
}

// reading/regions.js
/* Cells of which some were measured in blocks. */
/** RegionBounds: the noise law for cells measured by themselves; 0 to the block's upper bound for those in blocks. */
function fromRegions(plain3, facts, { of, sizeOf: sizeOf2 }) {
  const { scale, lattice, noisy: packed } = facts.zones;
  const estimate = decode(plain3.estimate);
  const noisy = decode(packed);
  const value = (cell) => noisy[of(cell)];
  const alone = (cell) => sizeOf2(cell) === 1;
  const p = (cell, threshold) => pValue(value(cell), threshold, scale, lattice);
  const lowest = (y) => y <= plain3.one ? 0 : Math.max(y - plain3.two, 1 / lattice);
  return {
    noisy: null,
    estimate: (cell) => estimate[cell],
    low: (cell) => Math.min(alone(cell) ? lowest(value(cell)) : 0, estimate[cell]),
    high: (cell) => Math.max(value(cell) + (alone(cell) ? plain3.two : plain3.one), 0, estimate[cell]),
    confidence: (index) => (cell) => alone(cell) ? 1 - p(cell, plain3.thresholds[index]) : 0,
    exceeding: (index) => {
      const threshold = plain3.thresholds[index];
      const tested = [];
      for (let cell = 0; cell < facts.cells; cell++) if (alone(cell)) tested.push(p(cell, threshold));
      const limit = largestAccepted(Float64Array.from(tested).sort(), facts.rate);
      return (cell) => alone(cell) && p(cell, threshold) <= limit;
    }
  };
}

// reading/reading.js
/* Each cell's estimate, interval and confidence: the same formulas as dpmap/inference, whichever reading the release has. */
/** What can be read of each cell. */
function readingOf(facts, regions) {
  const area = decode(facts.area);
  const areaOf = (cell) => area[area.length === 1 ? 0 : cell];
  const own = ownReading(facts, regions);
  const believed = believedLand(facts, regions, areaOf, own.estimate);
  return {
    count: facts.cells,
    sure: bits(facts.sure, facts.cells),
    areaOf,
    thresholds: facts.reading.thresholds,
    ...own,
    ...believed && { low: believed.low, high: believed.high },
    believed
  };
}
function ownReading(facts, regions) {
  const plain3 = facts.reading;
  if (plain3.law === "regions") return fromRegions(plain3, facts, regions);
  if (plain3.law === "ladder") return fromLadder(plain3, facts.cells);
  return fromNoise(plain3, facts.rate);
}

// switches.js
/* One page for the layers of a release: a list for each axis of kinds, a slider for each axis of times. */
/** Milliseconds that each layer is shown. */
var PACE = 1600;
/** The axis that plays. */
var playing = -1;
/** The controls above the layers, where the release has more than one map; `turnTo` is told a layer, and the control that
   was used. */
function switches(axes, layer, turnTo) {
  const box = element("switches");
  box.hidden = false;
  const places = placesAlong(axes, layer);
  axes.forEach(({ column, names, times }, axis) => {
    const name = names[places[axis]];
    const control = times ? slider(names.length, places[axis], name) : list(names, places[axis]);
    control.id = `dp-axis-${axis}`;
    control.addEventListener(
      "change",
      () => turnTo(layerAt(axes, places.with(axis, Number(control.value))), control.id)
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
var still = window.matchMedia("(prefers-reduced-motion: reduce)");
/** A button that turns from one time to the next until it, or anything else, is used. */
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
  made.addEventListener("click", () => playing === axis ? stop() : play());
  const { signal } = whileOpen();
  signal.addEventListener("abort", () => clearInterval(timer));
  for (const kind of ["pointerdown", "keydown", "wheel"]) {
    document.addEventListener(kind, (event) => made.contains(event.target) || stop(), {
      signal,
      capture: true,
      passive: true
    });
  }
  if (playing === axis) play();
  else tell();
  return made;
}
/** A layer's place on each axis, the last of which turns fastest. */
function placesAlong(axes, layer) {
  let rest = layer;
  const places = axes.map(() => 0);
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    places[axis] = rest % axes[axis].names.length;
    rest = Math.floor(rest / axes[axis].names.length);
  }
  return places;
}
var layerAt = (axes, places) => places.reduce((number, place, at) => number * axes[at].names.length + place, 0);
function slider(count, place, words) {
  const made = make("input");
  Object.assign(made, { type: "range", min: 0, max: count - 1, step: 1 });
  made.value = String(place);
  made.setAttribute("aria-valuetext", words);
  return made;
}
function list(names, place) {
  const made = make("select");
  names.forEach((name, at) => {
    made.append(Object.assign(make("option", name), { value: at }));
  });
  made.value = String(place);
  return made;
}

// zones/area.js
/* True ground. */
/** The ellipsoid of WGS 84. */
var [E2, POLAR] = [0.0066943799901413165, 6356.752314245179];
var E = Math.sqrt(E2);
/** The true area of rings of [longitude, latitude] on the ellipsoid, their edges straight in degrees. */
function squareKm(rings) {
  const [west, south, east, north] = boxOfRings(rings);
  const step = Math.max(east - west, north - south) / 50;
  let total = 0;
  for (const [ax, ay, bx, by] of oriented(rings)) {
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / step));
    for (let k = 0; k < parts; k++) {
      const at = (share) => strip(ay + (by - ay) * (k + share) / parts);
      total -= (bx - ax) / parts * ((at(0) + 4 * at(0.5) + at(1)) / 6);
    }
  }
  return total * Math.PI * POLAR * POLAR / 180;
}
/** The area of a strip one radian wide from the equator to a latitude, in polar radii squared. */
function strip(latitude) {
  const sine = Math.sin(latitude * Math.PI / 180);
  return sine / (2 * (1 - E2 * sine * sine)) + Math.atanh(E * sine) / (2 * E);
}

// zones/measured.js
/* Bounds of a zone's total from one measurement: those of FlatEstimate.zone and RegionBounds.zone. */
var sumOf = (indices, value) => indices.reduce((total, index, place) => total + value(index, place), 0);
/** Regions wholly inside, and regions that the zone cuts. */
function regionsMet({ within: within2, cut }, labels, sizes) {
  if (!labels) return { within: within2, cut };
  const held = new Map();
  for (const cell of within2) held.set(labels[cell], (held.get(labels[cell]) || 0) + 1);
  for (const cell of cut) held.set(labels[cell], held.get(labels[cell]) || 0);
  held.delete(-1);
  const found = { within: [], cut: [] };
  for (const [region, cells] of held) found[cells === sizes[region] ? "within" : "cut"].push(region);
  return found;
}
/** A one-sided test at 0 where every cell was measured by itself; else whole regions below and all those met above. */
function measuredBounds(plain3, confidence, reading, { labels, sizes }) {
  const noisy = plain3.noisy ? decode(plain3.noisy) : reading.noisy ?? [];
  const spread = (count, level) => sumQuantile(level, plain3.scale, count, plain3.kind) / plain3.lattice;
  return (covered) => {
    const { within: within2, cut } = regionsMet(covered, labels, sizes);
    const level = cut.length ? 1 - (1 - confidence) / 2 : confidence;
    const inside = sumOf(within2, (region) => noisy[region]);
    const reach = inside + sumOf(cut, (region) => noisy[region]);
    const two = inside - spread(within2.length, level);
    const high = Math.max(reach + spread(within2.length + cut.length, level), 0);
    if (labels) return { low: Math.max(two, 0), high };
    const one = spread(within2.length, 2 * level - 1);
    return { low: inside <= one ? 0 : Math.max(two, 1 / plain3.lattice), high };
  };
}

// zones/merged.js
/* Bounds of a zone's total of partners' maps in one: those of MergedEstimate.zone. */
/** Every partner's regions added up, the law that of all their noises. */
function mergedBounds(plain3, level) {
  const partners = plain3.partners.map(({ scale, ...packed }) => {
    const [labels, noisy] = [decode(packed.labels), decode(packed.noisy)];
    return { scale, noisy, labels, sizes: sizesOf(labels, noisy.length) };
  });
  return (covered) => {
    let [inside, reach] = [0, 0];
    const below = [];
    const above = [];
    for (const { scale, noisy, labels, sizes } of partners) {
      const { within: within2, cut } = regionsMet(covered, labels, sizes);
      const [held, met] = [within2, cut].map((some) => sumOf(some, (region) => noisy[region]));
      inside += held;
      reach += held + met;
      below.push([scale, within2.length]);
      above.push([scale, within2.length + cut.length]);
    }
    if (below.every(([, count], i) => count === above[i][1])) {
      const [one, two] = [2 * level - 1, level].map((confidence) => sumsQuantile(confidence, below));
      return { low: inside <= one ? 0 : Math.max(inside - two, 1 / plain3.lattice), high: Math.max(reach + two, 0) };
    }
    const share = 2 * (1 - (1 - level) / 2) - 1;
    const [low, high] = [inside - sumsQuantile(share, below), reach + sumsQuantile(share, above)];
    return { low: Math.max(low, 0), high: Math.max(high, 0) };
  };
}

// law/binomials.js
/* Sums of two binomials: `binomials_at_least` of dpmap/noise/theory.py. */
/** P(X + Y >= least), X and Y independent binomials. */
function binomialsAtLeast(least, [trials, chance], [others, other]) {
  const reach = 9 * Math.sqrt(trials * chance * (1 - chance)) + 25;
  const from = Math.max(0, Math.floor(trials * chance - reach));
  const to = Math.min(trials, Math.floor(trials * chance + reach));
  let tail = upper(least - from, others, other);
  let total = 1e-15;
  for (let x = from; x <= to; x++) {
    if (x > from) tail = least - x <= 0 ? 1 : Math.min(1, tail + binomial(least - x, others, other));
    total += binomial(x, trials, chance) * tail;
  }
  return Math.min(total, 1);
}
/** P(Y >= value). */
function upper(value, trials, chance) {
  if (value <= 0 || value > trials) return value <= 0 ? 1 : 0;
  return beta(value, trials - value + 1, chance);
}
/** The chance of so many heads of n coins. */
function binomial(heads, n, share) {
  if (heads < 0 || heads > n) return 0;
  const ways = logGamma(n + 1) - logGamma(heads + 1) - logGamma(n - heads + 1);
  return Math.exp(ways + unlessNone(heads, Math.log(share)) + unlessNone(n - heads, Math.log1p(-share)));
}
/** A product that is 0 for no coins, however impossible each is. */
function unlessNone(count, value) {
  return count ? count * value : 0;
}
/** The logarithm of the gamma function (Stirling's series from 10 on). */
function logGamma(value) {
  let [z, lifted] = [value, 0];
  for (; z < 10; z++) lifted -= Math.log(z);
  const w = 1 / (z * z);
  const series = (1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z;
  return lifted + (z - 0.5) * Math.log(z) - z + 0.9189385332046728 + series;
}
/** The regularised incomplete beta function: P(Y >= a) of a binomial of a + b - 1 trials. */
function beta(a, b, x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * fraction(a, b, x) / a : 1 - front * fraction(b, a, 1 - x) / b;
}
/** Its continued fraction, by Lentz's method. */
function fraction(a, b, x) {
  let [c, d] = [1, 1 / (1 - (a + b) * x / (a + 1))];
  let value = d;
  for (let m = 1; m < 1e5; m++) {
    for (const part of [
      m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
      -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
    ]) {
      d = 1 / (1 + part * d || 1e-300);
      c = 1 + part / c || 1e-300;
      value *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return value;
}

// zones/reports.js
/* Bounds of a zone's total from reports that devices randomised: those of ReportedEstimate.zone, by the same exact law. */
/** The least and the most volunteers that the reports do not speak against. */
function reportBounds(plain3, level) {
  const support = decode(plain3.support);
  const risk = (1 - level) / 2;
  return ({ within: within2, cut }) => {
    const inside = sumOf(within2, (cell) => support[cell]);
    const reach = inside + sumOf(cut, (cell) => support[cell]);
    const [few, all] = [within2.length, within2.length + cut.length];
    const none = !few || atLeast(inside, coins(plain3, 0, few)) > (cut.length ? risk : 2 * risk);
    const least = (enough) => leastWhere(plain3.count, enough);
    const low = none ? 0 : Math.min(
      plain3.count,
      least((x) => atLeast(inside, coins(plain3, x, few)) > risk)
    );
    return { low, high: Math.max(low, least((x) => atMost(reach, coins(plain3, x, all)) <= risk) - 1) };
  };
}
/** The two binomials of so many cells with x volunteers in them. */
function coins({ mechanism, count, truth: p, other: q }, x, cells) {
  if (mechanism === "oue") {
    return [
      [x, p],
      [count * cells - x, q]
    ];
  }
  return [
    [x, Math.min(1, p + (cells - 1) * q)],
    [count - x, Math.min(1, cells * q)]
  ];
}
var atLeast = (total, [one, other]) => binomialsAtLeast(total, one, other);
function atMost(total, [[one, a], [two, b]]) {
  return binomialsAtLeast(one + two - total, [one, 1 - a], [two, 1 - b]);
}
/** The least x from 1 on for which this enough, as for all after it; one beyond `count` where there is none. */
function leastWhere(count, enough) {
  let [low, high] = [1, count + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// zones/zones.js
/* Totals of project areas with their intervals, from the released noisy numbers: what `release.ask` answers. The zone's
   cells and shares are those of dpmap/grid/zone_overlap.py, the words those of dpmap/inference/zones.py. */
/** What answers for a zone given as rings of [longitude, latitude]. */
function zonesOf(known) {
  const { reading, cells } = known;
  const bounds = boundsOf(known);
  return {
    total(rings) {
      const covered = cells.cover(rings);
      const km2 = squareKm(rings);
      const counts = { within: covered.within.length, cut: covered.cut.length, km2 };
      if (!(counts.within + counts.cut)) return { ...counts, inMap: 0, note: "outside the map" };
      const strict = bounds(covered);
      const sum = added(covered, reading.estimate);
      const estimate = reading.believed ? sum : Math.min(Math.max(sum, strict.low), strict.high);
      const { low, high } = reading.believed?.zone(covered, sum) ?? strict;
      const [least, most] = [Math.min(strict.low, low), Math.max(strict.high, high)];
      const ground = added(covered, reading.areaOf);
      const inMap = ground > km2 * (1 - 1e-3) ? 1 : ground / km2;
      const found = { estimate, low, high, least, most, perKm2: estimate / (km2 * inMap) };
      return { ...counts, inMap, found, note: noteOf(covered, km2, inMap, low, reading) };
    }
  };
}
/** The strict bounds of this kind of release. */
function boundsOf({ facts, reading, regions }) {
  const { zones, level } = facts;
  if ("partners" in zones) return mergedBounds(zones, level);
  if (zones.kind === "reports") return reportBounds(zones, level);
  return measuredBounds(zones, level, reading, regions);
}
/** A value of all cells within a zone, and of those it cuts by their shares. */
function added({ within: within2, cut, shares }, value) {
  return sumOf(within2, value) + sumOf(cut, (cell, i) => value(cell) * shares[i]);
}
/** What a planner must know before using the numbers. */
function noteOf({ within: within2, cut }, km2, inMap, low, reading) {
  const words = [];
  const bracketed = !reading.believed;
  if (!within2.length) {
    const small = km2 < Math.max(...cut.map(reading.areaOf));
    const only = bracketed ? "the map gives an upper bound only" : "each counts by the share inside";
    const whole = `holds no whole cell: ${only}`;
    words.push(small ? "smaller than one cell: the map cannot resolve it" : whole);
  } else if (cut.length) {
    words.push(`crosses ${counted(cut.length, "cell")}, ${bracketed ? "bracketed" : "shared by ground"}`);
  }
  if (inMap < 1) {
    const share = Math.round(100 * Math.max(0.01, Math.min(0.99, inMap)));
    words.push(`partly outside the map: ${share} % of it is covered`);
  }
  if (low === 0 && within2.length) words.push("its total is not distinguishable from none");
  return words.join("; ");
}

// tools/areatable.js
/* Many project areas as a table that is sorted and searched; those that surely hold something come first. */
/** So many areas make a table; fewer are a list. */
var MANY2 = 6;
/** The table beside the list of areas, of which one is seen at a time. */
var AreaTable = class {
  constructor(map, facts, list2) {
    this.map = map;
    this.list = list2;
    this.box = element("many");
    this.rows = element("many-rows");
    this.areas = [];
    this.by = "estimate";
    this.isDown = true;
    element("many-interval").textContent = `${percent(facts.level)} interval`;
    const field2 = input("find-area");
    field2.addEventListener("input", () => this.filter(field2.value));
    for (const by of ["name", "estimate"]) {
      const head = find(`#dp-many [data-sort=${by}]`, HTMLButtonElement);
      head.addEventListener("click", () => {
        this.isDown = this.by === by ? !this.isDown : by === "estimate";
        this.by = by;
        this.sort();
      });
    }
  }
  clear() {
    this.areas.length = 0;
    this.rows.replaceChildren();
    this.arrange();
  }
  add(area) {
    const { total, isTold } = area;
    const row = make("tr", "", isTold ? "" : "dp-untold");
    const head = make("th");
    head.scope = "row";
    const link = make("button", area.name);
    link.type = "button";
    link.addEventListener("click", () => this.map.fitBounds(area.bounds, { padding: [40, 40], animate: false }));
    head.append(link);
    const { found } = total;
    row.append(
      head,
      make("td", found ? numberText(found.estimate) : "not told"),
      make("td", found ? range(found.low, found.high) : total.note || "")
    );
    this.areas.push({ area, row });
    this.arrange();
  }
  arrange() {
    const isMany = this.areas.length >= MANY2;
    this.box.hidden = !isMany;
    this.list.hidden = isMany;
    if (!isMany) return;
    const certain = this.areas.filter(({ area }) => area.isTold).length;
    const all = this.areas.length;
    const others = certain < all ? "; of the grey ones it is not known" : "";
    element("many-said").textContent = `${certain} of ${counted(all, "area")} surely hold something${others}.`;
    this.sort();
  }
  sort() {
    const amount = ({ total, isTold }) => (isTold ? 1e15 : 0) + (total.found ? total.found.estimate : -1);
    const order = [...this.areas].sort(({ area: one }, { area: other }) => {
      const by = this.by === "name" ? one.name.localeCompare(other.name) : amount(one) - amount(other);
      return this.isDown ? -by : by;
    });
    this.rows.append(...order.map(({ row }) => row));
    for (const head of this.box.querySelectorAll("th[scope=col]")) {
      const button2 = head.querySelector("button");
      if (button2?.dataset.sort === this.by) head.setAttribute("aria-sort", this.isDown ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }
  filter(typed) {
    for (const { area, row } of this.areas) row.hidden = !foldName(area.name).includes(foldName(typed));
  }
};

// tools/outlines.js
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

// tools/areas.js
/* Project areas and their answers. */
/** The lines of areas that surely hold something, and of those that may hold none. */
var [TOLD, UNTOLD2] = ["#0b5cad", "#6b7280"];
/** With more areas than these, the list alone names them. */
var MOST_LABELS = 12;
/** The list of project areas. */
var Areas = class {
  constructor(map, known) {
    this.map = map;
    this.facts = known.facts;
    this.zones = zonesOf(known);
    this.shapes = L.layerGroup().addTo(map);
    this.drawn = [];
    this.shown = [];
    this.onChange = () => {
    };
    this.drawnSoFar = 0;
    this.answers = element("answers");
    this.labels = [];
    this.many = new AreaTable(map, known.facts, this.answers);
    this.note = element("answers-note");
    this.clearing = button("clear");
    this.clearing.addEventListener("click", () => this.clear());
  }
  nextName() {
    this.drawnSoFar += 1;
    return `Drawn area ${this.drawnSoFar}`;
  }
  clear() {
    this.drawn.length = this.shown.length = 0;
    this.onChange();
    this.shapes.clearLayers();
    this.answers.replaceChildren();
    this.labels.length = 0;
    this.many.clear();
    this.note.hidden = this.clearing.disabled = true;
    complain("");
  }
  /** Draws and answers one; gives its outline. */
  add({ name, rings }) {
    this.drawn.push({ name, rings });
    const total = this.zones.total(rings);
    const isTold = Boolean(total.found && total.found.low > 0);
    const shape = outlined(
      rings.map((ring) => ring.map(([x, y]) => [y, x])),
      isTold ? TOLD : UNTOLD2
    );
    shape.group.addTo(this.shapes);
    const row = make("li");
    row.append(make("span", name, "dp-name"), ...this.words(total));
    this.answers.append(row);
    const answer = answerIn(row);
    this.shown.push({ name, rings, answer });
    const bounds = shape.group.getBounds();
    this.many.add({ name, total, isTold, bounds });
    const label = labelled(bounds, name, answer);
    this.labels.push(label);
    if (this.shown.length <= MOST_LABELS) label.addTo(this.shapes);
    else for (const other of this.labels) other.remove();
    this.onChange();
    this.note.hidden = this.clearing.disabled = false;
    this.note.textContent = this.caveat();
    return shape.group;
  }
  /** The same for several, and moves the map to where all are seen. */
  addAll(zones) {
    complain("");
    const outlines = zones.map((zone) => this.add(zone));
    const inside = L.latLngBounds(this.facts.geometry.bounds);
    const all = outlines.reduce((bounds, shape) => bounds.extend(shape.getBounds()), L.latLngBounds([]));
    if (outlines.length && inside.intersects(all) && !this.map.getBounds().contains(all)) {
      this.map.fitBounds(all, { padding: [24, 24], animate: false });
    }
  }
  /** Each area with its answer in one line. */
  labelled() {
    return this.shown;
  }
  caveat() {
    const { noun, level, geometry } = this.facts;
    const exact = geometry.image ? " Cells are known to this page to a sixth of their width: dpmap ask is exact." : "";
    return `Capped totals of ${noun}, each with its own ${percent(level)} interval, which holds for areas drawn without looking at the map. Cells that the edge cuts count by the share inside. At least and at most: the same from the last noise alone, with none or all of each cell that is cut.${exact}`;
  }
  words({ within: within2, cut, km2, note, found }) {
    const notes2 = note ? [make("div", note, "dp-quiet")] : [];
    if (!found) return notes2;
    const crossed = cut ? `, ${counted(cut, "cell")} cut by its edge` : "";
    const wider = found.least < found.low || found.most > found.high;
    const ground = `${numberText(km2)} km², about ${groundText(this.facts, found.perKm2)}`;
    return [
      make("strong", `about ${numberText(found.estimate)}`),
      make("div", `${percent(this.facts.level)} interval ${range(found.low, found.high)}`),
      ...wider ? [make("div", `at least ${numberText(found.least)}, at most ${numberText(found.most)}`, "dp-quiet")] : [],
      ...notes2,
      make(
        "div",
        `${within2 ? `${counted(within2, "cell")} wholly inside` : "no cell wholly inside"}${crossed}; ${ground}`,
        "dp-quiet"
      )
    ];
  }
};
/** What is wrong with what was drawn, typed or dropped; nothing, if nothing is. */
function complain(words) {
  element("problem").textContent = words;
}
/** The answer of a row in one line: the number and its interval, or why there is none. */
function answerIn(row) {
  const number = row.querySelector("strong");
  const words = number ? [number, number.nextElementSibling] : [row.querySelector("div")];
  return words.map((part) => part?.textContent ?? "").join(", ");
}

// tools/corners.js
/* Rectangles by their corners, typed. */
/** The ring of a rectangle from corner to corner. */
function rectangle(a, b, c, d) {
  return [
    [a, b],
    [c, b],
    [c, d],
    [a, d]
  ];
}
/** Lets the reader type west, south, east and north. */
function typing(areas) {
  const form = find("#dp-corners", HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const [west, south, east, north] = ["west", "south", "east", "north"].map(typedDegrees);
    if (!(west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90)) {
      complain("Corners are degrees, with west below east and south below north, like -3.5.");
      return;
    }
    areas.addAll([{ name: areas.nextName(), rings: [rectangle(west, south, east, north)] }]);
  });
}
/** The number in a field; none where it is empty. */
function typedDegrees(name) {
  const text = find(`#dp-corners [name=${name}]`, HTMLInputElement).value.trim();
  return text ? Number(text) : NaN;
}

// tools/drawing.js
/* Drawing project areas with a mouse, a finger or the keyboard (the cross is the pen). */
var HINTS = {
  rectangle: "Drag from corner to corner, or tap two corners. Keyboard: arrows move, Enter sets a corner.",
  polygon: "Tap each corner, then Finish. Keyboard: arrows move, Enter sets a corner."
};
var LEAST = { rectangle: 2, polygon: 3 };
/** One area at a time. */
var Drawing = class {
  constructor(map, areas, pointing) {
    this.map = map;
    this.areas = areas;
    this.pointing = pointing;
    this.buttons = { rectangle: button("rectangle"), polygon: button("polygon") };
    this.stage = find(".dp-stage", HTMLElement);
    this.bar = find(".dp-drawing", HTMLElement);
    this.sketch = L.polygon([], { dashArray: "6 5", weight: 2.5, interactive: false });
    this.mode = null;
    this.corners = [];
    this.pressed = null;
    this.listen();
  }
  listen() {
    for (const mode of ["rectangle", "polygon"]) {
      this.buttons[mode].addEventListener("click", () => this.mode === mode ? this.stop() : this.start(mode));
    }
    button("finish").addEventListener("click", () => this.finish());
    button("cancel").addEventListener("click", () => this.stop());
    this.map.getContainer().addEventListener("pointerdown", (event) => this.press(event), true);
    window.addEventListener("pointermove", (event) => this.move(event), whileOpen());
    window.addEventListener("pointerup", (event) => this.release(event), whileOpen());
    window.addEventListener("pointercancel", () => this.forget(), whileOpen());
    document.addEventListener("keydown", (event) => this.key(event), whileOpen());
  }
  start(mode) {
    this.stop();
    this.mode = mode;
    this.pointing.paused = true;
    this.buttons[mode].setAttribute("aria-pressed", "true");
    this.stage.classList.add("dp-drawing-now");
    this.bar.hidden = false;
    button("finish").hidden = mode === "rectangle";
    hint(HINTS[mode]);
    for (const handler of this.handlers()) handler.disable();
    this.sketch.setStyle({ color: inkOf("--accent") });
    this.map.getContainer().focus();
    this.stage.scrollIntoView({ block: "nearest" });
  }
  stop() {
    if (!this.mode) return;
    this.buttons[this.mode].setAttribute("aria-pressed", "false");
    this.mode = null;
    this.corners = [];
    this.forget();
    this.pointing.paused = false;
    this.stage.classList.remove("dp-drawing-now");
    this.bar.hidden = true;
    this.sketch.remove();
    for (const handler of this.handlers()) handler.enable();
  }
  /** What the map does with the pointer while nothing is drawn. */
  handlers() {
    const { dragging, doubleClickZoom, touchZoom } = this.map;
    return [dragging, doubleClickZoom, touchZoom].filter(Boolean);
  }
  forget() {
    this.pressed = null;
  }
  press(event) {
    const target = event.target;
    if (!this.mode || event.button !== 0 || target.closest(".leaflet-control")) return;
    event.preventDefault();
    this.pressed = { x: event.clientX, y: event.clientY, latlng: this.map.mouseEventToLatLng(event) };
  }
  move(event) {
    if (!this.mode) return;
    const here = this.map.mouseEventToLatLng(event);
    if (this.mode === "rectangle" && this.pressed) this.outline([this.pressed.latlng, here]);
    else if (this.corners.length) this.outline([...this.corners, here]);
  }
  release(event) {
    if (!this.mode || !this.pressed) return;
    const { x, y, latlng } = this.pressed;
    const far = Math.hypot(event.clientX - x, event.clientY - y) > 8;
    this.forget();
    if (this.mode === "rectangle" && far) {
      this.corners = [latlng, this.map.mouseEventToLatLng(event)];
      this.finish();
    } else this.corner(this.mode, latlng);
  }
  key(event) {
    if (!this.mode) return;
    if (event.key === "Escape") this.stop();
    else if (event.key === "Enter" && document.activeElement === this.map.getContainer()) {
      event.preventDefault();
      this.corner(this.mode, this.map.getCenter());
    }
  }
  corner(mode, latlng) {
    this.corners.push(latlng);
    this.outline(this.corners);
    const count = this.corners.length;
    const left = LEAST[mode] - count;
    hint(left > 0 ? `${count} set, ${left} more.` : `${count} corners set; add more, or Finish.`);
    if (mode === "rectangle" && count === 2) this.finish();
  }
  outline(latlngs) {
    this.sketch.setLatLngs(this.ringOf(latlngs).map(([x, y]) => L.latLng(y, x))).addTo(this.map);
  }
  ringOf(latlngs) {
    if (this.mode !== "rectangle") return latlngs.map(({ lat, lng }) => [lng, lat]);
    const [from, to] = [latlngs[0], latlngs[latlngs.length - 1]];
    return rectangle(from.lng, from.lat, to.lng, to.lat);
  }
  finish() {
    if (!this.mode) return;
    if (this.corners.length < LEAST[this.mode]) {
      hint("Set at least three corners first.");
      return;
    }
    this.areas.addAll([{ name: this.areas.nextName(), rings: [this.ringOf(this.corners)] }]);
    this.stop();
  }
};
function hint(words) {
  element("hint").textContent = words;
}

// tools/picture.js
/* The map as it is seen, with its title, legend and provenance, as one picture. */
var [EDGE, COLUMN, FINE] = [20, 250, 2];
var FONT2 = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
/** A canvas with all of it. */
function pictureOf(seen) {
  const { x: width, y: height } = seen.map.getSize();
  const wide = width + COLUMN + 3 * EDGE;
  const notes2 = [seen.facts.provenance, seen.facts.capped, "Land and borders: Natural Earth. Drawn with dpmap."];
  const canvas = document.createElement("canvas");
  const sheet = { pen: penOf(canvas), y: EDGE };
  const tall = 74 + height + 3 * EDGE + lines(sheet.pen, notes2.join(" · "), 12, wide - 2 * EDGE).length * 17;
  canvas.width = wide * FINE;
  canvas.height = tall * FINE;
  const { pen } = sheet;
  pen.scale(FINE, FINE);
  pen.fillStyle = inkOf("--paper");
  pen.fillRect(0, 0, wide, tall);
  write2(sheet, seen.facts.title, EDGE, wide - 2 * EDGE, "bold 21", "--ink");
  sheet.y += 4;
  write2(sheet, seen.shown.heading(), EDGE, wide - 2 * EDGE, "14", "--quiet");
  const top = sheet.y + 10;
  drawMap(pen, seen, EDGE, top);
  sheet.y = top;
  drawLegend(sheet, seen.shown, width + 2 * EDGE);
  sheet.y = top + height + 12;
  write2(sheet, notes2.join(" · "), EDGE, wide - 2 * EDGE, "12", "--quiet");
  return canvas;
}
/** What lies on the map, cut to what is seen of it. */
function drawMap(pen, { map, layer, areas }, left, top) {
  const { x: width, y: height } = map.getSize();
  const { canvas, at, size } = layer.drawn(map);
  pen.save();
  pen.beginPath();
  pen.rect(left, top, width, height);
  pen.clip();
  pen.fillStyle = inkOf("--water");
  pen.fillRect(left, top, width, height);
  pen.drawImage(canvas, left + at.x, top + at.y, size.x, size.y);
  pen.translate(left, top);
  for (const { name, rings, answer } of areas.labelled()) drawArea(pen, map, rings, [name, answer]);
  drawScale(pen, map, height);
  pen.restore();
  pen.strokeStyle = inkOf("--line");
  pen.strokeRect(left, top, width, height);
}
function drawArea(pen, map, rings, words) {
  const bounds = L.latLngBounds(rings.flat().map(([longitude, latitude]) => L.latLng(latitude, longitude)));
  const { x, y } = map.latLngToContainerPoint([bounds.getNorth(), bounds.getCenter().lng]);
  pen.beginPath();
  for (const ring of rings) {
    ring.forEach(([longitude, latitude], i) => {
      const place = map.latLngToContainerPoint([latitude, longitude]);
      pen[i ? "lineTo" : "moveTo"](place.x, place.y);
    });
    pen.closePath();
  }
  for (const [colour, width] of [
    ["#ffffff", 6],
    ["#0b5cad", 3]
  ]) {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.stroke();
  }
  pen.font = `bold 12px ${FONT2}`;
  pen.textBaseline = "alphabetic";
  pen.lineWidth = 4;
  pen.strokeStyle = inkOf("--paper");
  pen.fillStyle = inkOf("--ink");
  pen.textAlign = "center";
  words.forEach((text, i) => {
    pen.strokeText(text, x, y - 22 + 15 * i);
    pen.fillText(text, x, y - 22 + 15 * i);
  });
  pen.textAlign = "left";
  pen.lineWidth = 1;
}
function drawScale(pen, map, height) {
  const bar = map.getContainer().querySelector(".leaflet-control-scale-line");
  if (!(bar instanceof HTMLElement)) return;
  pen.fillStyle = pen.strokeStyle = inkOf("--ink");
  pen.fillRect(10, height - 12, bar.offsetWidth, 2);
  pen.font = `12px ${FONT2}`;
  pen.fillText(bar.textContent ?? "", 10, height - 18);
}
function drawLegend(sheet, shown, left) {
  const { pen } = sheet;
  for (const [tint, words] of shown.legend.rows) {
    if (tint !== null) drawSwatch(pen, shown.legend.palette[tint], left, sheet.y);
    const indent = tint === null ? 0 : 38;
    write2(sheet, words, left + indent, COLUMN - indent, "14", tint === null ? "--quiet" : "--ink");
    sheet.y += 6;
  }
  sheet.y += 8;
  write2(sheet, shown.legend.note, left, COLUMN, "12", "--quiet");
}
function drawSwatch(pen, tint, x, y) {
  pen.fillStyle = hatched(pen, tint);
  pen.fillRect(x, y, 30, 18);
  pen.strokeStyle = inkOf("--line");
  pen.strokeRect(x, y, 30, 18);
}
/** Writes words line by line. */
function write2(sheet, words, x, width, size, ink) {
  const { pen } = sheet;
  const high = Number(size.replace(/\D/g, ""));
  pen.font = `${size}px ${FONT2}`;
  pen.fillStyle = inkOf(ink);
  pen.textBaseline = "alphabetic";
  for (const line of broken(pen, words, width)) {
    pen.fillText(line, x, sheet.y + high);
    sheet.y += Math.round(high * 1.4);
  }
}
function lines(pen, words, size, width) {
  pen.font = `${size}px ${FONT2}`;
  return broken(pen, words, width);
}
/** Words in lines that fit a width. */
function broken(pen, words, width) {
  const found = [""];
  for (const word of words.split(/\s+/)) {
    const longer = `${found[found.length - 1]} ${word}`.trim();
    if (found[found.length - 1] && pen.measureText(longer).width > width) found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
}

// tools/tabular.js
/* What is shown, as a table and as GeoJSON: places, or single cells. */
/** One row for each place, or for each cell by itself. */
function rowsOf(known, by) {
  return by === "places" && known.places ? placeRows(known) : cellRows(known);
}
function placeRows(known) {
  const places = known.places;
  return Array.from(places.sizes, (_, place) => {
    const members = places.membersOf(place);
    const [estimate, low, high, area] = [places.estimate, places.low, places.high, places.squareKm].map(
      (x) => x[place]
    );
    const middle = middleOf2(known, places, place);
    const told = places.told[place] === 1;
    const numbers = { area_km2: area, estimate, low, high, distinguishable: low > 0, per_km2: estimate / area };
    return {
      place: place + 1,
      ...named(known, middle, members.length),
      cells: members.length,
      ...numbers,
      told,
      ...whereIs2(known, middle)
    };
  });
}
function cellRows(known) {
  const { facts, reading } = known;
  return Array.from({ length: facts.cells }, (_, cell) => {
    const [estimate, low, high, area] = [reading.estimate, reading.low, reading.high, reading.areaOf].map(
      (of) => of(cell)
    );
    const numbers = { area_km2: area, estimate, low, high, per_km2: estimate / area };
    const told = reading.sure[cell] === 1;
    return { cell: cell + 1, ...named(known, cell, 1), ...numbers, distinguishable: told, ...whereIs2(known, cell) };
  });
}
/** The declared name of an area by itself, or the code of a cell in its official grid. */
function named({ facts }, cell, count) {
  const { names, codes } = facts.geometry;
  const code = codes ? { [codes.column]: count === 1 ? codeOf(facts, cell) : "" } : {};
  return names ? { name: count === 1 ? names[cell] : "", ...code } : code;
}
function whereIs2({ cells }, cell) {
  const [latitude, longitude] = cells.centre(cell).map((value) => Number(value.toFixed(6)));
  return { longitude, latitude };
}
/** Rows as CSV (RFC 4180). Numbers that are unknown are left out, and no text can be taken for a formula. */
function csvOf(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const lines2 = rows.map((row) => columns.map((column) => field(row[column])).join(","));
  return `${[columns.join(","), ...lines2].join("\r\n")}\r
`;
}
function field(value) {
  if (typeof value === "number") return Number.isFinite(value) ? String(plain2(value)) : "";
  if (typeof value === "boolean") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
var plain2 = (value) => Number(value.toPrecision(10));
/** The same with outlines in longitude and latitude (RFC 7946). */
function geojsonOf(known, by) {
  const { facts, cells, places } = known;
  const features = rowsOf(known, by).map((row, i) => {
    const rings = by === "places" && places ? outlineOf(cells, places, i) : cells.outlineOf([i]);
    const shown = Object.entries(row).filter(([key]) => !/tude$/.test(key)).map(([key, value]) => [key, typeof value === "number" ? finite(value) : value]);
    return {
      type: "Feature",
      properties: Object.fromEntries(shown),
      geometry: { type: "MultiPolygon", coordinates: coordinatesOf(rings) }
    };
  });
  const about = { title: facts.title, counted: facts.noun, level: facts.level, provenance: facts.provenance };
  return JSON.stringify({ type: "FeatureCollection", ...about, features });
}
var finite = (value) => Number.isFinite(value) ? plain2(value) : null;
function coordinatesOf(rings) {
  return polygonsIn(rings).map(
    (polygon) => polygon.map((ring) => [...ring, ring[0]].map((place) => place.map((value) => Number(value.toFixed(7)))))
  );
}

// tools/downloads.js
/* Files of what is shown, made in the page: a table, GeoJSON, a picture, and a link to this view. */
/** A text of more outlines than this is more than a browser holds. */
var MOST_OUTLINES = 5e4;
/** Lets the reader take the map along. */
function downloads(known, seen) {
  const { shown } = seen;
  const name = (suffix) => `${fileName(known.facts.title)}-${suffix}`;
  button("csv").addEventListener("click", () => {
    save(new Blob([csvOf(rowsOf(known, shown.by))], { type: "text/csv" }), name(`${shown.by}.csv`));
  });
  button("geojson").addEventListener("click", () => {
    const count = shown.by === "places" && known.places ? known.places.count : known.facts.cells;
    if (count > MOST_OUTLINES) complain(`${many(count)} outlines are too many for a page; type: dpmap export`);
    else save(new Blob([geojsonOf(known, shown.by)], { type: "application/geo+json" }), name(`${shown.by}.geojson`));
  });
  button("png").addEventListener("click", () => {
    pictureOf(seen).toBlob((blob) => blob && save(blob, name("map.png")));
  });
  button("link").addEventListener("click", copyLink);
}
/** The address of this page keeps what is shown. */
async function copyLink() {
  const words = element("link-told");
  try {
    await navigator.clipboard.writeText(location.href);
    words.textContent = "Copied. It opens this very view of this file.";
  } catch {
    words.textContent = `This browser copies nothing by itself: the page's address keeps this view. ${location.hash}`;
  }
}
/** Hands a file to the reader; nothing is sent anywhere. */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 6e4);
}
var fileName = (title) => title.normalize("NFKD").replace(/[^\p{Letter}\p{Number}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 60).toLowerCase() || "map";

// zones/geojson.js
/* Project areas from a file. It may hold anything: nothing is taken for what it says it is. */
var MOST_AREAS = 200;
/** The polygons of a GeoJSON text, each as a name and rings of [longitude, latitude]; throws a sentence for people. */
function polygonsOf(text) {
  const found = [];
  collect(parsed(text), "", found);
  if (!found.length) throw new Error("There is no polygon in this file. Points and lines have no area to add up.");
  if (found.length > MOST_AREAS)
    throw new Error(`This file has more than ${MOST_AREAS} areas. Split it into smaller files.`);
  return found;
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This is not a GeoJSON file. Save the project areas as GeoJSON (RFC 7946) and try again.");
  }
}
function collect(thing, name, found) {
  if (!thing || typeof thing !== "object") return;
  const item = thing;
  if (Array.isArray(item.features)) for (const feature of item.features) collect(feature, "", found);
  else if (item.type === "Feature") collect(item.geometry, nameOf(item), found);
  else if (Array.isArray(item.geometries)) for (const part of item.geometries) collect(part, name, found);
  else if (item.type === "Polygon") add(ringsIn(item.coordinates), name, found);
  else if (item.type === "MultiPolygon" && Array.isArray(item.coordinates)) {
    add(item.coordinates.flatMap(ringsIn), name, found);
  }
}
function add(rings, name, found) {
  if (rings.length) found.push({ name: name || `Area ${found.length + 1}`, rings });
}
function nameOf(feature) {
  const properties = Object(feature.properties);
  const key = ["name", "Name", "NAME", "title", "id"].find((candidate) => properties[candidate] != null);
  return String(key ? properties[key] : feature.id ?? "").slice(0, 80);
}
function ringsIn(coordinates) {
  if (!Array.isArray(coordinates)) return [];
  const rings = coordinates.map((ring) => Array.isArray(ring) ? ring.map(placeOf) : []);
  return rings.filter((ring) => ring.length >= 3);
}
function placeOf(position) {
  const [x, y] = Array.isArray(position) ? position : [];
  if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error("A coordinate in this file is not a number.");
  if (Math.abs(x) > 180 || Math.abs(y) > 90) {
    throw new Error(
      "These coordinates are not longitude and latitude. Save the file as GeoJSON in WGS 84 (EPSG:4326)."
    );
  }
  return [x, y];
}

// tools/files.js
/* GeoJSON files, dropped anywhere or opened. They are read in the page and go nowhere. */
var LARGEST = 2e7;
/** Lets the reader hand files in. */
function files(areas) {
  const chooser = input("file");
  const root = find(".dp-page", HTMLElement);
  const take = (some) => {
    for (const file of some ?? []) readInto(areas, file);
  };
  button("open").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    take(chooser.files);
    chooser.value = "";
  });
  const over = (event) => {
    event.preventDefault();
    root.classList.add("dp-dropping");
  };
  const drop = (event) => {
    event.preventDefault();
    root.classList.remove("dp-dropping");
    take(event.dataTransfer?.files);
  };
  const leave = (event) => event.relatedTarget || root.classList.remove("dp-dropping");
  document.addEventListener("dragover", over, whileOpen());
  document.addEventListener("dragleave", leave, whileOpen());
  document.addEventListener("drop", drop, whileOpen());
}
async function readInto(areas, file) {
  try {
    if (file.size > LARGEST) throw new Error("This file is larger than 20 MB. Simplify the areas and try again.");
    areas.addAll(polygonsOf(await file.text()));
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}

// tools/link.js
/* The view in the page's address, so that a link opens what somebody saw. Whoever wrote the link is not trusted: numbers and a few
   known words are read, anything else is nothing. */
/** What a link asks for; each part may be missing. */
var NUMBER = "-?\\d{1,3}(?:\\.\\d{1,6})?";
var VIEW = new RegExp(`^(${NUMBER}),(${NUMBER}),(\\d{1,2}(?:\\.\\d{1,2})?)$`);
var PLACE = new RegExp(`^(${NUMBER}),(${NUMBER})$`);
var LIMIT = /^\d{1,12}(?:\.\d{1,12})?(?:e-\d{1,2})?$/;
var [LONGEST, MOST_AREAS2, MOST_CORNERS] = [4e3, 20, 200];
/** What a page's address asks for; null where it is not one of ours. */
function askedBy(hash) {
  if (!hash.startsWith("#at=") || hash.length > LONGEST) return null;
  const parts = new Map(
    hash.slice(1).split("&").map((part) => pairOf(part))
  );
  const asked = {};
  const view = VIEW.exec(parts.get("at") ?? "");
  if (!view) return null;
  const [latitude, longitude, zoom] = view.slice(1).map(Number);
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  asked.view = [[latitude, longitude], zoom];
  const show2 = /^(places|cells)\.([a-z]{3,8})$/.exec(parts.get("show") ?? "");
  if (show2) asked.show = [show2[1], show2[2]];
  for (const name of ["index", "layer"]) {
    if (/^\d{1,4}$/.test(parts.get(name) ?? "")) asked[name] = Number(parts.get(name));
  }
  const limit = LIMIT.exec(parts.get("than") ?? "");
  if (limit) asked.limit = Number(limit[0]);
  const drawn = areasIn(parts.get("areas") ?? "");
  if (drawn.length) asked.drawn = drawn;
  return asked;
}
function pairOf(part) {
  const at = part.indexOf("=");
  return at < 0 ? ["", ""] : [part.slice(0, at), part.slice(at + 1)];
}
/** Areas that were drawn; none if any of them is not as this page writes it. */
function areasIn(text) {
  const areas = text.split("!").map((area) => area.split("~").map(ringIn));
  const sound = areas.length <= MOST_AREAS2 && areas.every((rings) => rings.every((ring) => ring !== null));
  return sound ? areas.map((rings, i) => ({ name: `Drawn area ${i + 1}`, rings })) : [];
}
function ringIn(text) {
  const places = text.split(";").map((place) => PLACE.exec(place)?.slice(1).map(Number));
  const sound = places.length >= 3 && places.length <= MOST_CORNERS;
  const inside = places.every((place) => place && Math.abs(place[0]) <= 180 && Math.abs(place[1]) <= 90);
  return sound && inside ? places : null;
}
/** The address of what is shown; areas are left out where it would be too long. */
function hashOf({ view: [centre, zoom], show: show2, index, limit, layer, drawn }) {
  const at = [...centre.map((value) => short(value, 5)), short(zoom, 2)].join(",");
  const plain3 = `#at=${at}&show=${show2.join(".")}&index=${index}&layer=${layer}`;
  const than = limit > 0 ? `&than=${Number(limit.toPrecision(9))}` : "";
  const areas = drawn.map(({ rings }) => rings.map((ring) => ring.map(pair).join(";")).join("~")).join("!");
  const whole = `${plain3}${than}&areas=${areas}`;
  return areas && whole.length <= LONGEST && drawn.length <= MOST_AREAS2 ? whole : `${plain3}${than}`;
}
var pair = (place) => place.map((value) => short(value, 6)).join(",");
var short = (value, digits) => String(Number(value.toFixed(digits)));

// tools/pointing.js
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
    const { lines: lines2, outline } = this.tell(cell);
    const made = lines2.map(
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

// tools/printing.js
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

// tools/tables.js
/* The map's numbers for those who read rather than look. */
var MOST_ROWS = 50;
/** The table of strongest cells, and that of hot spots. */
function tables(map, known, pointing) {
  const goTo = (some, first) => showCells(map, known, pointing, some, first);
  element("interval-head").textContent = `${percent(known.facts.level)} interval`;
  element("strongest-table").hidden = true;
  if (known.places) strongestPlaces(known, known.places, goTo);
  else strongestCells(known, goTo);
  hotSpots(known, goTo);
}
/** The strongest places, whose intervals hold as chosen. */
function strongestPlaces(known, places, goTo) {
  const { facts } = known;
  const { low, high, estimate, sizes, told } = places;
  const ranked = Array.from(sizes.keys()).filter(
    (place) => told[place] && low[place] > 0 && !places.nearlyEmpty(place)
  );
  ranked.sort((a, b) => low[b] / sizes[b] - low[a] / sizes[a] || estimate[b] / sizes[b] - estimate[a] / sizes[a]);
  const shown = ranked.slice(0, MOST_ROWS);
  element("strongest-title").textContent = "Strongest places as a table";
  element("strongest-caption").textContent = facts.units;
  element("strongest-what").textContent = "Place";
  element("strongest-note").textContent = ranked.length ? `The ${counted(shown.length, "place")} with the highest lower ends, of ${many(ranked.length)} that surely hold something. The intervals were rehearsed for places that are chosen like this. Choose one to see it on the map.` : "No place surely holds something. That does not mean that there is nothing.";
  for (const place of shown) {
    const numbers = [estimate[place], low[place], high[place]].map(
      (total) => total / sizes[place] * facts.unit.square_km
    );
    const members = places.membersOf(place);
    const name = nameOfPlace(known, places, place);
    const several = members.length > 1;
    const words = several ? `${name} (${counted(members.length, "cell")})` : name;
    const go = () => goTo(members, middleOf2(known, places, place));
    addStrongest(tableRow(words, numbers, go, several ? "" : codeOf(facts, members[0])));
  }
}
/** The strongest cells, where there are no places. */
function strongestCells(known, goTo) {
  const { facts, reading } = known;
  const ranked = [];
  for (let cell = 0; cell < facts.cells; cell++) if (reading.sure[cell]) ranked.push(cell);
  ranked.sort((a, b) => reading.low(b) - reading.low(a) || reading.estimate(b) - reading.estimate(a));
  const shown = ranked.slice(0, MOST_ROWS);
  element("strongest-note").textContent = ranked.length ? `The ${counted(shown.length, "cell")} with the highest lower ends, of ${many(ranked.length)} that surely hold something. Each interval holds for its cell by itself, and less often for the few that look strongest. Choose one to see it on the map.` : "No cell surely holds something. That does not mean that there is nothing.";
  for (const cell of shown) {
    const numbers = [reading.estimate(cell), reading.low(cell), reading.high(cell)];
    const go = () => goTo([cell], cell);
    addStrongest(tableRow(cellName(known, cell), numbers, go, codeOf(facts, cell)));
  }
}
function hotSpots(known, goTo) {
  const { facts, hot } = known;
  element("hot").hidden = !facts.hot;
  if (!facts.hot) return;
  element("hot-interval").textContent = `${percent(facts.hot.level)} interval`;
  element("hot-note").textContent = hot.members.length ? "Cells denser than their surroundings, joined where they touch. These intervals hold although the areas were chosen by looking at the map, and are wider for that." : "No cell is shown to be denser than its surroundings. That does not mean that there is no dense place.";
  element("hot-table").hidden = !hot.members.length;
  hot.members.slice(0, MOST_ROWS).forEach((members, cluster) => {
    element("hot-rows").append(tableRow(hotName(known, cluster), hot.totals[cluster], () => goTo(members, members[0])));
  });
}
function addStrongest(row) {
  element("strongest-table").hidden = false;
  element("strongest-rows").append(row);
}
/** A row: a button that shows something on the map, with a cell's code to be copied below it, an estimate, an interval. */
function tableRow(name, [estimate, low, high], goThere, code) {
  const made = make("tr");
  const head = make("th");
  head.scope = "row";
  const link = make("button", name);
  link.type = "button";
  link.addEventListener("click", goThere);
  head.append(link, ...code ? [make("span", code, "dp-code")] : []);
  made.append(head, make("td", numberText(estimate)), make("td", range(low, high)));
  return made;
}
/** Shows cells in the middle of the map, with the words for the first. */
function showCells(map, { cells }, pointing, some, first) {
  const places = cells.outlineOf(some).flat();
  const centre = cells.centre(first);
  const bounds = L.latLngBounds(places.length ? places.map(([x, y]) => L.latLng(y, x)) : [L.latLng(centre)]);
  const zoom = Math.max(map.getZoom(), Math.min(16, map.getBoundsZoom(bounds.pad(some.length > 1 ? 2 : 8))));
  map.setView(bounds.getCenter(), zoom, { animate: false });
  pointing.show(first, map.latLngToContainerPoint(centre));
}

// open.js
/* The page of one layer, and the way from one layer to another. */
/** What stays when the page turns to another layer. */
/** The page that is open, once its cells are drawn. */
var opened = null;
/** The page as it was before anything was written on it. */
var blank = null;
var openedPage = () => opened;
/** Fills the page from its facts and returns the Leaflet map at once; the cells follow as soon as they are unpacked. */
function open(name, layer, before) {
  const asked = before ?? askedBy(location.hash) ?? {};
  const { first = 0, axes = [] } = factsOf(name, 0);
  const count = axes.reduce((product, { names }) => product * names.length, 1);
  const wanted = layer ?? asked.layer ?? first;
  return openLayer(name, wanted < count ? wanted : first, asked);
}
function openLayer(name, layer, before) {
  const facts = factsOf(name, layer);
  blank ??= find(".dp-page", HTMLElement).cloneNode(true);
  if (facts.axes) {
    switches(facts.axes, layer, (next, control) => changeTo(name, next, control));
  }
  writeWords(facts);
  const map = emptyMap(name, facts);
  if (facts.tiles) addTiles(map, facts.tiles);
  whenFilled(fillPage(map, facts, before), (page) => {
    opened = page;
    keepInAddress(name, layer, page);
  });
  return map;
}
function writeWords(facts) {
  element("title").textContent = facts.title;
  element("subtitle").textContent = `${facts.noun}, capped; ${percent(facts.level)} intervals throughout`;
  element("provenance").textContent = facts.provenance;
  element("capped").textContent = facts.capped;
  for (const [term, words] of facts.about) element("facts").append(make("dt", term), make("dd", words));
}
/** Cells, layers and tools. */
async function fillPage(map, facts, { view, drawn = [], show: show2, index, limit }) {
  await inflateAll({ ...facts, context: null });
  const regions = regionsOf(facts);
  const cells = await cellsOf(facts);
  const reading = readingOf(facts, regions);
  const [places, hot] = [placesOf2(facts, reading), hotSpotsOf(facts)];
  const known = { facts, cells, regions, reading, places, hot };
  limitZoom(map, facts, reading.areaOf);
  if (view) map.setView(...view, { animate: false });
  const layer = new CellLayer(facts, cells).addTo(map);
  const shown = new Shown(known, layer);
  if (show2) shown.choose(show2, index, limit);
  const pointing = new Pointing(map, cells, (cell) => shown.told(cell));
  const areas = new Areas(map, known);
  document.documentElement.classList.toggle("dp-is-local", facts.local);
  for (const zone of drawn) areas.add(zone);
  new Drawing(map, areas, pointing);
  typing(areas);
  files(areas);
  tables(map, known, pointing);
  placeSearch(map, facts, cells, (at) => pointing.point(at, map.latLngToContainerPoint(at)));
  printing(map, facts, shown);
  downloads(known, { map, layer, shown, areas, facts });
  return { ...known, map, layer, pointing, areas, shown };
}
/** Keeps what is shown in the page's address, and follows an address that is put there. */
function keepInAddress(name, layer, page) {
  const { map, shown, areas, pointing } = page;
  let waiting = 0;
  const write3 = () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => {
      try {
        if (opened === page) history.replaceState(null, "", hashOf({ ...stateOf(page), layer }));
      } catch {
        /* a page within another has no address of its own */
      }
    }, 200);
  };
  map.on("moveend", write3);
  shown.onShow = () => {
    pointing.refresh();
    write3();
  };
  areas.onChange = write3;
  const follow = () => {
    const asked = askedBy(location.hash);
    if (asked) changeTo(name, asked.layer ?? layer, "", asked);
  };
  window.addEventListener("hashchange", follow, whileOpen());
}
/** What is shown now. */
function stateOf({ map, shown, areas }) {
  const { lat, lng } = map.getCenter();
  const index = Number(shown.slider.value);
  return {
    view: [[lat, lng], map.getZoom()],
    show: [shown.by, shown.current],
    index,
    limit: shown.limit.density,
    layer: 0,
    drawn: [...areas.drawn]
  };
}
/** The same page for another layer: the view stays, what is shown of it, and the areas that were drawn; or all as asked. */
function changeTo(name, layer, control, asked) {
  if (!opened || !blank) return;
  const before = asked ?? stateOf(opened);
  const { map } = opened;
  endLife();
  opened = null;
  map.remove();
  delete document.documentElement.dataset.ready;
  find(".dp-page", HTMLElement).replaceWith(blank.cloneNode(true));
  open(name, layer, before);
  document.getElementById(control)?.focus();
}

// main.js
/* The page's scripts, from the modules of dpmap/render/scripts: `make page` put them together. */
/** The one name that the page has for others: `open` is for its own last line. The rest is for tests, which hold what stands
   here against the library: `page`, all that is open (its facts, cells, reading, areas, map), `law`, that of the
   noise, the outlines of places, the polygons that rings
   make, and the text of a table. */
var dpmap = {
  open,
  get page() {
    return openedPage();
  },
  law: { pValue, sumQuantile },
  outlineOf,
  polygonsIn,
  csvOf
};
Object.assign(globalThis, { dpmap });
})();
