// Orders what a search finds: pages for users first, then the reference, then how dpmap was built; within these the page that is most about what
// was typed (PAGE_WORDS, made by search_weights.py). Sphinx's own scores alone would leave most pages in the order of the alphabet.
var Scorer = {
  objNameMatch: 6, objPartialMatch: 1, objPrio: {0: 3, 1: 1, 2: 0}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,

  places: [
    [/^(choose|howto|start|learn)\/|^(glossary|installing|reading-a-map)$/, 60],
    [/^(studio|algebra|tutorials|understand)\/|^(index|promise)$/, 52],
    [/^(reference|data_samples)\/|^(command-line|audit|file-format|scale|stability|moving-.*)$/, 40],
    [/^(project|decisions|source)\//, -90],
  ],

  asked: () => {
    const typed = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase();
    const stemmer = new Stemmer();
    const plain = typed.split(/[^\p{Letter}\p{Number}_-]+/u).filter((word) => word && !word.startsWith("--"));
    const words = plain.flatMap((word) => word.split("-")).filter((word) => word && !stopwords.has(word));
    return [...words.map((word) => stemmer.stemWord(word)), ...(typed.match(/--[a-z][a-z-]*/g) || [])];
  },

  score: ([docname, , , , score, , kind]) => {
    const place = Scorer.places.find(([pages]) => pages.test(docname));
    const about = (window.PAGE_WORDS || {})[docname] || {};
    Scorer.words ||= Scorer.asked();
    const fit = Scorer.words.reduce((sum, word) => sum + (Object.hasOwn(about, word) ? about[word] : 0), 0);
    const flag = Scorer.words.some((word) => word.startsWith("--")) ? 25 : 0;
    return (place ? place[1] : 20) + (kind === "object" ? score + flag : 2 * fit / Math.max(1, Scorer.words.length) + score / 3);
  },
};
