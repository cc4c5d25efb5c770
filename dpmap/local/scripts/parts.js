// @ts-check
/* Elements of the page. */

/** @import { Parts } from "./types.d.ts" */

/**
 * The element of this name.
 *
 * @template {keyof Parts} Name
 * @param {Name} name
 */
export const part = (name) => /** @type {Parts[Name]} */ (document.getElementById(name));

/**
 * @param {keyof Parts} name
 * @param {string} words
 */
export function write(name, words) {
  part(name).textContent = words;
}

/**
 * @param {keyof Parts} name
 * @param {() => void} act
 */
export function onClick(name, act) {
  part(name).addEventListener("click", act);
}
