// @ts-check
/* Listeners on what outlives a layer's page (the window, the document) end with it. */

let life = new AbortController();

/** For `addEventListener`. */
export const whileOpen = () => ({ signal: life.signal });

/** All such listeners go; new ones may come. */
export function endLife() {
  life.abort();
  life = new AbortController();
}
