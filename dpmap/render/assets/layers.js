"use strict";
/* The four layers: which tint each cell has, what the legend says, and the threshold's slider. */

dpmap.layers = (page) => {
  const { facts, reading } = page;
  const UNSURE = facts.colours.length;
  const LEAST = [0.5, 0.8, 0.9, 0.95, 0.99];
  const EXCEEDS = LEAST.length + 1;
  const BLOCK = EXCEEDS + 1;
  const dark = window.matchMedia("screen and (prefers-color-scheme: dark)");
  const slider = dpmap.element("slider");
  const mask = dpmap.element("mask");
  const layers = {
    estimate: { title: "Estimate", tints: estimateTints, palette: valuePalette, legend: estimateLegend },
    low: { title: "Lower bound", tints: lowTints, palette: valuePalette, legend: lowLegend },
    sure: { title: "Above noise", tints: () => reading.sure, palette: surePalette, legend: sureLegend },
    exceeds: { title: "Above a threshold", tints: exceedTints, palette: exceedPalette, legend: exceedLegend },
    hot: { title: "Hot spots", tints: hotTints, palette: hotPalette, legend: hotLegend },
  };
  if (!facts.hot) delete layers.hot;
  const alone = facts.alone && dpmap.arrays.bits(facts.alone, facts.cells);
  const known = alone ? alone.reduce((total, one) => total + one, 0) : facts.cells;
  const per = facts.per_km2 ? reading.areaOf : () => 1;
  let current = "estimate";
  let waiting = 0;

  slider.max = reading.thresholds.length - 1;
  slider.value = Math.round(slider.max / 4);
  for (const key of Object.keys(layers)) dpmap.element("layers").append(choice(key));
  slider.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(show);
  });
  mask.addEventListener("change", show);
  dark.addEventListener("change", show, dpmap.whileOpen());
  show();
  return { show, threshold: () => (current === "exceeds" ? Number(slider.value) : null) };

  function choice(key) {
    const label = dpmap.make("label");
    const input = dpmap.make("input");
    Object.assign(input, { type: "radio", name: "dp-layer", value: key, checked: key === current });
    input.addEventListener("change", () => {
      current = key;
      show();
    });
    label.append(input, dpmap.make("span", layers[key].title));
    return label;
  }

  function show() {
    const layer = layers[current];
    dpmap.element("threshold").hidden = current !== "exceeds";
    dpmap.element("mask-label").hidden = current !== "estimate";
    const words = amount(reading.thresholds[slider.value]);
    dpmap.element("threshold-value").textContent = words;
    slider.setAttribute("aria-valuetext", words);
    const palette = layer.palette();
    const { rows, note } = layer.legend();
    writeLegend(rows, palette);
    dpmap.element("explain").textContent = note;
    page.layer.paint(layer.tints(), palette);
    if (page.pointing) page.pointing.refresh();
  }

  function amount(value) {
    return `${dpmap.number(value)} ${facts.noun}`;
  }

  /** `rows` are [palette index or null, words]. */
  function writeLegend(rows, palette) {
    const list = dpmap.element("legend");
    list.replaceChildren();
    for (const [index, words] of rows) {
      const row = dpmap.make("li", "", index === null ? "dp-units" : "");
      if (index !== null) row.append(swatch(palette[index]));
      row.append(dpmap.make("span", words));
      list.append(row);
    }
  }

  function swatch({ fill, hatch }) {
    const made = dpmap.make("span", "", "dp-swatch");
    made.setAttribute("aria-hidden", "true");
    made.style.background = hatch
      ? `repeating-linear-gradient(135deg, ${fill} 0 3px, ${hatch} 3px 4px)`
      : fill;
    return made;
  }

  /** Light to dark on paper; on a dark page the other way round, so that more always stands out more. */
  function ramp(name) {
    return facts[dark.matches ? `dark_${name}` : name].map((fill) => ({ fill }));
  }

  function unsure() {
    return { fill: dpmap.colour("--unsure"), hatch: dpmap.colour("--unsure-line"), quiet: true };
  }

  function valuePalette() {
    return [...ramp("colours"), unsure()];
  }

  function surePalette() {
    return [unsure(), ramp("confidence_colours")[3]];
  }

  function exceedPalette() {
    return [{ fill: dpmap.colour("--unsure"), quiet: true }, ...ramp("confidence_colours"), unsure()];
  }

  function hotPalette() {
    return [{ fill: dpmap.colour("--unsure"), quiet: true }, ramp("confidence_colours")[3], unsure()];
  }

  function hotTints() {
    return tintsOf((cell) => (page.hot.clusterOf.has(cell) ? 1 : page.hot.tested[cell] ? 0 : 2));
  }

  function hotLegend() {
    const rows = [[1, "denser than its surroundings"], [0, "not shown to be denser"]];
    if (page.hot.tested.includes(0)) rows.push([2, alone ? "measured as one block, or without surroundings: not tested" : "without surroundings: not tested"]);
    const [cells, clusters] = [page.hot.clusterOf.size, page.hot.members.length];
    const ring = facts.geometry.kind === "areas" ? "the areas one or two steps away" : "the cells two to four steps away";
    return {
      rows,
      note:
        `${cells.toLocaleString("en")} cell${cells === 1 ? "" : "s"} in ${clusters.toLocaleString("en")} ` +
        `hot spot${clusters === 1 ? "" : "s"}: each cell is held against the density of ${ring} by the known law of the noise. ` +
        `At most ${dpmap.percent(facts.rate)} of the cells chosen are expected to be false.`,
    };
  }

  function classOf(value) {
    let found = 0;
    while (found < facts.colours.length - 1 && value >= facts.edges[found + 1]) found += 1;
    return found;
  }

  function tintsOf(tint) {
    const tints = new Uint8Array(facts.cells);
    for (let cell = 0; cell < facts.cells; cell++) tints[cell] = tint(cell);
    return tints;
  }

  function estimateTints() {
    const hide = mask.checked;
    return tintsOf((cell) =>
      hide && !reading.sure[cell] ? UNSURE : classOf(reading.estimate(cell) / per(cell)));
  }

  function lowTints() {
    return tintsOf((cell) => {
      const low = reading.low(cell);
      return low > 0 ? classOf(low / per(cell)) : UNSURE;
    });
  }

  function exceedTints() {
    const confidence = reading.confidence(Number(slider.value));
    const exceeds = reading.exceeding(Number(slider.value));
    return tintsOf((cell) => {
      if (alone && !alone[cell]) return BLOCK;
      if (exceeds(cell)) return EXCEEDS;
      const sure = confidence(cell);
      return LEAST.filter((least) => sure >= least).length;
    });
  }

  function classRows() {
    return [[null, facts.units], ...facts.labels.map((words, i) => [i, words]).reverse()];
  }

  function estimateLegend() {
    const rows = classRows();
    if (mask.checked) rows.push([UNSURE, "not distinguishable from noise"]);
    const blocks = alone
      ? " Outlined land was measured as one block: its colours tell what the block holds, how it lies within is a guess."
      : "";
    return {
      rows,
      note: (mask.checked
        ? "Grey cells may hold some or none: the noise hides which."
        : "Most small values here are noise. Tick the box to see which cells stand out from it.") + blocks,
    };
  }

  function lowLegend() {
    const level = dpmap.percent(facts.level);
    return {
      rows: [...classRows(), [UNSURE, "0: not distinguishable from noise"]],
      note: `The lower end of each cell's ${level} interval: at least this much, for each cell by itself.`,
    };
  }

  function sureLegend() {
    const many = reading.sure.reduce((total, one) => total + one, 0);
    return {
      rows: [[1, "stands out from noise"], [0, "not distinguishable from noise"]],
      note:
        `${many.toLocaleString("en")} of ${facts.cells.toLocaleString("en")} cells stand out, corrected for looking at ` +
        `many cells: at most ${dpmap.percent(facts.rate)} of them are expected ` +
        "to be noise alone. Grey does not mean absent.",
    };
  }

  function exceedLegend() {
    const words = amount(reading.thresholds[slider.value]);
    const share = (value) => `${Math.round(value * 100)}`;
    const rows = LEAST.map((least, i) => [i + 1, i + 1 < LEAST.length
      ? `${share(least)} to ${share(LEAST[i + 1])} %` : `${share(least)} % or more`]);
    return {
      rows: [
        [null, `Confidence that a cell's capped total exceeds ${words}`],
        [EXCEEDS, `exceeds, corrected for ${known.toLocaleString("en")} cells`],
        ...rows.reverse(),
        [0, "under 50 %"],
        ...(alone ? [[BLOCK, "in a block measured as one: not known cell by cell"]] : []),
      ],
      note:
        "Confidence is for each cell by itself: 1 less the chance that noise alone makes it look this high. Corrected " +
        `cells are chosen together (Benjamini-Hochberg): at most ${dpmap.percent(facts.rate)} of them are ` +
        "expected not to exceed it.",
    };
  }
};
