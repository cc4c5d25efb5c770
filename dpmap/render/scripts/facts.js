// @ts-check
/* What the page carries, in script elements that are never run. */

/** @import { Facts } from "./types.d.ts" */

/**
 * What is true of one layer: what all have in common, and what is its own.
 *
 * @param {string} name of the map
 * @param {number} layer
 * @returns {Facts}
 */
export function factsOf(name, layer) {
  return { ...readJson(`${name}_facts`), ...readJson(`${name}_layer_${layer}`) };
}

/** @param {string} id */
const readJson = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");
