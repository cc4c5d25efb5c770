/* What the page carries, as dpmap/render/page_data.py and ground.py write it, and what the modules hand to each other. */

/** A typed array as little-endian base64, deflated where that is shorter (see arrays.js); `bytes` are what it inflates to, once it is. */
export interface Packed<T extends keyof Arrays> {
  type: T;
  data: string;
  deflated?: number;
  bytes?: Uint8Array<ArrayBuffer>;
}
export interface Arrays {
  uint8: Uint8Array<ArrayBuffer>;
  int32: Int32Array<ArrayBuffer>;
  float32: Float32Array<ArrayBuffer>;
  float64: Float64Array<ArrayBuffer>;
}
/** One bit a cell, the first in the highest place of the first byte. */
export type Bits = Packed<"uint8">;
export type Floats = Packed<"float32" | "float64">;

/** The facts of a release: everything the page is told. Cells are numbered in row order, those outside the area left out. */
export interface Facts {
  title: string;
  noun: string;
  units: string;
  provenance: string;
  about: [term: string, words: string][];
  /** Whether colours show totals per square kilometre, else per cell. */
  per_km2: boolean;
  /** What densities are read in: so many square kilometres (or cells), and the words for it. */
  unit: { square_km: number; words: string };
  /** What "capped" means, in one line. */
  capped: string;
  /** The confidence of every interval. */
  level: number;
  /** The share of false ones that is expected among cells that are chosen together. */
  rate: number;
  /** Whether devices randomised the answers. */
  local: boolean;
  cells: number;
  geometry: Geometry;
  /** Outlines of areas that were measured as one. */
  blocks: Outlines | null;
  /** Square kilometres of each cell, or one number for all. */
  area: Packed<"float32">;
  /** The smallest places of which the colour can be told; null where the area is not parted. */
  patches: PatchFacts | null;
  reading: NoiseFacts | RegionFacts | LadderFacts;
  zones: MeasuredZones | MergedZones | ReportZones;
  /** Cells that stand out from noise. */
  sure: Bits;
  /** Of the classes of colours, one more than there are colours. */
  edges: number[];
  colours: string[];
  dark_colours: string[];
  labels: string[];
  /** The top class where something lies above it. */
  more: string;
  confidence_colours: string[];
  dark_confidence_colours: string[];
  /** Cells that were measured by themselves; null where all were. */
  alone: Bits | null;
  hot: HotFacts | null;
  context: Context;
  tiles: Tiles | null;
  /** What the page turns through, where the release has more than one layer. */
  axes?: Axis[];
  /** The layer that tells most. */
  first?: number;
}
/** What the cells of a map are drawn over, and how many they are. */
export type Ground = Pick<Facts, "cells" | "context" | "tiles">;
/** What a map is about and where it lies. */
export type Setting = Pick<Facts, "title" | "context" | "geometry" | "tiles">;
/** Places by their numbers, told ones first, the densest at the top; totals in points. */
export interface PatchFacts {
  place: Packed<"int32">;
  /** Those of areas, whose neighbours may not share whole sides; other cells' are found. */
  outlines: Outlines | null;
  told: Bits;
  estimate: Packed<"float64">;
  low: Packed<"float64">;
  high: Packed<"float64">;
  /** The density (in the colours' own measure) below which land is nearly empty. */
  nearly_empty: number;
}
export interface Tiles {
  url: string;
  host: string;
}
export interface Axis {
  column: string;
  names: string[];
  times: boolean;
}

