// Instant search: every word has to stand in an entry; titles weigh most. A plain scan of folded text is
// fast enough for tens of thousands of entries, and needs no index to be shipped.

const folded = (text) => {
  const lower = text.toLowerCase();
  return /[^\x00-\x7f]/.test(lower) ? lower.normalize("NFKD").replace(/[\u0300-\u036f]/g, "") : lower;
};

class Finder {
  constructor(entries) {
    this.entries = entries;
    this.titles = new Array(entries.length);
    this.texts = new Array(entries.length);
    this.ready = 0;
    this.prepare();
  }

  /** Folds entries while nothing else is to be done. */
  prepare() {
    const later = window.requestIdleCallback || ((work) => setTimeout(() => work({ timeRemaining: () => 8 }), 16));
    later((idle) => {
      while (this.ready < this.entries.length && idle.timeRemaining() > 2) this.fold(64);
      if (this.ready < this.entries.length) this.prepare();
    });
  }

  fold(count) {
    const end = Math.min(this.entries.length, this.ready + count);
    for (; this.ready < end; this.ready += 1) {
      const entry = this.entries[this.ready];
      const parts = [entry.handle, entry.id, entry.kind, entry.status, entry.description || "", ...(entry.tags || [])];
      for (const claim of entry.claims || []) parts.push(claim.text, claim.instead || "");
      for (const source of entry.sources || []) parts.push(source.session || "", ...(source.words || []));
      for (const section of entry.sections || []) parts.push(section.heading, section.text);
      for (const about of entry.about || []) parts.push(...about.values);
      if (entry.page) parts.push(entry.page);
      this.titles[this.ready] = folded(entry.title);
      this.texts[this.ready] = folded(parts.join("\n"));
    }
  }

  /** Returns the places of the entries that hold every word, the best first. */
  find(asked) {
    this.fold(this.entries.length);
    const words = wordsOf(asked);
    if (!words.length) return [];
    const found = [];
    next: for (let at = 0; at < this.entries.length; at += 1) {
      let score = 0;
      for (const word of words) {
        const inTitle = this.titles[at].indexOf(word);
        if (inTitle >= 0) { score += begins(this.titles[at], inTitle) ? 12 : 7; continue; }
        const inText = this.texts[at].indexOf(word);
        if (inText < 0) continue next;
        score += begins(this.texts[at], inText) ? 3 : 1;
      }
      const entry = this.entries[at];
      if (entry.status === "current") score += 1;
      if (entry.confirmed) score += 1;
      found.push([score, at]);
    }
    found.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    return found.map(([, at]) => at);
  }
}

const wordsOf = (asked) => [...new Set(folded(asked).split(/[\s,;"]+/).filter(Boolean))].slice(0, 12);
const begins = (text, at) => at === 0 || !/[a-z0-9]/.test(text[at - 1]);

/** Marks the words that were searched for. */
function marked(text, words) {
  if (!words.length) return [text];
  const low = folded(text);
  // Folding can change the length of a text; then nothing is marked rather than something wrong.
  if (low.length !== text.length) return [text];
  const spans = [];
  for (const word of words) {
    for (let at = low.indexOf(word); at >= 0; at = low.indexOf(word, at + word.length)) spans.push([at, at + word.length]);
  }
  spans.sort((a, b) => a[0] - b[0]);
  const out = [];
  let from = 0;
  for (const [start, end] of spans) {
    if (start < from) continue;
    if (start > from) out.push(text.slice(from, start));
    out.push(h("mark", {}, text.slice(start, end)));
    from = end;
  }
  out.push(text.slice(from));
  return out;
}
