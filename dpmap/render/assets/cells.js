"use strict";
/* Where the cells are. Three forms with one set of verbs: polygons (areas, and up to 5,000 others), a lattice
   (squares of any number), an image of cell numbers (many hexagons). World coordinates run from 0 to 1, y to the south.

     cellAt(longitude, latitude)    the cell at a place, or -1
     fill(view, tints, palette)     draws every cell in its tint
     outline(cell)                  rings of world coordinates
     centre(cell)                   [latitude, longitude]
     cover(rings)                   the cells a zone holds wholly, those it cuts, and which share of each of these */

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

  const boxOf = ([ax, ay, bx, by]) => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];

  /** The edges [ax, ay, bx, by] of rings. */
  function edges(rings) {
    return rings.flatMap((ring) => ring.map((a, i) => [...a, ...ring[(i + 1) % ring.length]]))
      .filter(([ax, ay, bx, by]) => ax !== bx || ay !== by);
  }

  /** Whether a place lies inside what edges enclose, by the even-odd rule. */
  function encloses(all, x, y) {
    let inside = false;
    for (const [ax, ay, bx, by] of all) if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    return inside;
  }

  /** Where two edges cross at an inner point of both, as a share of the first; null where they do not. */
  function crossing([ax, ay, bx, by], [cx, cy, dx, dy]) {
    const side = (x, y, fromX, fromY, toX, toY) => (toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX);
    const [s, t] = [side(cx, cy, ax, ay, bx, by), side(dx, dy, ax, ay, bx, by)];
    const [u, v] = [side(ax, ay, cx, cy, dx, dy), side(bx, by, cx, cy, dx, dy)];
    return s * t < 0 && u * v < 0 ? u / (u - v) : null;
  }

  /** For each edge, in order, where others cross it. */
  function crossings(all) {
    const cuts = all.map(() => []);
    const boxes = all.map(boxOf);
    const order = all.map((_, i) => i).sort((i, j) => boxes[i][0] - boxes[j][0]);
    order.forEach((i, at) => {
      for (let next = at + 1; next < order.length && boxes[order[next]][0] <= boxes[i][2]; next++) {
        const j = order[next];
        const place = apart(boxes[i], boxes[j]) ? null : crossing(all[i], all[j]);
        if (place === null) continue;
        cuts[i].push(place);
        cuts[j].push(crossing(all[j], all[i]));
      }
    });
    return cuts;
  }

  /** Places a little to the left and to the right of an edge's middle. */
  function beside([ax, ay, bx, by], step) {
    const length = Math.hypot(bx - ax, by - ay);
    const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
    return [step, -step].map((by1) => [x - (by1 * (by - ay)) / length, y + (by1 * (bx - ax)) / length]);
  }

  const turned = ([ax, ay, bx, by]) => [bx, by, ax, ay];

  /** Rings as edges with the inside, by the even-odd rule, on their left; parts of them that cross are cut apart. */
  function oriented(rings) {
    const [west, south, east, north] = box(rings);
    const step = 1e-7 * Math.max(east - west, north - south);
    const all = edges(rings);
    const cuts = crossings(all);
    if (cuts.every((places) => !places.length)) return rings.flatMap((_, i) => orientedRing(rings, i, step));
    const pieces = all.flatMap(([ax, ay, bx, by], i) => {
      const ends = [0, ...cuts[i].sort((a, b) => a - b), 1].map((t) => [ax + (bx - ax) * t, ay + (by - ay) * t]);
      return ends.slice(1).map((end, k) => [...ends[k], ...end]);
    });
    return pieces.flatMap((piece) => {
      const [left, right] = beside(piece, step).map(([x, y]) => holds(rings, x, y));
      return left === right ? [] : [left ? piece : turned(piece)];
    });
  }

  /** One ring among others that it does not cross: a hole where it lies in an odd number of them. */
  function orientedRing(rings, at, step) {
    const own = edges([rings[at]]);
    if (!own.length) return [];
    const [left, right] = beside(own[0], step);
    const onLeft = encloses(own, ...left);
    const [x, y] = onLeft ? left : right;
    const depth = rings.filter((ring, i) => i !== at && holds([ring], x, y)).length;
    return (depth % 2 === 0) === onLeft ? own : own.map(turned);
  }

  /** The area that two shapes share, by their oriented edges: what lies under an edge of one and under an edge of the
      other, added up with the sign of both directions. */
  function shared(one, other) {
    const base = one.reduce((low, [, ay, , by]) => Math.min(low, ay, by), Infinity);
    let total = 0;
    for (const [ax, ay, bx, by] of one) {
      for (const [cx, cy, dx, dy] of other) {
        const left = Math.max(Math.min(ax, bx), Math.min(cx, dx));
        const right = Math.min(Math.max(ax, bx), Math.max(cx, dx));
        if (left >= right) continue;
        const f = (x) => ay + ((by - ay) * (x - ax)) / (bx - ax) - base;
        const g = (x) => cy + ((dy - cy) * (x - cx)) / (dx - cx) - base;
        const mean = meanUnder(f(left), f(right), g(left), g(right));
        total += (ax > bx) === (cx > dx) ? mean * (right - left) : -mean * (right - left);
      }
    }
    return total;
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

  /** Which share of each square of a lattice oriented edges enclose, to `tell(row, column, share)`, outer squares left out.

      Each piece of an edge that lies in one square adds its height to every square east of it in that row, and the ground
      to its east to its own: the signed sums are the shares, exactly, holes and all. */
  function coverage(all, columns, rows, tell) {
    const bounds = all.map(boxOf);
    const reach = (k, limit, pick, round) =>
      Math.max(0, Math.min(limit, round(bounds.reduce((found, one) => pick(found, one[k]), k < 2 ? Infinity : -Infinity))));
    const [left, top] = [reach(0, columns, Math.min, Math.floor), reach(1, rows, Math.min, Math.floor)];
    const wide = Math.max(0, reach(2, columns, Math.max, Math.ceil) - left);
    const high = Math.max(0, reach(3, rows, Math.max, Math.ceil) - top);
    const own = new Float64Array(wide * high);
    const east = new Float64Array(wide * high);
    for (const [ax, ay, bx, by] of all) addEdge(ax - left, ay - top, bx - left, by - top, wide, high, own, east);
    for (let row = 0; row < high; row++) {
      for (let column = 0, before = 0; column < wide; column++) {
        const at = row * wide + column;
        tell(row + top, column + left, own[at] + before);
        before += east[at];
      }
    }
  }

  function addEdge(ax, ay, bx, by, wide, high, own, east) {
    const stops = [0, 1];
    for (const [from, to, last] of [[ax, bx, wide], [ay, by, high]]) {
      const [low, top] = [Math.max(0, Math.floor(Math.min(from, to)) + 1), Math.min(last, Math.ceil(Math.max(from, to)) - 1)];
      for (let line = low; line <= top; line++) stops.push((line - from) / (to - from));
    }
    stops.sort((a, b) => a - b);
    for (let k = 1; k < stops.length; k++) {
      const [startY, endY] = [ay + stops[k - 1] * (by - ay), ay + stops[k] * (by - ay)];
      const middle = Math.max(0, ax + ((stops[k - 1] + stops[k]) / 2) * (bx - ax));
      const row = Math.floor((startY + endY) / 2);
      if (row < 0 || row >= high || middle >= wide) continue;
      const at = row * wide + Math.floor(middle);
      own[at] += (endY - startY) * (1 - (middle - Math.floor(middle)));
      east[at] += endY - startY;
    }
  }

  return { holds, box, boxOf, apart, edges, encloses, oriented, shared, coverage };
})();

