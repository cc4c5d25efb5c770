// @ts-check
/* The scripts of a comparison's page, from the modules of dpmap/render/scripts: `make page` put them together. */

import { open, openedPage } from "./open.js";

/** The one name that the page has for others: `open` is for its own last line, `page` for tests. */
const dpmap = {
  open,
  get page() {
    return openedPage();
  },
};

Object.assign(globalThis, { dpmap });
