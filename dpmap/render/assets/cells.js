"use strict";
/* Where the cells are. Three forms with one set of verbs: polygons (areas, and up to 5,000 others), a lattice
   (squares of any number), an image of cell numbers (many hexagons). World coordinates run from 0 to 1, y to the south.

     cellAt(longitude, latitude)    the cell at a place, or -1
     fill(view, tints, palette)     draws every cell in its tint
     outline(cell)                  rings of world coordinates
     centre(cell)                   [latitude, longitude]
     split(rings)                   the cells a zone holds wholly, and those it cuts */

dpmap.world = {
  x: (longitude) => (longitude + 180) / 360,
  y: (latitude) => {
    const sine = Math.sin((Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI) / 180);
    return 0.5 - Math.atanh(sine) / (2 * Math.PI);
  },
  longitude: (x) => x * 360 - 180,
  latitude: (y) => (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI,
};

dpmap.plane = (() => {
  /** Whether a place lies inside rings, by the even-odd rule. */
  function holds(rings, x, y) {
    let inside = false;
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        const [ax, ay] = ring[i];
        const [bx, by] = ring[j];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      }
    }
    return inside;
  }

  function box(rings) {
    const found = [Infinity, Infinity, -Infinity, -Infinity];
    for (const ring of rings) {
      for (const [x, y] of ring) {
        found[0] = Math.min(found[0], x);
        found[1] = Math.min(found[1], y);
        found[2] = Math.max(found[2], x);
        found[3] = Math.max(found[3], y);
      }
    }
    return found;
  }

  const apart = (a, b) => a[0] > b[2] || b[0] > a[2] || a[1] > b[3] || b[1] > a[3];

  function edges(rings) {
    const found = [];
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i++) {
        const a = ring[i];
        const b = ring[(i + 1) % ring.length];
        if (a[0] !== b[0] || a[1] !== b[1]) found.push([a, b]);
      }
    }
    return found;
  }

  const side = (a, b, p) => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);

  /** Whether two segments cross at one inner point of both; touching is not crossing. */
  function cross([a, b], [c, d]) {
    const slack = 1e-9 * Math.hypot(b[0] - a[0], b[1] - a[1]) * Math.hypot(d[0] - c[0], d[1] - c[1]);
    const s = side(a, b, c);
    const t = side(a, b, d);
    const u = side(c, d, a);
    const v = side(c, d, b);
    const apart = (p, q) => (p > slack && q < -slack) || (p < -slack && q > slack);
    return apart(s, t) && apart(u, v);
  }

  /** Places just inside each edge of rings. */
  function innerPlaces(rings) {
    const [west, south, east, north] = box(rings);
    const step = 1e-4 * Math.max(east - west, north - south);
    const found = [];
    for (const [a, b] of edges(rings)) {
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const [mx, my] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
      for (const turn of [step, -step]) {
        const place = [mx - (turn * (b[1] - a[1])) / length, my + (turn * (b[0] - a[0])) / length];
        if (holds(rings, place[0], place[1])) found.push(place);
      }
    }
    return found;
  }

  /** "within", "cut" or "outside": how a cell lies to a zone. Shared edges alone do not cut. */
  function relation(cell, zone) {
    const bounds = box(cell);
    const near = edges(zone).filter((edge) => !apart(box([edge]), bounds));
    const own = edges(cell);
    if (near.some((edge) => own.some((other) => cross(edge, other)))) return "cut";
    const places = innerPlaces(cell);
    const held = places.filter(([x, y]) => holds(zone, x, y)).length;
    if (held > 0 && held < places.length) return "cut";
    const inner = innerPlaces(zone.filter((ring) => !apart(box([ring]), bounds)));
    const buried = inner.some(([x, y]) => holds(cell, x, y)) && near.length > 0;
    if (buried && held === 0) return "cut";
    if (buried && zone.some((ring) => ring.every(([x, y]) => holds(cell, x, y)))) return "cut";
    return held > 0 ? "within" : "outside";
  }

  return { holds, box, apart, relation };
})();