/** Cells by number, sorted by the share of each that a zone covers. */
dpmap.covered = (cells, shareOf, slack) => {
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
};

/** The way from longitude and latitude to another plane: a mesh of exact places to interpolate between, by cubics
    where a zone or a pointer is placed, and straight where pixels are. Two nodes a side mean that it is straight. */
dpmap.mesh = ({ box, nodes, mesh }) => {
  const [west, south, east, north] = box;
  const values = dpmap.arrays.decode(mesh);
  const steps = nodes - 1;

  const weights = (t) => [
    (-(t - 1) * (t - 2) * (t - 3)) / 6, (t * (t - 2) * (t - 3)) / 2, (-t * (t - 1) * (t - 3)) / 2, (t * (t - 1) * (t - 2)) / 6,
  ];

  /** [column, row] as fractions. */
  function place(longitude, latitude) {
    const across = ((longitude - west) / (east - west)) * steps;
    const down = ((north - latitude) / (north - south)) * steps;
    const order = Math.min(3, steps);
    const first = (at) => Math.max(0, Math.min(steps - order, Math.floor(at) - (order >> 1)));
    const [i, j] = [first(across), first(down)];
    const weigh = order === 1 ? (t) => [1 - t, t] : weights;
    const [u, v] = [weigh(across - i), weigh(down - j)];
    const found = [0, 0];
    v.forEach((b, row) => u.forEach((a, column) => {
      const at = 2 * ((j + row) * nodes + i + column);
      found[0] += a * b * values[at];
      found[1] += a * b * values[at + 1];
    }));
    return found;
  }

  /** An edge in degrees as edges of the plane, none longer than `longest` degrees; beyond the mesh it runs along its rim,
      where no cell is. */
  function follow([ax, ay, bx, by], longest) {
    if (steps === 1) return [[...place(ax, ay), ...place(bx, by)]];
    const parts = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / longest));
    const stops = Array.from({ length: parts + 1 }, (_, k) => k / parts);
    for (const [from, to, sides] of [[ax, bx, [west, east]], [ay, by, [south, north]]]) {
      for (const side of sides) if ((from - side) * (to - side) < 0) stops.push((side - from) / (to - from));
    }
    const kept = (value, low, high) => Math.max(low, Math.min(high, value));
    const places = stops.sort((a, b) => a - b).map((t) =>
      place(kept(ax + (bx - ax) * t, west, east), kept(ay + (by - ay) * t, south, north)));
    return places.slice(1).map((end, k) => [...places[k], ...end]);
  }

  /** A zone's oriented edges in the plane: straight between vertices 1/200 of its span apart, as the library has them. */
  function edgesOf(rings) {
    const [left, bottom, right, top] = dpmap.plane.box(rings);
    const longest = Math.max(right - left, top - bottom) / 200;
    return dpmap.plane.oriented(rings).flatMap((edge) => follow(edge, longest));
  }

  return { box, nodes, steps, values, place, edgesOf };
};

