// @ts-check
/* The page. All texts of the question are shown as text only. */

/** @import { Choose, Kept, Names, Question } from "./types.d.ts" */

import { explain } from "./chances.js";
import { answered, answerOnce, randomise, report } from "./device.js";
import { onClick, part, write } from "./parts.js";
import { locate } from "./places.js";
import { Squares } from "./squares.js";

/** @type {Question} */
const asked = JSON.parse(part("question").text);
const memory = storage();
/** @type {number | null | undefined} */
let chosen;

/**
 * What remembers the report: the browser's storage, or where a page may have none, the page itself.
 *
 * @returns {Kept}
 */
function storage() {
  try {
    localStorage.getItem("dpmap");
    return localStorage;
  } catch {
    /** @type {Map<string, string>} */
    const own = new Map();
    return { getItem: (key) => own.get(key) ?? null, setItem: (key, value) => own.set(key, value) };
  }
}

/**
 * Shows what was chosen.
 *
 * @type {Choose}
 */
function choose(cell, words) {
  chosen = cell;
  write("chosen", words);
  part("elsewhere").setAttribute("aria-pressed", String(cell === null));
  part("make").disabled = cell === undefined;
}

/**
 * The report, once there is one: shown here, and told to the app that shows this page.
 *
 * @param {string} line
 */
function finish(line) {
  part("ask").hidden = true;
  part("done").hidden = false;
  part("line").value = line;
  write(
    "kept",
    memory instanceof Storage
      ? "This device keeps the report and shows the same one again: a second answer would tell more about you."
      : "This browser forgets the report when the page is closed. Do not answer twice: that would tell more about you.",
  );
  dispatchEvent(new CustomEvent("dpmap-report", { detail: line }));
  if (parent !== window) parent.postMessage({ dpmapReport: line }, "*");
}

/**
 * A list to choose from, for cells that have names.
 *
 * @param {Names} places
 */
function list({ names }) {
  const select = part("name");
  part("names").hidden = false;
  names.forEach((words, cell) => {
    select.append(new Option(words, String(cell)));
  });
  select.addEventListener("change", () => {
    const cell = Number(select.value);
    if (select.value) choose(cell, `Chosen: ${names[cell]}.`);
    else choose(undefined, "Nothing is chosen yet.");
  });
}

/** The report on the clipboard, or in a file. */
function handOver() {
  const line = part("line");
  onClick("copy", () => {
    line.select();
    document.execCommand("copy");
  });
  onClick("save", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${line.value}\n`], { type: "application/json" }));
    link.download = "report.jsonl";
    link.click();
  });
}

write("title", asked.title);
write("text", asked.text);
if (asked.places.names) list(asked.places);
else new Squares(asked.places, asked.cells, choose);
explain(asked);
onClick("elsewhere", () => {
  part("name").value = "";
  choose(null, "Chosen: elsewhere, or nothing to report.");
});
onClick("make", () => chosen !== undefined && finish(answerOnce(chosen, asked, memory)));
handOver();

/** The one name that the page has for others: for an app that shows its own questions, and for tests. */
Object.assign(globalThis, { dpmapLocal: { answerOnce, randomise, report, locate } });

const earlier = answered(asked, memory);
if (earlier !== null) finish(earlier);
document.documentElement.dataset.ready = "";
