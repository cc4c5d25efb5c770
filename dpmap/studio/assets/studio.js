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

for (const box of document.querySelectorAll("[data-job]")) watch(box);
for (const box of document.querySelectorAll("[data-load]")) load(box);
for (const form of document.querySelectorAll("form")) once(form);
document.querySelector("#wrong")?.focus();
