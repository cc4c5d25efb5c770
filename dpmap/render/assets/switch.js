"use strict";
/* One page for the layers of a release: a list for each axis of kinds, a slider for each axis of times. */

/** What is true of one layer: what all have in common, and what is its own. */
dpmap.factsOf = (name, layer) => {
  const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "{}");
  return { ...read(`${name}_facts`), ...read(`${name}_layer_${layer}`) };
};

/** For listeners on what outlives a layer's page: they end with it. */
dpmap.whileOpen = () => {
  dpmap.life ??= new AbortController();
  return { signal: dpmap.life.signal };
};

/** The controls above the layers, where the release has more than one map. */
dpmap.switches = (name, facts, layer) => {
  if (!facts.axes) return;
  const box = dpmap.element("switches");
  box.hidden = false;
  let rest = layer;
  const places = facts.axes.map(() => 0);
  for (let axis = facts.axes.length - 1; axis >= 0; axis--) {
    places[axis] = rest % facts.axes[axis].names.length;
    rest = Math.floor(rest / facts.axes[axis].names.length);
  }
  const turn = (axis) => (event) => {
    const chosen = places.with(axis, Number(event.target.value));
    const next = chosen.reduce((number, place, at) => number * facts.axes[at].names.length + place, 0);
    dpmap.turnTo(name, next, event.target.id);
  };
  facts.axes.forEach(({ column, names, times }, axis) => {
    const control = dpmap.make(times ? "input" : "select");
    control.id = `dp-axis-${axis}`;
    if (times) Object.assign(control, { type: "range", min: 0, max: names.length - 1, step: 1 });
    else names.forEach((each, place) => control.append(Object.assign(dpmap.make("option", each), { value: place })));
    control.value = places[axis];
    if (times) control.setAttribute("aria-valuetext", names[places[axis]]);
    control.addEventListener("change", turn(axis));
    const label = dpmap.make("label", `${column} `);
    label.htmlFor = control.id;
    if (times) label.append(dpmap.make("output", names[places[axis]]));
    box.append(label, control);
  });
};

/** The same page for another layer: the view stays, and so do the areas that were drawn. */
dpmap.turnTo = (name, layer, focus) => {
  const { map, areas } = dpmap.page ?? {};
  if (!map) return;
  const before = { view: [map.getCenter(), map.getZoom()], drawn: [...areas.drawn] };
  dpmap.life?.abort();
  dpmap.life = dpmap.page = undefined;
  map.remove();
  delete document.documentElement.dataset.ready;
  document.querySelector(".dp-page").replaceWith(dpmap.blank.cloneNode(true));
  dpmap.open(name, layer, before);
  document.getElementById(focus)?.focus();
};
