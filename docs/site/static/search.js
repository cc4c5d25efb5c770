// Shows the first sentence of each page that a search finds. The sentences come with the site, so nothing is fetched.
(() => {
  const results = document.getElementById("search-results");
  if (!results || !window.FIRST_SENTENCES) return;
  const tell = (item) => {
    const link = item.querySelector("a");
    if (link) link.textContent = link.textContent.replace(/^(dpmap[a-z-]*)\.--/, (_, words) => `${words.replaceAll("-", " ")} --`);
    if (!link || item.querySelector("p.told")) return;
    const page = link.getAttribute("href").replace(/[?#].*$/, "").replace(/\.html$/, "");
    const sentence = window.FIRST_SENTENCES[page];
    if (!sentence) return;
    const told = document.createElement("p");
    told.className = "told";
    told.textContent = sentence;
    item.append(told);
  };
  new MutationObserver((changes) => {
    for (const change of changes)
      for (const node of change.addedNodes) if (node.nodeName === "LI") tell(node);
  }).observe(results, { childList: true, subtree: true });
})();
