// @ts-check
/* The page's scripts, from the modules of dpmap/render/scripts: `make page` put them together. */

import { pValue } from "./law/noise.js";
import { sumQuantile } from "./law/sums.js";
import { open, openedPage } from "./open.js";

/**
 * The one name that the page has for others: `open` is for its own last line. The rest is for tests, which hold what stands
 * here against the library: `page`, all that is open (its facts, cells, reading, areas, map), and `law`, that of the noise.
 */
const dpmap = {
  open,
  get page() {
    return openedPage();
  },
  law: { pValue, sumQuantile },
};

Object.assign(globalThis, { dpmap });
