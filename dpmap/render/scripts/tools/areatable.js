// @ts-check
/* Many project areas as a table that is sorted and searched; those that surely hold something come first. */

/** @import { Facts, Total } from "../types.d.ts" */

import { element, find, input, make } from "../elements.js";
import { counted, foldName, numberText, percent, range } from "../words.js";

/** So many areas make a table; fewer are a list. */
const MANY = 6;

/** @typedef {{ name: string, total: Total, isTold: boolean, bounds: L.LatLngBounds }} Area */

/** The table beside the list of areas, of which one is seen at a time. */
export class AreaTable {
  /**
   * @param {L.Map} map
   * @param {Facts} facts
   * @param {HTMLElement} list
   */
  constructor(map, facts, list) {
    this.map = map;
    this.list = list;
    this.box = element("many");
    this.rows = element("many-rows");
    /** @type {{ area: Area, row: HTMLElement }[]} */
    this.areas = [];
    /** @type {"name" | "estimate"} */
    this.by = "estimate";
    this.isDown = true;
    element("many-interval").textContent = `${percent(facts.level)} interval`;
    const field = input("find-area");
    field.addEventListener("input", () => this.filter(field.value));
    for (const by of /** @type {("name" | "estimate")[]} */ (["name", "estimate"])) {
      const head = find(`#dp-many [data-sort=${by}]`, HTMLButtonElement);
      head.addEventListener("click", () => {
        this.isDown = this.by === by ? !this.isDown : by === "estimate";
        this.by = by;
        this.sort();
      });
    }
  }

  clear() {
    this.areas.length = 0;
    this.rows.replaceChildren();
    this.arrange();
  }

  /** @param {Area} area */
  add(area) {
    const { total, isTold } = area;
    const row = make("tr", "", isTold ? "" : "dp-untold");
    const head = make("th");
    head.scope = "row";
    const link = make("button", area.name);
    link.type = "button";
    link.addEventListener("click", () => this.map.fitBounds(area.bounds, { padding: [40, 40], animate: false }));
    head.append(link);
    const { found } = total;
    row.append(
      head,
      make("td", found ? numberText(found.estimate) : "not told"),
      make("td", found ? range(found.low, found.high) : total.note || ""),
    );
    this.areas.push({ area, row });
    this.arrange();
  }

  arrange() {
    const isMany = this.areas.length >= MANY;
    this.box.hidden = !isMany;
    this.list.hidden = isMany;
    if (!isMany) return;
    const certain = this.areas.filter(({ area }) => area.isTold).length;
    const all = this.areas.length;
    const others = certain < all ? "; of the grey ones it is not known" : "";
    element("many-said").textContent = `${certain} of ${counted(all, "area")} surely hold something${others}.`;
    this.sort();
  }

  sort() {
    /** @type {(area: Area) => number} */
    const amount = ({ total, isTold }) => (isTold ? 1e15 : 0) + (total.found ? total.found.estimate : -1);
    const order = [...this.areas].sort(({ area: one }, { area: other }) => {
      const by = this.by === "name" ? one.name.localeCompare(other.name) : amount(one) - amount(other);
      return this.isDown ? -by : by;
    });
    this.rows.append(...order.map(({ row }) => row));
    for (const head of this.box.querySelectorAll("th[scope=col]")) {
      const button = head.querySelector("button");
      if (button?.dataset.sort === this.by) head.setAttribute("aria-sort", this.isDown ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }

  /** @param {string} typed */
  filter(typed) {
    for (const { area, row } of this.areas) row.hidden = !foldName(area.name).includes(foldName(typed));
  }
}