/** Cells as polygons. */
dpmap.polygons = (geometry, count) => {
  const { world, plane } = dpmap;
  const points = dpmap.arrays.decode(geometry.rings.points);
  const lengths = dpmap.arrays.decode(geometry.rings.lengths);
  const owners = dpmap.arrays.decode(geometry.rings.cells);
  const degrees = Array.from({ length: count }, () => []);
  let at = 0;
  lengths.forEach((length, ring) => {
    const places = [];
    for (let i = 0; i < length; i++, at++) places.push([points[2 * at] / 1e7, points[2 * at + 1] / 1e7]);
    degrees[owners[ring]].push(places);
  });
  const boxes = degrees.map(plane.box);
  const onWorld = degrees.map((rings) => rings.map((ring) => ring.map(([x, y]) => [world.x(x), world.y(y)])));

  const usualWidth = boxes.map(([west, , east]) => east - west).sort((a, b) => a - b)[count >> 1];

  function cellAt(x, y) {
    for (let cell = 0; cell < count; cell++) {
      const [west, south, east, north] = boxes[cell];
      if (x >= west && x <= east && y >= south && y <= north && plane.holds(degrees[cell], x, y)) return cell;
    }
    return -1;
  }

  function fill(view, tints, palette) {
    const ink = palette.map((tint) => tint && (tint.hatch ? dpmap.hatch(view.context, tint) : tint.fill));
    view.context.lineWidth = 0.6;
    view.context.lineJoin = "round";
    const roomy = view.pixels(usualWidth) > 11;
    for (let cell = count - 1; cell >= 0; cell--) {
      const tint = palette[tints[cell]];
      if (!tint || plane.apart(boxes[cell], view.box)) continue;
      trace(view, onWorld[cell]);
      view.context.fillStyle = ink[tints[cell]];
      view.context.fill("evenodd");
      view.context.strokeStyle = roomy ? view.separator : tint.fill;
      view.context.stroke();
    }
  }

  function trace(view, rings) {
    view.context.beginPath();
    for (const ring of rings) {
      ring.forEach(([x, y], i) => view.context[i ? "lineTo" : "moveTo"](view.x(x), view.y(y)));
      view.context.closePath();
    }
  }

  function centre(cell) {
    const [west, south, east, north] = boxes[cell];
    return [(south + north) / 2, (west + east) / 2];
  }

  function split(zone) {
    const bounds = plane.box(zone);
    const found = { within: [], cut: [] };
    for (let cell = 0; cell < count; cell++) {
      if (plane.apart(boxes[cell], bounds)) continue;
      const how = plane.relation(degrees[cell], zone);
      if (how !== "outside") found[how].push(cell);
    }
    return found;
  }

  return { cellAt, fill, outline: (cell) => onWorld[cell], centre, split };
};

/** A canvas pattern for cells that are named by hatching, not by a colour alone. */
dpmap.hatch = (context, tint) => {
  const tile = document.createElement("canvas");
  const ratio = context.getTransform().a || 1;
  tile.width = tile.height = Math.round(6 * ratio);
  const pen = tile.getContext("2d");
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
};

/** Draws, pixel by pixel, whatever cell `locate` names there: the nearest cell, warped for this very view. */
dpmap.fillPixels = (view, tints, palette, rowLocator) => {
  const { width, height } = view.context.canvas;
  const picture = new ImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  const fills = palette.map((tint) => (tint ? dpmap.packed(tint.fill) : 0));
  const lines = palette.map((tint) => (tint ? dpmap.packed(tint.hatch || tint.fill) : 0));
  const spacing = Math.round(6 * view.ratio);
  const [left, top] = view.origin.map((value) => Math.round(value * view.ratio));
  for (let row = 0; row < height; row++) {
    const locate = rowLocator(view.worldY(row + 0.5));
    if (!locate) continue;
    for (let column = 0; column < width; column++) {
      const cell = locate(view.worldX(column + 0.5));
      if (cell < 0) continue;
      const place = (((column + left + row + top) % spacing) + spacing) % spacing;
      pixels[row * width + column] = (place < view.ratio ? lines : fills)[tints[cell]];
    }
  }
  const layer = document.createElement("canvas");
  layer.width = width;
  layer.height = height;
  layer.getContext("2d").putImageData(picture, 0, 0);
  view.context.save();
  view.context.resetTransform();
  view.context.drawImage(layer, 0, 0);
  view.context.restore();
};

/** `#rrggbb` as one opaque little-endian pixel. */
dpmap.packed = (colour) => {
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
};

