// @ts-check
/* What every page says once it is filled, or could not be. */

import { element } from "./elements.js";

/**
 * Hands the filled page on and marks the document as ready; a failure is told on the page.
 *
 * @template Page
 * @param {Promise<Page>} filling
 * @param {(page: Page) => void} done
 */
export function whenFilled(filling, done) {
  filling.then(
    (page) => {
      done(page);
      document.documentElement.dataset.ready = "yes";
    },
    (error) => {
      element("problem").textContent = `This browser cannot show the cells: ${error.message}`;
      throw error;
    },
  );
}
