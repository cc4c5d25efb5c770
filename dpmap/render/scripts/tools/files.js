// @ts-check
/* GeoJSON files, dropped anywhere or opened. They are read in the page and go nowhere. */

/** @import { Areas } from "./areas.js" */

import { button, find, input } from "../elements.js";
import { whileOpen } from "../life.js";
import { polygonsOf } from "../zones/geojson.js";
import { complain } from "./areas.js";

const LARGEST = 20e6;

/**
 * Lets the reader hand files in.
 *
 * @param {Areas} areas
 */
export function files(areas) {
  const chooser = input("file");
  const root = find(".dp-page", HTMLElement);
  /** @param {FileList | null | undefined} some */
  const take = (some) => {
    for (const file of some ?? []) readInto(areas, file);
  };
  button("open").addEventListener("click", () => chooser.click());
  chooser.addEventListener("change", () => {
    take(chooser.files);
    chooser.value = "";
  });
  /** @type {(event: DragEvent) => void} */
  const over = (event) => {
    event.preventDefault();
    root.classList.add("dp-dropping");
  };
  /** @type {(event: DragEvent) => void} */
  const drop = (event) => {
    event.preventDefault();
    root.classList.remove("dp-dropping");
    take(event.dataTransfer?.files);
  };
  /** @type {(event: DragEvent) => void} */
  const leave = (event) => event.relatedTarget || root.classList.remove("dp-dropping");
  document.addEventListener("dragover", over, whileOpen());
  document.addEventListener("dragleave", leave, whileOpen());
  document.addEventListener("drop", drop, whileOpen());
}

/**
 * @param {Areas} areas
 * @param {File} file
 */
async function readInto(areas, file) {
  try {
    if (file.size > LARGEST) throw new Error("This file is larger than 20 MB. Simplify the areas and try again.");
    areas.addAll(polygonsOf(await file.text()));
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
  }
}