/** Cells as polygons; blocks that were measured as one have their outline instead of lines between their cells. */
dpmap.polygons = (geometry, count, regions) => {
  const { world, plane } = dpmap;
  const degrees = ringsOf(geometry.rings);
  const boxes = degrees.map(plane.box);
  const onWorld = degrees.map((rings) => rings.map((ring) => ring.map(([x, y]) => [world.x(x), world.y(y)])));
  const blocks = geometry.blocks && ringsOf(geometry.blocks).map((rings) => rings.map((ring) => ring.map(([x, y]) => [world.x(x), world.y(y)])));
  const firstOf = blocks && dpmap.arrays.decode(geometry.blocks.first);
  const mesh = geometry.plane && dpmap.mesh(geometry.plane);
  const onPlane = mesh ? ringsOf(geometry.plane.rings) : degrees;
  const planeBoxes = mesh ? onPlane.map(plane.box) : boxes;

  /** Each cell's rings, outer ones anticlockwise and inner ones clockwise. */
  function ringsOf(packed) {
    const { corner: [west, south], step } = packed;
    const [points, lengths, owners] = ["points", "lengths", "cells"].map((name) => dpmap.arrays.decode(packed[name]));
    const found = Array.from({ length: 1 + owners.reduce((most, owner) => Math.max(most, owner), -1) }, () => []);
    let at = 0;
    lengths.forEach((length, ring) => {
      const places = [];
      for (let i = 0; i < length; i++, at++) places.push([west + step * points[2 * at], south + step * points[2 * at + 1]]);
      found[owners[ring]].push(places);
    });
    return found;
  }

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
      view.context.strokeStyle = roomy && regions.sizeOf(cell) === 1 ? view.separator : tint.fill;
      view.context.stroke();
    }
    view.context.strokeStyle = view.ink;
    view.context.lineWidth = 0.9;
    (blocks || []).forEach((rings, i) => {
      const tint = palette[tints[firstOf[i]]];
      if (!tint || tint.quiet) return;
      trace(view, rings);
      view.context.stroke();
    });
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

  function cover(zone) {
    const edges = mesh ? mesh.edgesOf(zone) : plane.oriented(zone);
    const bounds = edges.map(plane.boxOf);
    const all = bounds.reduce(([w, s, e, n], [a, b, c, d]) => [Math.min(w, a), Math.min(s, b), Math.max(e, c), Math.max(n, d)],
      [Infinity, Infinity, -Infinity, -Infinity]);
    const reached = planeBoxes.flatMap((box, cell) => (plane.apart(box, all) ? [] : [cell]));
    return dpmap.covered(reached, (cell) => {
      const own = planeBoxes[cell];
      const column = edges.filter((_, i) => bounds[i][0] < own[2] && bounds[i][2] > own[0]);
      if (!bounds.some((box) => !plane.apart(box, own))) return plane.encloses(edges, ...onPlane[cell][0][0]) ? 1 : 0;
      const cellEdges = plane.edges(onPlane[cell]);
      const twice = cellEdges.reduce((total, [ax, ay, bx, by]) => total + ax * by - bx * ay, 0);
      return Math.abs(plane.shared(cellEdges, column) / (twice / 2));
    }, 1e-7);
  }

  return { cellAt, fill, outline: (cell) => onWorld[cell], centre, cover };
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

