// What pages can do better with a script; each works without one.
"use strict";

/** Keeps the page of a long command true until it is done. */
function watch(box) {
  const bar = box.querySelector("progress");
  const said = box.querySelector("[data-said]");
  let last = "";
  async function look() {
    try {
      const told = await (await fetch(`${box.dataset.job}/progress`, { credentials: "same-origin" })).json();
      if (told.done) return location.replace(box.dataset.job);
      box.querySelector("[data-step]").textContent = told.step;
      if (told.fraction === null) bar.removeAttribute("value");
      else bar.value = told.fraction;
      box.querySelector("[data-left]").textContent = told.seconds_left === null ? "" : `about ${told.seconds_left} seconds left of this step`;
      if (told.step !== last) said.textContent = last = told.step;
    } catch {
      said.textContent = "The studio does not answer. If it was stopped, start it again: what was begun is kept.";
    }
    return setTimeout(look, 500);
  }
  look();
}

/** Fills in a piece that the page did not wait for; its link stays where that fails. */
async function load(box) {
  try {
    const answer = await fetch(box.dataset.load, { credentials: "same-origin" });
    if (!answer.ok) return;
    const piece = new DOMParser().parseFromString(await answer.text(), "text/html");
    box.replaceChildren(...piece.body.children);
  } catch {
    // the link is there
  }
}

/** Sends a form once: a second click does nothing. */
function once(form) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  window.addEventListener("pageshow", () => delete form.dataset.sent);
}

/** Shows the land and the cells as they are being chosen; sends nothing that is kept. */
function preview(box) {
  const shown = box.querySelector(".land");
  let asked = 0;
  async function look() {
    const turn = ++asked;
    const fields = new URLSearchParams(new FormData(box.closest("form")));
    try {
      const answer = await fetch(box.dataset.preview, { method: "POST", body: fields, credentials: "same-origin" });
      const piece = new DOMParser().parseFromString(answer.ok ? await answer.text() : "", "text/html");
      if (turn === asked) shown.replaceChildren(...piece.body.children);
    } catch {
      shown.replaceChildren();
    }
  }
  box.addEventListener("change", look);
  look();
}

/** Offers places by name while one is typed. */
function suggest(list) {
  const field = document.querySelector(`[list="${list.id}"]`);
  field.addEventListener("input", async () => {
    if (field.value.trim().length < 2) return;
    try {
      const answer = await fetch(`${list.dataset.places}?q=${encodeURIComponent(field.value)}`, { credentials: "same-origin" });
      if (answer.ok) list.replaceChildren(...(await answer.json()).places.map((name) => new Option(name, name)));
    } catch {
      // the name can be typed without
    }
  });
}

/** Lets a table be sorted by a click on the head of a column. */
function sortable(table) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const valueOf = (row, at) => {
    const cell = row.cells[at], number = Number(cell.dataset.value ?? NaN);
    return Number.isNaN(number) || cell.dataset.value === "" ? cell.textContent.trim() : number;
  };
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = [...body.rows].sort((one, other) => {
        const [a, b] = [valueOf(one, at), valueOf(other, at)];
        const by = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
        return down ? -by : by;
      });
      body.append(...order);
    });
  });
}

/** Shows only the rows of a table that hold what is typed. */
function filter(field) {
  const rows = document.getElementById(field.dataset.filters).tBodies[0].rows;
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  field.closest("[hidden]").hidden = false;
  field.addEventListener("input", () => {
    for (const row of rows) row.hidden = !plain(row.textContent).includes(plain(field.value.trim()));
  });
}

for (const table of document.querySelectorAll("table.sortable")) sortable(table);
for (const field of document.querySelectorAll("[data-filters]")) filter(field);
for (const box of document.querySelectorAll("[data-preview]")) preview(box);
for (const list of document.querySelectorAll("[data-places]")) suggest(list);
for (const box of document.querySelectorAll("[data-job]")) watch(box);
for (const box of document.querySelectorAll("[data-load]")) load(box);
for (const form of document.querySelectorAll("form")) once(form);
document.querySelector("form[data-begin]")?.requestSubmit();
document.querySelector("#wrong")?.focus();
