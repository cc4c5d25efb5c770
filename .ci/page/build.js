/* Puts the modules of each page together into the one script that the page carries; with --check only says whether the
   committed ones are what the modules build.

   They are not minified: whoever audits a page reads the modules' own names, and the sentence above each function. That costs
   a map page a sixth of its size. Types are for the checker and are left out. */

import { readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = {
  "dpmap/render/assets/map.js": "dpmap/render/scripts/main.js",
  "dpmap/render/assets/changes.js": "dpmap/render/scripts/changes/main.js",
  "dpmap/local/assets/page.js": "dpmap/local/scripts/main.js",
};

/** Comments as they are kept: the words without the types, marked so that esbuild keeps them; `unmarked` takes the mark off. */
function marked(source) {
  const untyped = source.replace(/\/\*\* @type [^*]*\*\/ (?=\()/g, "");
  return untyped.replace(/^([ \t]*)\/\*(\*?)([\s\S]*?)\*\/[ \t]*\n/gm, (_, indent, star, text) => {
    const words = text
      .split(/\n?[ \t]*\*?[ \t]*@/)[0]
      .replace(/^[ \t]*\*[ \t]?/gm, " ")
      .trim();
    const lines = words.split("\n").map((line) => line.trim());
    return words ? `${indent}/*!${star} ${lines.join(`\n${indent}   `)} */\n` : "";
  });
}

const unmarked = (script) => script.replace(/\/\*!/g, "/*").replace(/\/\* @__PURE__ \*\/ /g, "");

const comments = {
  name: "comments",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, async ({ path }) => ({ contents: marked(await readFile(path, "utf8")) })),
};

/** Modules import only from below, as the rooms of the house do. */
function refuseCircles(inputs) {
  const left = new Map(Object.entries(inputs).map(([path, { imports }]) => [path, imports.map((one) => one.path)]));
  for (let before = 0; before !== left.size;) {
    before = left.size;
    for (const [path, imports] of left) if (!imports.some((one) => left.has(one))) left.delete(path);
  }
  if (left.size) throw new Error(`modules import each other in a circle, among them ${[...left.keys()].join(", ")}`);
}

/** One script without a name outside itself, but for what its main module hands out. */
async function built(entry) {
  const { metafile, outputFiles } = await build({
    absWorkingDir: dirname(entry),
    banner: { js: '(() => {\n"use strict";' },
    bundle: true,
    charset: "utf8",
    entryPoints: [entry],
    footer: { js: "})();" },
    format: "esm",
    legalComments: "inline",
    logLevel: "error",
    metafile: true,
    plugins: [comments],
    target: "es2023",
    write: false,
  });
  refuseCircles(metafile.inputs);
  return unmarked(outputFiles[0].text);
}

for (const [page, entry] of Object.entries(PAGES)) {
  const script = await built(`${ROOT}${entry}`);
  const path = `${ROOT}${page}`;
  if (!process.argv.includes("--check")) await writeFile(path, script);
  else if ((await readFile(path, "utf8").catch(() => "")) !== script) {
    process.stderr.write(`${page} is not what ${dirname(entry)} builds; type: make page\n`);
    process.exitCode = 1;
  }
}