/** Where the cells are: a `lattice` of squares, `rings` of areas and of few hexagons, an `image` of many. */
export interface Geometry {
  kind: string;
  /** Whether cells are few enough to be drawn one by one. */
  few: boolean;
  bounds: [southWest: [number, number], northEast: [number, number]];
  rings?: Rings;
  lattice?: LatticeFacts;
  image?: ImageFacts;
  names?: string[];
  /** Hexagons' names as one text. */
  ids?: Packed<"uint8">;
  /** Squares' codes in an official grid. */
  codes?: CodeFacts;
  /** Areas in their own projection. */
  plane?: (MeshFacts & { rings: Rings }) | null;
}
/** A code of `width` marks for each cell, all first marks together, then all second ones; 0 after the end of a shorter one. */
export interface CodeFacts {
  column: string;
  title: string;
  width: number;
  marks: Packed<"uint8">;
  /** The marks, once they are unpacked. */
  all?: Uint8Array;
}
/** Vertices in whole steps from a corner, which of them each ring has (null: the next ones), how many, and the cell of each ring. */
export interface Rings {
  corner: [number, number];
  step: number;
  points: Packed<"int32" | "float64">;
  at: Packed<"int32"> | null;
  lengths: Packed<"int32">;
  cells: Packed<"int32">;
}
/** Outlines of groups of several cells, by the groups' numbers. */
export type Outlines = Rings & { groups: Packed<"int32"> };
/** [column, row] at `nodes` x `nodes` places of a box in degrees, from its north-west corner. */
export interface MeshFacts {
  box: Box;
  nodes: number;
  mesh: Packed<"float64">;
  /** The share of a cell below which a zone does not reach it. */
  tolerance: number;
}
export interface LatticeFacts extends MeshFacts {
  rows: number;
  columns: number;
  /** West, north, and a cell's width and height in the metres of the map's own CRS; null where that is degrees. */
  frame?: [number, number, number, number] | null;
  /** Places of the lattice that are cells; null where all are. */
  inside: Bits | null;
}
/** Cell numbers from 1 (0 is outside), each less the one before in its row, deflated. */
export interface ImageFacts {
  width: number;
  height: number;
  box: Box;
  numbers: { type: string; data: string };
}
/** Land, borders and waters around the cells, as lines of [longitude, latitude]; towns, the most important first. */
export interface Context {
  box: Box;
  /** A cell's side in kilometres: what distances and coordinates are rounded to. */
  side: number;
  towns?: Town[];
  /** Counties, provinces and states, each by a point of it that the map shows. */
  regions?: Town[];
  /** Whether cells are finer than the coast is drawn. */
  coarse?: boolean;
  own?: OwnLayer[];
  land?: Ring[];
  lakes?: Ring[];
  borders?: Ring[];
  rivers?: Ring[];
}

export type Town = [name: string, longitude: number, latitude: number];
/** A layer that the maker of the page gave; `areas` are rings. */
export interface OwnLayer {
  title: string;
  areas: Ring[];
  lines: Ring[];
  points: Place[];
  names: Town[];
}
/** A name in world coordinates, beside a dot or on the middle of what it names. */
export interface Named {
  words: string;
  at: Place;
  dot: boolean;
}

export type NoiseKind = "laplace" | "gaussian";
/** Every cell was measured by itself: all follows from its noisy value and the law of the noise. */
export interface NoiseFacts {
  law: NoiseKind;
  noisy: Floats;
  lowered: number | null;
  lattice: number;
  scale: number;
  /** Half-widths of the one-sided and the two-sided interval. */
  one: number;
  two: number;
  thresholds: number[];
}
/** Some cells were measured in blocks: the blocks' values stand in `zones`. */
export interface RegionFacts {
  law: "regions";
  estimate: Floats;
  one: number;
  two: number;
  thresholds: number[];
}
/** Any other reading: its own numbers, written out. */
export interface LadderFacts {
  law: "ladder";
  estimate: Floats;
  low: Floats;
  high: Floats;
  thresholds: number[];
  rungs: { p: Packed<"uint8">; exceeds: Bits }[];
}

