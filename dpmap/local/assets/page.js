/* The page around device.js. All texts of the question are shown as text only. */

(() => {
  const question = JSON.parse(document.getElementById("question").textContent);
  const { places, cells } = question;
  const part = (id) => document.getElementById(id);
  const kept = storage();
  let chosen;

  /** What remembers the report: the browser's storage, or where a page may have none, the page itself. */
  function storage() {
    try {
      localStorage.getItem("dpmap");
      return localStorage;
    } catch {
      const memory = new Map();
      return { getItem: (key) => memory.get(key) ?? null, setItem: (key, value) => memory.set(key, value) };
    }
  }

  /** Shows what was chosen: a cell's number and words, or elsewhere (null). */
  function choose(cell, words) {
    chosen = cell;
    part("chosen").textContent = words;
    part("elsewhere").setAttribute("aria-pressed", String(cell === null));
    part("make").disabled = cell === undefined;
  }

  /** The report, once there is one: shown here, and told to the app that shows this page. */
  function finish(line) {
    part("ask").hidden = true;
    part("done").hidden = false;
    part("line").value = line;
    part("kept").textContent =
      kept === globalThis.localStorage
        ? "This device keeps the report and shows the same one again: a second answer would tell more about you."
        : "This browser forgets the report when the page is closed. Do not answer twice: that would tell more about you.";
    dispatchEvent(new CustomEvent("dpmap-report", { detail: line }));
    if (parent !== window) parent.postMessage({ dpmapReport: line }, "*");
  }

  const percent = (share) => `${(100 * share).toPrecision(share < 0.0995 ? 2 : 3).replace(/\.0+$/, "")} %`;

  function explain() {
    const grr = question.mechanism === "grr";
    const other = dpmapLocal.threshold(question.epsilon, grr ? cells : 1) / 2 ** 32;
    part("chances").textContent = grr
      ? `The report names one of ${cells + 1} answers: yours with a chance of ${percent(1 - cells * other)}, each of the others with one of ${percent(other)}.`
      : `The report has a mark or none for each of ${cells + 1} answers: for yours with a chance of 50 %, for each of the others with one of ${percent(other)}.`;
    const [whole, below = 1] = question.epsilon.split("/").map(Number);
    part("promise").textContent =
      `So nobody can be sure from it what you answered: it moves their odds about that by a factor of ${Math.exp(whole / below).toPrecision(3)} ` +
      `at most (epsilon ${question.epsilon}), whatever else they know.`;
  }

  /** A map to choose from: squares with a net of longitudes and latitudes. */
  function squares() {
    const [rows, columns] = places.shape;
    const [canvas, side] = [part("map"), Math.max(4, Math.min(40, Math.floor(1400 / columns)))];
    const [left, top] = [92, 36];
    const brush = canvas.getContext("2d");
    let marked = null;
    part("squares").hidden = false;
    part("scale").textContent = `${cells} cells of ${places.cell}; north is at the top.`;
    [canvas.width, canvas.height] = [left + columns * side + 4, rows * side + top + 4];

    function draw() {
      brush.clearRect(0, 0, canvas.width, canvas.height);
      for (let row = 0, number = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          if (!inside[row * columns + column]) continue;
          brush.fillStyle = number++ === marked ? "#792282" : "#e6d3e4";
          brush.fillRect(left + column * side, top + row * side, side - 1, side - 1);
        }
      }
      net();
    }

    /** Lines of round longitudes and latitudes, each with its degrees where it begins. */
    function net() {
      const [west, south, east, north] = places.box;
      const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30].find((size) => Math.max(east - west, north - south) / size <= 5);
      brush.font = "22px system-ui, sans-serif";
      brush.strokeStyle = brush.fillStyle = "#555";
      for (const upright of [true, false]) {
        const [low, high] = upright ? [west, east] : [south, north];
        for (let at = Math.ceil(low / step) * step; at <= high; at += step) line(at, upright, [west, south, east, north]);
      }
    }

    function line(at, upright, [west, south, east, north]) {
      let first = null;
      brush.globalAlpha = 0.45;
      brush.beginPath();
      for (let i = 0; i <= 64; i++) {
        const found = upright
          ? dpmapLocal.rowColumn(at, north - ((north - south) * i) / 64, places)
          : dpmapLocal.rowColumn(west + ((east - west) * i) / 64, at, places);
        if (!found || found[0] < 0 || found[1] < 0 || found[0] > rows || found[1] > columns) continue;
        const [x, y] = [left + found[1] * side, top + found[0] * side];
        first ? brush.lineTo(x, y) : brush.moveTo((first = [x, y])[0], y);
      }
      brush.stroke();
      brush.globalAlpha = 1;
      if (!first) return;
      brush.textAlign = upright ? "center" : "right";
      const words = `${+Math.abs(at).toFixed(2)}°${upright ? (at < 0 ? "W" : "E") : at < 0 ? "S" : "N"}`;
      if (upright && first[1] < top + 3 * side) brush.fillText(words, Math.max(first[0], 40), top - 10);
      if (!upright && first[0] < left + 3 * side) brush.fillText(words, left - 6, first[1] + 7);
    }

    function mark(row, column) {
      const cell = dpmapLocal.number(row, column, places);
      marked = cell;
      if (cell === null) choose(undefined, "This place is outside the area.");
      else choose(cell, `Chosen: the cell ${row + 1} from the top, ${column + 1} from the left.`);
      place = [row, column];
      draw();
    }

    function locate(lat, lon) {
      const [row, column] = dpmapLocal.rowColumn(lon, lat, places) || [-1, -1];
      mark(Math.floor(row), Math.floor(column));
    }

    const inside = Array.from(atob(places.inside)).flatMap((mark) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (mark.charCodeAt(0) >> bit) & 1));
    const start = inside.indexOf(1);
    let place = [Math.floor(start / columns), start % columns];
    canvas.addEventListener("click", (event) => {
      const scale = canvas.width / canvas.clientWidth;
      mark(Math.floor((event.offsetY * scale - top) / side), Math.floor((event.offsetX * scale - left) / side));
    });
    canvas.addEventListener("keydown", (event) => {
      const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!move) return;
      event.preventDefault();
      mark(Math.min(Math.max(place[0] + move[0], 0), rows - 1), Math.min(Math.max(place[1] + move[1], 0), columns - 1));
    });
    part("find").addEventListener("click", () => {
      const [lat, lon] = ["lat", "lon"].map((id) => parseFloat(part(id).value.replace(",", ".")));
      Number.isFinite(lat + lon) ? locate(lat, lon) : choose(undefined, "Write latitude and longitude in degrees, like 40.55 and -1.72.");
    });
    part("here").addEventListener("click", () => {
      const failed = () => choose(undefined, "This device does not tell its position; choose on the map.");
      if (!navigator.geolocation) return failed();
      navigator.geolocation.getCurrentPosition(({ coords }) => locate(coords.latitude, coords.longitude), failed);
    });
    part("elsewhere").addEventListener("click", () => draw((marked = null)));
    draw();
  }

  /** A list to choose from, for cells that have names. */
  function names() {
    part("names").hidden = false;
    places.names.forEach((name, cell) => part("name").append(new Option(name, cell)));
    part("name").addEventListener("change", ({ target }) =>
      target.value ? choose(Number(target.value), `Chosen: ${places.names[target.value]}.`) : choose(undefined, "Nothing is chosen yet."),
    );
  }

  part("title").textContent = question.title;
  part("text").textContent = question.text;
  places.names ? names() : squares();
  explain();
  part("elsewhere").addEventListener("click", () => {
    part("name").value = "";
    choose(null, "Chosen: elsewhere, or nothing to report.");
  });
  part("make").addEventListener("click", () => finish(dpmapLocal.answerOnce(chosen, question, kept)));
  part("copy").addEventListener("click", () => {
    part("line").select();
    document.execCommand("copy");
  });
  part("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${part("line").value}\n`], { type: "application/json" }));
    link.download = "report.jsonl";
    link.click();
  });
  const before = kept.getItem(`dpmap ${question.round}`);
  if (before !== null) finish(before);
  document.documentElement.dataset.ready = "";
})();
