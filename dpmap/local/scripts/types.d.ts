/* The question, as dpmap/local/device.py writes it (without what is for whoever adds the reports up). */

/** Where a cell's number is found: on a lattice, or by name. */
export interface Question {
  title: string;
  text: string;
  /** 32 hexadecimal digits. */
  round: string;
  /** Such as 2, 0.5 or 1/3. */
  epsilon: string;
  mechanism: Mechanism;
  cells: number;
  places: Lattice | Names;
}
export type Mechanism = "oue" | "grr";
/** What a report follows from. */
export type Asked = Pick<Question, "round" | "epsilon" | "mechanism" | "cells">;

/** The way from longitude and latitude to a row and column: exact at (lattice + 1)^2 places of a box. */
export interface Lattice {
  lattice: number;
  /** West, south, east, north, in degrees. */
  box: [number, number, number, number];
  columns: number[];
  rows: number[];
  shape: [rows: number, columns: number];
  /** One bit for each place of the shape, in row order: whether it is a cell. */
  inside: string;
  /** How large a cell is, in words. */
  cell: string;
  names?: undefined;
}
export interface Names {
  names: string[];
}

/** What remembers the report. */
export type Kept = Pick<Storage, "getItem" | "setItem">;
/** Takes what was chosen: a cell's number, or elsewhere (null), or nothing (undefined); and says it in words. */
export type Choose = (cell: number | null | undefined, words: string) => void;

/** The elements of page.html that have a name. */
export interface Parts {
  question: HTMLScriptElement;
  title: HTMLElement;
  text: HTMLElement;
  ask: HTMLElement;
  squares: HTMLElement;
  map: HTMLCanvasElement;
  scale: HTMLElement;
  lat: HTMLInputElement;
  lon: HTMLInputElement;
  find: HTMLButtonElement;
  here: HTMLButtonElement;
  names: HTMLElement;
  name: HTMLSelectElement;
  elsewhere: HTMLButtonElement;
  chosen: HTMLElement;
  make: HTMLButtonElement;
  done: HTMLElement;
  line: HTMLTextAreaElement;
  copy: HTMLButtonElement;
  save: HTMLButtonElement;
  kept: HTMLElement;
  chances: HTMLElement;
  promise: HTMLElement;
}