/** The last measurement; without `labels` and `noisy` it is that of the cells themselves. */
export interface MeasuredZones {
  kind: NoiseKind;
  regions: number;
  scale: number;
  lattice: number;
  noisy: Floats | null;
  labels: Packed<"int32"> | null;
  believed: Believed | null;
}
/** What is believed of all land: how many deviations down intervals reach, how much further up, and each release's smallest regions. */
export interface Believed {
  wide: number;
  upwards: number;
  parts: BelievedPart[];
}
export interface BelievedPart {
  /** Null where regions are those of the release's last measurement. */
  labels: Packed<"int32"> | null;
  mean: Packed<"float32">;
  /** The variance of each by itself, before what is around it is known. */
  spread: Packed<"float32">;
  /** The place among `above` of the region around each, or -1; null where there are none. */
  parent: Packed<"int32"> | null;
  /** Larger regions, outer ones first: the variance of each, that of all within it together, and the one around it. */
  above: { spread: Packed<"float32">; wide: Packed<"float32">; parent: Packed<"int32"> };
  /** How unevenly points lie within a region. */
  uneven: number;
  /** The part of their errors that all regions share, where one mean is taken for all. */
  common: number;
}
export interface MergedZones {
  regions: number;
  lattice: number;
  labels: Packed<"int32">;
  partners: { scale: number; noisy: Floats; labels: Packed<"int32"> }[];
  believed: Believed | null;
}
export interface ReportZones {
  kind: "reports";
  regions: number;
  noisy: null;
  labels: null;
  believed: null;
  count: number;
  mechanism: "oue" | "grr";
  support: Packed<"float64">;
  truth: number;
  other: number;
}
/** Cells and clusters above their surroundings, with [estimate, low, high] of each cluster. */
export interface HotFacts {
  cells: Packed<"int32">;
  clusters: Packed<"int32">;
  tested: Bits;
  totals: [number, number, number][];
  level: number;
}

/** [x, y]: longitude and latitude, or another plane's. */
export type Place = [x: number, y: number];
export type Ring = Place[];
/** West, south, east, north. */
export type Box = [number, number, number, number];
/** [ax, ay, bx, by]: from a to b. */
export type Edge = [number, number, number, number];

/** How a cell is shown; `quiet` ones have no outline around their group, `even` ones no lines between cells either. */
export interface Tint {
  fill: string;
  hatch?: string;
  quiet?: boolean;
  even?: boolean;
}
/** A tint for each number that `tints` may hold. */
export type Palette = Tint[];

/** How world coordinates fall on the canvas. */
export interface View {
  context: CanvasRenderingContext2D;
  ratio: number;
  /** In CSS pixels of the whole world. */
  origin: Place;
  /** In degrees. */
  box: Box;
  x(worldX: number): number;
  y(worldY: number): number;
  worldX(pixel: number): number;
  worldY(pixel: number): number;
  /** The width of so many degrees of longitude. */
  pixels(degrees: number): number;
  separator: string;
  ink: string;
}

/** The cells a zone holds wholly, those it cuts, and which share of each of these. */
export interface Covered {
  within: number[];
  cut: number[];
  shares: number[];
}
/** Where the cells are, in whichever form they came. World coordinates run from 0 to 1, y to the south. */
export interface Cells {
  /** The cell at a place, or -1. */
  cellAt(longitude: number, latitude: number): number;
  /** Draws every cell in its tint, and the outlines of those that belong together, step by step. */
  fill(view: View, tints: Uint8Array, palette: Palette, groups: Groups): Generator<void>;
  /** Rings of [longitude, latitude] around cells, the inside on their left. */
  outlineOf(members: ArrayLike<number>): Ring[];
  centre(cell: number): [latitude: number, longitude: number];
  /** [longitude, latitude] of a fractional column and row, where cells are squares of a lattice. */
  lonLat?(column: number, row: number): Place;
  cover(zone: Ring[]): Covered;
}
/** Cells that belong together: which group each is in, how many cells that has, and which ones. */
export interface Groups {
  count: number;
  /** Whether any group has several cells. */
  some: boolean;
  /** Whether all cells of a group are shown alike, so that it is drawn as one. */
  alike?: boolean;
  of(cell: number): number;
  sizeOf(cell: number): number;
  membersOf(group: number): Int32Array;
  /** Rings of [longitude, latitude] around a group, where they were told. */
  outlines: Map<number, Ring[]>;
}
/** The regions of the last measurement. */
export interface Regions extends Groups {
  labels: Int32Array | null;
  sizes: Int32Array;
}
/** The smallest places of which the colour can be told, by their numbers; totals in points. */
export interface Places extends Groups {
  told: Uint8Array;
  estimate: Float64Array;
  low: Float64Array;
  high: Float64Array;
  squareKm: Float64Array;
  /** What a total is divided by for its colour: square kilometres, or cells. */
  sizes: Float64Array;
  /** Whether it is told that a place holds next to nothing. */
  nearlyEmpty(place: number): boolean;
}
/** Each cell's estimate, interval and confidence, by cell number; `index` is that of a threshold. */
export interface Reading {
  count: number;
  sure: Uint8Array;
  thresholds: number[];
  areaOf(cell: number): number;
  noisy: Float32Array | Float64Array | null;
  estimate(cell: number): number;
  low(cell: number): number;
  high(cell: number): number;
  confidence(index: number): (cell: number) => number;
  exceeding(index: number): (cell: number) => boolean;
  /** What intervals are by the one belief; null where the release has none. */
  believed: BelievedLand | null;
}
export type OwnReading = Omit<Reading, "count" | "sure" | "thresholds" | "areaOf" | "believed">;
/** Bounds of a zone whose cells add up to `total`, and of single cells. */
export interface BelievedLand {
  zone(covered: Covered, total: number): Bounds;
  low(cell: number): number;
  high(cell: number): number;
}
export interface HotSpots {
  tested: Uint8Array;
  totals: [number, number, number][];
  members: number[][];
  clusterOf: Map<number, number>;
}
/** All that the page knows of a layer, unpacked. */
export interface Known {
  facts: Facts;
  cells: Cells;
  regions: Regions;
  /** Null where the area is not parted. */
  places: Places | null;
  reading: Reading;
  hot: HotSpots;
}

