// @ts-check
/* Files of what is shown, made in the page: a table, GeoJSON, a picture, and a link to this view. */

/** @import { Known } from "../types.d.ts" */
/** @import { Seen } from "./picture.js" */

import { button, element } from "../elements.js";
import { many } from "../words.js";
import { complain } from "./areas.js";
import { pictureOf } from "./picture.js";
import { csvOf, geojsonOf, rowsOf } from "./tabular.js";

/** A text of more outlines than this is more than a browser holds. */
const MOST_OUTLINES = 50_000;

/**
 * Lets the reader take the map along.
 *
 * @param {Known} known
 * @param {Seen} seen
 */
export function downloads(known, seen) {
  const { shown } = seen;
  /** @param {string} suffix */
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

/**
 * Hands a file to the reader; nothing is sent anywhere.
 *
 * @param {Blob} blob
 * @param {string} name
 */
function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {string} title */
const fileName = (title) =>
  title
    .normalize("NFKD")
    .replace(/[^\p{Letter}\p{Number}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase() || "map";