/** Draws, pixel by pixel, whatever cell `locate` names there: the nearest cell, warped for this very view. Blocks that
    were measured as one, where they are large enough on the screen, are outlined. */
dpmap.fillPixels = (view, tints, palette, rowLocator, regions, cellWidth) => {
  const { width, height } = view.context.canvas;
  const picture = new ImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  const fills = palette.map((tint) => (tint ? dpmap.packed(tint.fill) : 0));
  const lines = palette.map((tint) => (tint ? dpmap.packed(tint.hatch || tint.fill) : 0));
  const spacing = Math.round(6 * view.ratio);
  const [left, top] = view.origin.map((value) => Math.round(value * view.ratio));
  const least = (12 / view.pixels(cellWidth)) ** 2;
  const ink = dpmap.packed(view.ink);
  const loud = palette.map((tint) => tint && !tint.quiet);
  const blockOf = (cell) => (cell >= 0 && loud[tints[cell]] && regions.sizeOf(cell) >= Math.max(2, least) ? regions.of(cell) : -1);
  let above = new Int32Array(width).fill(-1);
  for (let row = 0; row < height; row++) {
    const locate = rowLocator(view.worldY(row + 0.5));
    if (!locate) continue;
    let before = -1;
    for (let column = 0; column < width; column++) {
      const cell = locate(view.worldX(column + 0.5));
      const block = regions.some ? blockOf(cell) : -1;
      const edge = block !== before || block !== above[column];
      before = above[column] = block;
      if (edge) pixels[row * width + column] = ink;
      if (edge || cell < 0) continue;
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
dpmap.lattice = (plain, regions) => {
  const { world, plane } = dpmap;
  const { rows, columns, tolerance } = plain;
  const { box, nodes, steps: meshes, values: mesh, place, edgesOf } = dpmap.mesh(plain);
  const [west, south, east, north] = box;
  const numbers = cellNumbers();
  const places = numbers && placesOf(numbers);

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
    }, regions, (east - west) / columns);
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

  function cover(zone) {
    const cells = [];
    const shares = new Map();
    plane.coverage(edgesOf(zone), columns, rows, (row, column, share) => {
      const cell = number(row, column);
      if (cell < 0 || share <= tolerance) return;
      cells.push(cell);
      shares.set(cell, share);
    });
    return dpmap.covered(cells, (cell) => shares.get(cell), tolerance);
  }

  return { cellAt, fill, outline, centre, cover, rowColumn };
};

/** Cells read off an image of their numbers in Web Mercator. */
dpmap.image = async (plain, count, regions) => {
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
  const toColumn = (x) => ((x - west) / (east - west)) * width;
  const toRow = (y) => ((y - top) / (bottom - top)) * height;
  const columnOf = (x) => Math.floor(toColumn(x));
  const rowOf = (y) => Math.floor(toRow(y));

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
    }, regions, (360 * (east - west)) / Math.sqrt(count));
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

  /** Shares are those of a cell's pixels; a cell is within the zone where all of them are and no edge comes near it. */
  function cover(zone) {
    const rings = zone.map((ring) => ring.map(([x, y]) => [world.x(x), world.y(y)]));
    const edges = plane.oriented(zone).map(([ax, ay, bx, by]) =>
      [[ax, ay], [bx, by]].flatMap(([x, y]) => [toColumn(world.x(x)), toRow(world.y(y))]));
    const held = new Map();
    plane.coverage(edges, width, height, (row, column, share) => {
      const cell = share > 0 ? numberAt(row, column) : -1;
      if (cell >= 0) held.set(cell, (held.get(cell) || 0) + share);
    });
    const crossed = new Set();
    for (const edge of plane.edges(rings)) markEdge(edge, crossed);
    const whole = sizes();
    const least = 1e-9;
    return dpmap.covered(new Set([...held.keys(), ...crossed]), (cell) => {
      const share = (held.get(cell) || 0) / whole[cell];
      return crossed.has(cell) ? Math.max(2 * least, Math.min(1 - 2 * least, share)) : share;
    }, least);
  }

  /** Cells that an edge runs through are cut, however narrow the zone is there; so are those a pixel beside it, since a
      pixel belongs wholly to one cell of the several it may touch. */
  function markEdge([ax, ay, bx, by], crossed) {
    const pixels = Math.max((Math.abs(bx - ax) / (east - west)) * width, (Math.abs(by - ay) / (bottom - top)) * height);
    const steps = Math.ceil(2 * pixels) || 1;
    for (let i = 0; i <= steps; i++) {
      const [row, column] = [rowOf(ay + ((by - ay) * i) / steps), columnOf(ax + ((bx - ax) * i) / steps)];
      for (let near = 0; near < 9; near++) {
        const cell = numberAt(row + Math.floor(near / 3) - 1, column + (near % 3) - 1);
        if (cell >= 0) crossed.add(cell);
      }
    }
  }

  function sizes() {
    const found = new Int32Array(count);
    for (const number of numbers) if (number) found[number - 1] += 1;
    return found;
  }

  return { cellAt, fill, outline, centre, cover };
};

/** How many cells each of so many regions has; -1 is none. */
dpmap.sizesOf = (labels, regions) => {
  const sizes = new Int32Array(regions);
  for (const region of labels || []) if (region >= 0) sizes[region] += 1;
  return sizes;
};

/** Which region of the last measurement each cell is in, and how many cells that has. */
dpmap.regions = (facts) => {
  const labels = dpmap.arrays.decode(facts.zones.labels);
  const sizes = dpmap.sizesOf(labels, facts.zones.regions);
  return {
    labels,
    sizes,
    some: facts.alone !== null,
    of: (cell) => (labels ? labels[cell] : cell),
    sizeOf: (cell) => (labels ? sizes[labels[cell]] : 1),
  };
};

/** Cells in whichever form they came. Squares answer through their lattice even when drawn as polygons. */
dpmap.cells = async (facts, regions) => {
  const { geometry, cells: count } = facts;
  if (geometry.image) return dpmap.image(geometry.image, count, regions);
  const lattice = geometry.lattice && dpmap.lattice(geometry.lattice, regions);
  const shapes = geometry.rings && dpmap.polygons(geometry, count, regions);
  if (!lattice) return shapes;
  return shapes ? { ...lattice, fill: shapes.fill, outline: shapes.outline } : lattice;
};
