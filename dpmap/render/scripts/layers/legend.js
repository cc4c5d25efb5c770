// @ts-check
/* The legend beside the map. */

/** @import { Palette, Tint } from "../types.d.ts" */

import { element, make } from "../elements.js";

/**
 * Rows of [number of the palette or null, words], the colour before the words.
 *
 * @param {[number | null, string][]} rows
 * @param {Palette} palette
 */
export function writeLegend(rows, palette) {
  const made = rows.map(([index, words]) => {
    const row = make("li", "", index === null ? "dp-units" : "");
    if (index !== null) row.append(swatch(palette[index]));
    row.append(make("span", words));
    return row;
  });
  element("legend").replaceChildren(...made);
}

/** @param {Tint} tint */
function swatch({ fill, hatch }) {
  const made = make("span", "", "dp-swatch");
  made.setAttribute("aria-hidden", "true");
  made.style.background = hatch ? `repeating-linear-gradient(135deg, ${fill} 0 3px, ${hatch} 3px 4px)` : fill;
  return made;
}
