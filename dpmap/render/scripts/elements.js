// @ts-check
/* Elements of the page. Text is only ever set as text, never as markup. */

/**
 * The first element that a selector finds, which must be there and of this kind.
 *
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 */
export function find(selector, kind) {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`);
  return found;
}

/**
 * An element by the name after `dp-`.
 *
 * @param {string} name
 */
export const element = (name) => find(`#dp-${name}`, HTMLElement);

/** @param {string} name */
export const button = (name) => find(`#dp-${name}`, HTMLButtonElement);

/** @param {string} name */
export const input = (name) => find(`#dp-${name}`, HTMLInputElement);

/** @param {string} name */
export const details = (name) => find(`#dp-${name}`, HTMLDetailsElement);

/**
 * A new element holding text.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {string} [text]
 * @param {string} [className]
 */
export function make(tag, text = "", className = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/**
 * A colour of the style sheet, as it is now (light, dark or print).
 *
 * @param {string} name
 */
export const inkOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
