// @ts-check
/* Places written as coordinates in degrees or as references of the British, the Irish and the military grid. */

/** @import { Place } from "../types.d.ts" */

/**
 * A transverse Mercator projection: half axes, origin, scale, false origin, and the shift of its datum to WGS 84 (metres, seconds of arc,
 * parts in a million), which is right to some metres.
 *
 * @typedef {{ a: number, b: number, lat: number, lon: number, scale: number, x: number, y: number, shift: number[] }} Projection
 */

const WGS84 = { a: 6378137, b: 6356752.314245 };
/** @type {Projection} */
const BRITISH = {
  ...{ a: 6377563.396, b: 6356256.909, lat: 49, lon: -2, scale: 0.9996012717, x: 400_000, y: -100_000 },
  shift: [446.448, -125.157, 542.06, 0.1502, 0.247, 0.8421, -20.4894],
};
/** @type {Projection} */
const IRISH = {
  ...{ a: 6377340.189, b: 6356034.447, lat: 53.5, lon: -8, scale: 1.000035, x: 200_000, y: 250_000 },
  shift: [482.53, -130.596, 564.557, -1.042, -0.214, -0.631, 8.15],
};
const SQUARES = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const TETRADS = "ABCDEFGHIJKLMNPQRSTUVWXYZ";
const BANDS = "CDEFGHJKLMNPQRSTUVWX";
const COLUMNS = ["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"];
const ROWS = "ABCDEFGHJKLMNPQRSTUV";
const METRES_A_DEGREE = 110_500;

/**
 * The middle of what a grid reference names (`SU12`, `SU 12 34`, `SU12A`, `O 15 34`, `30U WB 92 85`), as [longitude, latitude]; null where the
 * text is none.
 *
 * @param {string} text
 * @returns {Place | null}
 */
export function referencePlace(text) {
  const code = text.replace(/\s+/g, "").toUpperCase();
  const british = /^([HNOST])([A-HJ-Z])(\d*)([A-NP-Z]?)$/.exec(code);
  if (british) {
    const [first, second] = [SQUARES.indexOf(british[1]), SQUARES.indexOf(british[2])];
    const east = (((first - 2) % 5) * 5 + (second % 5)) * 1e5;
    const north = (19 - Math.floor(first / 5) * 5 - Math.floor(second / 5)) * 1e5;
    return squareIn(BRITISH, east, north, british[3], british[4]);
  }
  const irish = /^([A-HJ-Z])(\d+)([A-NP-Z]?)$/.exec(code);
  if (irish) {
    const at = SQUARES.indexOf(irish[1]);
    return squareIn(IRISH, (at % 5) * 1e5, (4 - Math.floor(at / 5)) * 1e5, irish[2], irish[3]);
  }
  const military = /^(\d{1,2})([C-HJ-NP-X])([A-HJ-NP-Z])([A-HJ-NP-V])(\d*)$/.exec(code);
  return military && militarySquare(Number(military[1]), military[2], military[3], military[4], military[5]);
}

/**
 * @param {number} zone
 * @param {string} band
 * @param {string} column
 * @param {string} row
 * @param {string} digits
 */
function militarySquare(zone, band, column, row, digits) {
  const across = COLUMNS[zone % 3].indexOf(column);
  if (zone < 1 || zone > 60 || across < 0) return null;
  const south = BANDS.indexOf(band) * 8 - 80;
  const y = south < 0 ? 10_000_000 : 0;
  const least = south * METRES_A_DEGREE + y - 1e5;
  let north = ((ROWS.indexOf(row) + (zone % 2 ? 0 : 15)) % 20) * 1e5;
  while (north < least) north += 2e6;
  const projection = { ...WGS84, lat: 0, lon: zone * 6 - 183, scale: 0.9996, x: 500_000, y, shift: [] };
  return squareIn(projection, (across + 1) * 1e5, north, digits, "");
}

/**
 * The middle of a square of 100 km, or of the smaller one in it that digits and the letter of a tetrad name.
 *
 * @param {Projection} projection
 * @param {number} east
 * @param {number} north
 * @param {string} digits
 * @param {string} tetrad
 * @returns {Place | null}
 */
function squareIn(projection, east, north, digits, tetrad) {
  const half = digits.length / 2;
  if (half % 1 || half > 5 || (tetrad && half !== 1)) return null;
  const side = 10 ** (5 - half);
  const [x, y] = [digits.slice(0, half), digits.slice(half)].map((some) => Number(some) * side);
  const at = TETRADS.indexOf(tetrad);
  const [right, up] = tetrad ? [Math.floor(at / 5) * 2000 + 1000, (at % 5) * 2000 + 1000] : [side / 2, side / 2];
  return inDegrees(projection, east + x + right, north + y + up);
}

/**
 * Longitude and latitude on WGS 84 of eastings and northings, by Krüger's series.
 *
 * @param {Projection} projection
 * @param {number} east
 * @param {number} north
 * @returns {Place}
 */