/** Square cells in rows and columns, found through a mesh of exact places. */
dpmap.lattice = (plain) => {
  const { world, plane } = dpmap;
  const { rows, columns, nodes, tolerance } = plain;
  const [west, south, east, north] = plain.box;
  const mesh = dpmap.arrays.decode(plain.mesh);
  const numbers = cellNumbers();
  const places = numbers && placesOf(numbers);
  const meshes = nodes - 1;

  /** In-area cells are numbered in row order; -1 is outside. Null where every place of the lattice is a cell. */
  function cellNumbers() {
    if (!plain.inside) return null;
    const inside = dpmap.arrays.bits(plain.inside, rows * columns);
    const found = new Int32Array(inside.length);
    let next = 0;
    for (let i = 0; i < inside.length; i++) found[i] = inside[i] ? next++ : -1;
    return found;
  }

  function placesOf(all) {
    const found = [];
    for (let i = 0; i < all.length; i++) if (all[i] >= 0) found.push(i);
    return Int32Array.from(found);
  }

  const number = (row, column) => {
    if (row < 0 || column < 0 || row >= rows || column >= columns) return -1;
    const place = row * columns + column;
    return numbers ? numbers[place] : place;
  };
  const rowColumn = (cell) => {
    const place = places ? places[cell] : cell;
    return [Math.floor(place / columns), place % columns];
  };

  /** [column, row] as fractions; linear beyond the mesh's edge. */
  function place(longitude, latitude) {
    const across = ((longitude - west) / (east - west)) * meshes;
    const down = ((north - latitude) / (north - south)) * meshes;
    const i = Math.max(0, Math.min(meshes - 1, Math.floor(across)));
    const j = Math.max(0, Math.min(meshes - 1, Math.floor(down)));
    return blend(i, j, across - i, down - j);
  }

  function blend(i, j, u, v) {
    const first = 2 * (j * nodes + i);
    const below = first + 2 * nodes;
    const mix = (k) =>
      (mesh[first + k] * (1 - u) + mesh[first + 2 + k] * u) * (1 - v) +
      (mesh[below + k] * (1 - u) + mesh[below + 2 + k] * u) * v;
    return [mix(0), mix(1)];
  }

  function cellAt(longitude, latitude) {
    const [column, row] = place(longitude, latitude);
    return number(Math.floor(row), Math.floor(column));
  }

  /** [longitude, latitude] of a fractional column and row, by Newton's method on `place`. */
  function lonLat(column, row) {
    let [x, y] = [west + ((east - west) * column) / columns, north - ((north - south) * row) / rows];
    const [dx, dy] = [(east - west) / 1e4, (north - south) / 1e4];
    for (let turn = 0; turn < 12; turn++) {
      const [c, r] = place(x, y);
      const [cx, rx] = place(x + dx, y).map((value, k) => (value - [c, r][k]) / dx);
      const [cy, ry] = place(x, y + dy).map((value, k) => (value - [c, r][k]) / dy);
      const determinant = cx * ry - cy * rx;
      x -= ((c - column) * ry - (r - row) * cy) / determinant;
      y -= ((r - row) * cx - (c - column) * rx) / determinant;
    }
    return [x, y];
  }

  function outline(cell) {
    const [row, column] = rowColumn(cell);
    const corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([c, r]) => lonLat(column + c, row + r));
    return [corners.map(([x, y]) => [world.x(x), world.y(y)])];
  }

  function centre(cell) {
    const [row, column] = rowColumn(cell);
    return lonLat(column + 0.5, row + 0.5).reverse();
  }

  function fill(view, tints, palette) {
    dpmap.fillPixels(view, tints, palette, (worldY) => {
      const latitude = world.latitude(worldY);
      if (latitude < south || latitude > north) return null;
      const down = ((north - latitude) / (north - south)) * meshes;
      const j = Math.max(0, Math.min(meshes - 1, Math.floor(down)));
      return (worldX) => cellInRow(world.longitude(worldX), j, down - j);
    });
  }

  /** `cellAt` without its allocations: it runs once for every pixel of the screen. */
  function cellInRow(longitude, j, v) {
    const across = ((longitude - west) / (east - west)) * meshes;
    if (across < 0 || across > meshes) return -1;
    const i = Math.min(meshes - 1, Math.floor(across));
    const u = across - i;
    const a = 2 * (j * nodes + i);
    const b = a + 2 * nodes;
    const column = (mesh[a] * (1 - u) + mesh[a + 2] * u) * (1 - v) + (mesh[b] * (1 - u) + mesh[b + 2] * u) * v;
    const row = (mesh[a + 1] * (1 - u) + mesh[a + 3] * u) * (1 - v) + (mesh[b + 1] * (1 - u) + mesh[b + 3] * u) * v;
    return number(Math.floor(row), Math.floor(column));
  }

  /** A zone's rings in columns and rows, with enough vertices to follow the lattice's curvature. */
  function onLattice(zone) {
    const stride = Math.max(east - west, north - south) / 256;
    return zone.map((ring) => {
      const found = [];
      ring.forEach(([x, y], i) => {
        const [toX, toY] = ring[(i + 1) % ring.length];
        const parts = nodes === 2 ? 1 : Math.min(512, Math.ceil(Math.hypot(toX - x, toY - y) / stride) || 1);
        for (let k = 0; k < parts; k++) found.push(place(x + ((toX - x) * k) / parts, y + ((toY - y) * k) / parts));
      });
      return found;
    });
  }

  function split(zone) {
    const rings = onLattice(zone);
    const cut = cutCells(rings);
    const within = [];
    const [, top, , bottom] = plane.box(rings);
    for (let row = Math.max(0, Math.floor(top)); row <= Math.min(rows - 1, Math.floor(bottom)); row++) {
      for (const [from, to] of spans(rings, row + 0.5)) {
        const first = Math.max(0, Math.ceil(from - 0.5));
        for (let column = first; column + 0.5 < to && column < columns; column++) {
          const cell = number(row, column);
          if (cell >= 0 && !cut.has(cell)) within.push(cell);
        }
      }
    }
    return { within, cut: [...cut] };
  }

  /** The stretches of a horizontal line that lie inside rings. */
  function spans(rings, y) {
    const crossings = [];
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
        const [ax, ay] = ring[i];
        const [bx, by] = ring[j];
        if (ay > y !== by > y) crossings.push(((bx - ax) * (y - ay)) / (by - ay) + ax);
      }
    }
    crossings.sort((a, b) => a - b);
    return crossings.flatMap((x, i) => (i % 2 ? [] : [[x, crossings[i + 1]]]));
  }

  /** Cells whose inside (less the mesh's own error) an edge runs through. */
  function cutCells(rings) {
    const found = new Set();
    for (const ring of rings) {
      for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) cutBy(ring[j], ring[i], found);
    }
    found.delete(-1);
    return found;
  }

  function cutBy([ax, ay], [bx, by], found) {
    const first = Math.max(0, Math.floor(Math.min(ay, by)));
    const last = Math.min(rows - 1, Math.floor(Math.max(ay, by)));
    for (let row = first; row <= last; row++) {
      const ends = clip(ax, ay, bx, by, row + tolerance, row + 1 - tolerance);
      if (!ends) continue;
      const from = Math.max(0, Math.floor(ends[0] - 1 + tolerance) + 1);
      for (let column = from; column < Math.min(columns, ends[1] - tolerance); column++) found.add(number(row, column));
    }
  }

  /** The range of x of the part of a segment strictly between two heights. */
  function clip(ax, ay, bx, by, top, bottom) {
    if (Math.max(ay, by) <= top || Math.min(ay, by) >= bottom) return null;
    const at = (y) => ax + ((bx - ax) * (y - ay)) / (by - ay);
    const ends = [ay, by].map((y, k) => (y < top ? at(top) : y > bottom ? at(bottom) : [ax, bx][k]));
    return [Math.min(...ends), Math.max(...ends)];
  }

  return { cellAt, fill, outline, centre, split, rowColumn };
};