export interface Bounds {
  low: number;
  high: number;
}
/** What is told of a project area; numbers only where it meets a cell. */
export interface Total {
  within: number;
  cut: number;
  km2: number;
  /** Which share of its ground the map covers. */
  inMap: number;
  note: string;
  found?: Bounds & { estimate: number; least: number; most: number; perKm2: number };
}
export interface Zone {
  name: string;
  rings: Ring[];
}

/** What the reader has set: whether noise is greyed out, which threshold, and the density that places are held against. */
export interface Settings {
  mask: boolean;
  index: number;
  /** In the measure of the places' sizes; NaN where there is none. */
  limit: number;
}
/** A way to look at the map. Legend rows are [number of the palette or null, words]. */
export interface Layer {
  title: string;
  /** What is shown, where that hangs on more than the layer. */
  heading?(settings: Settings): string;
  /** The cells that are shown as one. */
  groups: Groups;
  tints(settings: Settings): Uint8Array;
  palette(): Palette;
  legend(settings: Settings): { rows: [number | null, string][]; note: string };
}

/** The facts of a comparison: two maps, and what changed from one to the other. */
export interface ChangesFacts extends Setting {
  counted: string;
  /** What rows are called: cells, regions, zones. */
  called: string;
  noun: string;
  level: number;
  provenance: string;
  capped: string;
  words: string[];
  /** Null where both maps have the same cells. */
  before_geometry: Geometry | null;
  before: SideFacts;
  after: SideFacts;
  /** Of the colours of both maps. */
  classes: { units: string; labels: string[]; colours: string[]; dark_colours: string[] };
  change: ChangeFacts;
  table: { left: number; rows: TableRow[] };
}
/** One map: the place of each cell, and the class of each place; after the colours come not told, and nearly empty. */
export interface SideFacts {
  title: string;
  place: Packed<"int32">;
  classes: Packed<"uint8">;
  outlines: Outlines | null;
  empty: boolean;
  unsure: boolean;
}
/** The row of each cell, or zones that are cells of their own; after the colours come not told, not compared, and the colours of clusters. */
export interface ChangeFacts {
  row: Packed<"int32">;
  classes: Packed<"uint8">;
  told: Bits;
  before: Packed<"float64">;
  after: Packed<"float64">;
  change: Packed<"float64">;
  low: Packed<"float64">;
  high: Packed<"float64">;
  names: string[] | null;
  zones: Geometry | null;
  heading: string;
  labels: string[];
  colours: string[];
  dark_colours: string[];
  untold: string;
  /** What a hatched colour means; null where there is none. */
  /** The number in the palette of land that is told by its cluster alone, and the words for it. */
  whole: [number, string] | null;
  apart: boolean;
  outlined: OutlinedFacts[];
}
/** A told change with its outline; the largest have their words on the map. */
export interface OutlinedFacts {
  rings: Ring[];
  change: string;
  interval: string;
  named: boolean;
}
export interface TableRow {
  name: string;
  box: Box;
  numbers: [before: string, after: string, change: string];
  interval: string;
  finding: string;
}
