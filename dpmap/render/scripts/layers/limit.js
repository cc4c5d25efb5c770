// @ts-check
/* The field for the density that places are held against. */

/** @import { Facts } from "../types.d.ts" */

import { element, input } from "../elements.js";

/** What is typed; `onChange` is called whenever that is another number, or none. */
export class Limit {
  /** @param {Facts} facts */
  constructor({ noun, unit }) {
    this.unit = unit.square_km;
    this.field = input("limit");
    this.onChange = () => {};
    element("limit-label").textContent = `More or less than how many ${noun} per ${unit.words}?`;
    this.field.addEventListener("input", () => {
      element("limit-problem").textContent = "";
      this.onChange();
    });
    this.field.addEventListener("change", () => this.check());
  }

  /** The density in the measure of the places' sizes; none where no number above 0 is typed. */
  get density() {
    const text = this.field.value.trim();
    const typed = text ? Number(text) : NaN;
    return typed > 0 && typed < Infinity ? typed / this.unit : NaN;
  }

  /** @param {number} density */
  set density(density) {
    this.field.value = density > 0 ? String(Number((density * this.unit).toPrecision(9))) : "";
  }

  check() {
    const wrong = this.field.value.trim() !== "" && Number.isNaN(this.density);
    element("limit-problem").textContent = wrong ? "A number above 0, like 5 or 0.5." : "";
  }

  /**
   * Shows the field, and says what came of the number.
   *
   * @param {boolean} offered
   * @param {string} words empty where there is no number
   */
  tell(offered, words) {
    element("compare").hidden = !offered;
    element("limit-hint").hidden = words !== "";
    const answer = element("limit-answer");
    if (answer.textContent !== words) answer.textContent = words;
  }
}