/** Cells read off an image of their numbers in Web Mercator. */
dpmap.image = async (plain, count) => {
  const { world, plane } = dpmap;
  const { width, height } = plain;
  const numbers = await dpmap.arrays.inflateRows(plain.numbers, width);
  const [west, east] = [plain.box[0] + 0.5, plain.box[2] + 0.5];
  const [top, bottom] = [0.5 - plain.box[3], 0.5 - plain.box[1]];
  const boxes = pixelBoxes();

  function pixelBoxes() {
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

  const toX = (column) => west + ((east - west) * column) / width;
  const toY = (row) => top + ((bottom - top) * row) / height;
  const columnOf = (x) => Math.floor(((x - west) / (east - west)) * width);
  const rowOf = (y) => Math.floor(((y - top) / (bottom - top)) * height);

  function numberAt(row, column) {
    return row < 0 || column < 0 || row >= height || column >= width ? -1 : numbers[row * width + column] - 1;
  }

  function cellAt(longitude, latitude) {
    return numberAt(rowOf(world.y(latitude)), columnOf(world.x(longitude)));
  }

  function fill(view, tints, palette) {
    dpmap.fillPixels(view, tints, palette, (y) => {
      const row = rowOf(y);
      return row < 0 || row >= height ? null : (x) => numberAt(row, columnOf(x));
    });
  }

  function outline(cell) {
    const [x, y, right, down] = boxes.subarray(4 * cell, 4 * cell + 4);
    if (x < 0) return [];
    const [l, t, r, b] = [toX(x), toY(y), toX(right + 1), toY(down + 1)];
    return [[[l, t], [r, t], [r, b], [l, b]]];
  }

  function centre(cell) {
    const [x, y, right, down] = boxes.subarray(4 * cell, 4 * cell + 4);
    return [world.latitude(toY((y + down + 1) / 2)), world.longitude(toX((x + right + 1) / 2))];
  }

  /** Cells all of whose pixels are in the zone and that no edge of it runs through are within; others it meets, cut. */
  function split(zone) {
    const rings = zone.map((ring) => ring.map(([x, y]) => [world.x(x), world.y(y)]));
    const [left, up, right, down] = plane.box(rings);
    const states = new Map();
    for (let row = Math.max(0, rowOf(up) - 1); row <= Math.min(height - 1, rowOf(down) + 1); row++) {
      for (let column = Math.max(0, columnOf(left) - 1); column <= Math.min(width - 1, columnOf(right) + 1); column++) {
        const cell = numberAt(row, column);
        if (cell < 0) continue;
        const held = [[0, 0], [1, 0], [0, 1], [1, 1]].filter(([c, r]) =>
          plane.holds(rings, toX(column + c), toY(row + r))).length;
        const state = states.get(cell) || { all: 0, some: false };
        state.all += held === 4 ? 1 : 0;
        state.some = state.some || held > 0;
        states.set(cell, state);
      }
    }
    for (const ring of rings) ring.forEach((end, i) => markEdge(ring[(i || ring.length) - 1], end, states));
    return sorted(states, sizes());
  }

  /** Cells that an edge runs through are cut, however narrow the zone is there; so are those a pixel beside it, since a
      pixel belongs wholly to one cell of the several it may touch. */
  function markEdge([ax, ay], [bx, by], states) {
    const pixels = Math.max((Math.abs(bx - ax) / (east - west)) * width, (Math.abs(by - ay) / (bottom - top)) * height);
    const steps = Math.ceil(2 * pixels) || 1;
    for (let i = 0; i <= steps; i++) {
      const [row, column] = [rowOf(ay + ((by - ay) * i) / steps), columnOf(ax + ((bx - ax) * i) / steps)];
      for (let near = 0; near < 9; near++) {
        const cell = numberAt(row + Math.floor(near / 3) - 1, column + (near % 3) - 1);
        if (cell >= 0) states.set(cell, { all: 0, some: true });
      }
    }
  }

  function sizes() {
    const found = new Int32Array(count);
    for (const number of numbers) if (number) found[number - 1] += 1;
    return found;
  }

  function sorted(states, whole) {
    const found = { within: [], cut: [] };
    for (const [cell, state] of states) {
      if (state.some) found[state.all === whole[cell] ? "within" : "cut"].push(cell);
    }
    return found;
  }

  return { cellAt, fill, outline, centre, split };
};

/** Cells in whichever form they came. Squares answer through their lattice even when drawn as polygons. */
dpmap.cells = async (facts) => {
  const { geometry, cells: count } = facts;
  if (geometry.image) return dpmap.image(geometry.image, count);
  const lattice = geometry.lattice && dpmap.lattice(geometry.lattice);
  const shapes = geometry.rings && dpmap.polygons(geometry, count);
  if (!lattice) return shapes;
  return shapes ? { ...lattice, fill: shapes.fill, outline: shapes.outline } : lattice;
};