function inDegrees({ a, b, lat, lon, scale, x, y, shift }, east, north) {
  const n = (a - b) / (a + b);
  const unit = (scale * a * (1 + n ** 2 / 4 + n ** 4 / 64)) / (1 + n);
  const origin = rectifying(radians(lat), n);
  const [up, across] = [(north - y) / unit + origin, (east - x) / unit];
  const terms = [n / 2 - (2 * n ** 2) / 3 + (37 * n ** 3) / 96, n ** 2 / 48 + n ** 3 / 15, (17 * n ** 3) / 480];
  let [xi, eta] = [up, across];
  terms.forEach((term, i) => {
    xi -= term * Math.sin(2 * (i + 1) * up) * Math.cosh(2 * (i + 1) * across);
    eta -= term * Math.cos(2 * (i + 1) * up) * Math.sinh(2 * (i + 1) * across);
  });
  const conformal = Math.asin(Math.sin(xi) / Math.cosh(eta));
  const turns = [2 * n - (2 * n ** 2) / 3 - 2 * n ** 3, (7 * n ** 2) / 3 - (8 * n ** 3) / 5, (56 * n ** 3) / 15];
  const latitude = turns.reduce((sum, turn, i) => sum + turn * Math.sin(2 * (i + 1) * conformal), conformal);
  const longitude = radians(lon) + Math.atan2(Math.sinh(eta), Math.cos(xi));
  return shift.length ? onWgs84(a, b, longitude, latitude, shift) : [degrees(longitude), degrees(latitude)];
}

/**
 * The rectifying latitude: how far along the meridian a latitude lies.
 *
 * @param {number} latitude
 * @param {number} n the third flattening
 */
function rectifying(latitude, n) {
  const terms = [(-3 * n) / 2 + (9 * n ** 3) / 16, (15 * n ** 2) / 16 - (15 * n ** 4) / 32, (-35 * n ** 3) / 48];
  return terms.reduce((sum, term, i) => sum + term * Math.sin(2 * (i + 1) * latitude), latitude);
}

/**
 * The same place on WGS 84, at the height of the ellipsoid.
 *
 * @param {number} a
 * @param {number} b
 * @param {number} longitude
 * @param {number} latitude
 * @param {number[]} shift
 * @returns {Place}
 */
function onWgs84(a, b, longitude, latitude, [dx, dy, dz, rx, ry, rz, parts]) {
  const flat = 1 - (b * b) / (a * a);
  const normal = a / Math.sqrt(1 - flat * Math.sin(latitude) ** 2);
  const [x, y, z] = [
    normal * Math.cos(latitude) * Math.cos(longitude),
    normal * Math.cos(latitude) * Math.sin(longitude),
    normal * (1 - flat) * Math.sin(latitude),
  ];
  const [turnX, turnY, turnZ] = [rx, ry, rz].map((seconds) => radians(seconds / 3600));
  const grown = 1 + parts * 1e-6;
  const [east, north, up] = [
    dx + grown * (x - turnZ * y + turnY * z),
    dy + grown * (turnZ * x + y - turnX * z),
    dz + grown * (-turnY * x + turnX * y + z),
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

const radians = (/** @type {number} */ angle) => (angle * Math.PI) / 180;
const degrees = (/** @type {number} */ angle) => (angle * 180) / Math.PI;

const HALF =
  /^([NSEW])?\s*([-+]?\d+(?:\.\d+)?)\s*°?\s*(?:(\d+(?:\.\d+)?)\s*['′]?\s*)?(?:(\d+(?:\.\d+)?)\s*["″]?\s*)?([NSEW])?$/;

/**
 * The two numbers of coordinates that are typed, east first: degrees (`51.07, -1.79`, `51° 4′ N 1° 47′ W`), or eastings and northings in metres,
 * which are larger; null where the text is none.
 *
 * @param {string} text
 * @returns {Place | null}
 */
export function typedCoordinates(text) {
  const plain = text.trim().toUpperCase().replace(/−/g, "-").replace(/’/g, "′");
  const halves =
    /^(.+?)\s*[,;]\s*(.+)$/.exec(plain) ??
    /^([NSEW].+?)\s+([NSEW].+)$/.exec(plain) ??
    /^(.*\d.*?[NSEW])\s*(.+)$/.exec(plain) ??
    /^(\S+)\s+(\S+)$/.exec(plain);
  const [first, second] = [halves?.[1], halves?.[2]].map((half) => HALF.exec(half ?? ""));
  if (!first || !second) return null;
  const [one, other] = [first, second].map(([, before, whole, minutes, seconds, after]) => {
    const size = Math.abs(Number(whole)) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
    const letter = before ?? after ?? "";
    return { letter, value: whole.startsWith("-") || letter === "S" || letter === "W" ? -size : size };
  });
  const projected = Math.max(Math.abs(one.value), Math.abs(other.value)) > 180;
  const eastFirst = "EW".includes(one.letter || "?") || (projected && !one.letter);
  return eastFirst ? [one.value, other.value] : [other.value, one.value];
}
