// @ts-check
/* What the report tells of the answer, in words. */

/** @import { Question } from "./types.d.ts" */

import { threshold } from "./device.js";
import { write } from "./parts.js";

/** @param {number} share */
const percent = (share) => `${(100 * share).toPrecision(share < 0.0995 ? 2 : 3).replace(/\.0+$/, "")} %`;

/**
 * Writes the chances of each answer, and the promise.
 *
 * @param {Question} question
 */
export function explain({ mechanism, epsilon, cells }) {
  const named = mechanism === "grr";
  const other = threshold(epsilon, named ? cells : 1) / 2 ** 32;
  write(
    "chances",
    named
      ? `The report names one of ${cells + 1} answers: yours with a chance of ${percent(1 - cells * other)}, each of the others with one of ${percent(other)}.`
      : `The report has a mark or none for each of ${cells + 1} answers: for yours with a chance of 50 %, for each of the others with one of ${percent(other)}.`,
  );
  const [whole, below = 1] = epsilon.split("/").map(Number);
  write(
    "promise",
    `So nobody can be sure from it what you answered: it moves their odds about that by a factor of ${Math.exp(whole / below).toPrecision(3)} ` +
      `at most (epsilon ${epsilon}), whatever else they know.`,
  );
}
