// @ts-check
/* The page's scripts, from the modules of dpmap/render/scripts: `make page` put them together. */

import { outlineOf } from "./cells/regions.js";
import { polygonsIn } from "./cells/outline.js";
import { pValue } from "./law/noise.js";
import { sumQuantile } from "./law/sums.js";
import { open, openedPage } from "./open.js";
import { csvOf } from "./tools/tabular.js";

/**
 * The one name that the page has for others: `open` is for its own last line. The rest is for tests, which hold what stands
 * here against the library: `page`, all that is open (its facts, cells, reading, areas, map), `law`, that of the
 * noise, the outlines of places, the polygons that rings
 * make, and the text of a table.
 */
const dpmap = {
  open,
  get page() {
    return openedPage();
  },
  law: { pValue, sumQuantile },
  outlineOf,
  polygonsIn,
  csvOf,
};

Object.assign(globalThis, { dpmap });
