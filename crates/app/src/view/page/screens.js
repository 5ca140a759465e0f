// What stands on the shelf and on the page for each address.

const WHAT = { added: "Added", confirmed: "Confirmed", disputed: "Disputed", doubted: "Possibly replaced", replaced: "Replaced" };
const CAUSES = [["rejected", "Rejected and edited at once"], ["disputed", "Disputed"], ["possibly-replaced", "Possibly replaced"], ["new", "New"]];

const leadOf = (entry) => { const claims = entry.claims || []; return (claims.find((claim) => claim.part === "lead") || claims[0] || { text: entry.description || "" }).text; };
/** Returns what a row says below its title: what the statement says beyond it, else what is said next. */
function beyond(entry) {
  if ((entry.sides || []).length > 1) return entry.sides.map((place) => entry.claims[place].text).filter((text) => !folded(text).startsWith(folded(entry.title).slice(0, 48))).join(" ↔ ") || leadOf(entry);
  const lead = leadOf(entry);
  const same = folded(lead).startsWith(folded(entry.title).slice(0, 48));
  if (!same) return lead;
  const rest = lead.slice(entry.title.length).replace(/^[\s.,;:…]+/, "");
  if (rest.length > 12 && lead.length > entry.title.length) return "…" + rest;
  const next = (entry.claims || []).find((claim) => claim.text !== lead);
  if (next) return next.text;
  const words = (entry.sources || []).flatMap((source) => source.words || []).find((words) => !folded(words).startsWith(folded(entry.title).slice(0, 24)));
  return words ? "“" + words + "”" : "";
}

const rowsOf = (places) => places.map((place) => ({ key: place, entry: place }));
const grouped = (groups) => groups.flatMap((group) => (group.entries.length ? [{ head: group.title, count: group.entries.length }, ...rowsOf(group.entries)] : []));

function contents(by) {
  if (by === "subject") {
    const within = new Set(BASE.subjects.flatMap((group) => group.entries));
    const rest = BASE.entries.map((_, at) => at).filter((at) => !within.has(at));
    return grouped([...BASE.subjects, { title: "No shared subject", entries: rest }]);
  }
  return grouped(BASE.kinds);
}

const SHELVES = {
  overview: () => ["Contents", contents(STATE.by), true],
  contents: () => ["Contents", contents(STATE.by), true],
  waiting: () => ["Waits for a person", grouped(CAUSES.map(([cause, title]) => ({ title, entries: BASE.waiting.filter((one) => one.cause === cause).map((one) => one.entry) })))],
  timeline: () => {
    const items = [];
    let month = "";
    for (const event of BASE.timeline) {
      if (!event.day.startsWith(month) || !month) { month = event.day.slice(0, 7); items.push({ head: monthName(event.day) }); }
      items.push({ key: event.entry, entry: event.entry, event });
    }
    return ["Timeline", items];
  },
  replaced: () => ["Replaced and disputed", rowsOf(BASE.graphs.map((graph) => graph.entry))],
  questions: () => ["Open questions", [
    ...(BASE.questions.length ? [{ head: "Asked by an editor", count: BASE.questions.length }, ...BASE.questions.map((question) => ({ key: question.id, question }))] : []),
    ...grouped([{ title: "To be measured", entries: BASE.openSpikes }, { title: "Disputed", entries: BASE.waiting.filter((one) => one.cause === "disputed").map((one) => one.entry) }])]],
  lessons: () => ["Lessons", rowsOf(BASE.ofKind("lesson"))],
  spikes: () => ["Spikes", rowsOf(BASE.ofKind("spike"))],
  kind: (name) => [BASE.kindTitles.get(name) || name, rowsOf(BASE.ofKind(name))],
  subject: (name) => [name, rowsOf((BASE.subjects.find((group) => group.name === name) || { entries: [] }).entries)],
};

function drawRow(item) {
  if (item.question) {
    return h("div", { klass: "row" }, h("h3", {}, item.question.title), h("p", {}, item.question.question), h("p", { klass: "meta" }, item.question.by));
  }
  const entry = BASE.entries[item.entry];
  const words = STATE.words;
  const event = item.event;
  const inText = words.length ? snippet(entry, words) : (event && event.text && event.what !== "confirmed" ? event.text : beyond(entry));
  const past = entry.status === "superseded" || entry.status === "outdated";
  return h("div", { klass: "row" + (past ? " past" : "") + (inText ? "" : " two") },
    h("h3", {}, marked(entry.title, words)),
    inText && h("p", {}, marked(inText, words)),
    h("p", { klass: "meta" },
      event ? [h("b", {}, WHAT[event.what]), time(event.day), event.what === "confirmed" && "by " + event.text]
        : [h("span", {}, entry.kind), entry.updated || entry.created ? time(entry.updated || entry.created) : null],
      (entry.status !== "current" || entry.waits === "possibly-replaced") && statusChip(entry),
      entry.confirmed && h("span", { klass: "voice person", title: "confirmed" }, icon("tick", 14), h("span", { klass: "hidden" }, "confirmed"))));
}

/** Finds the sentence in which the words were found. */
function snippet(entry, words) {
  const texts = [...(entry.claims || []).map((claim) => claim.text), entry.description || "", ...(entry.sources || []).flatMap((source) => source.words || []), ...(entry.sections || []).map((section) => section.text)];
  const start = folded(entry.title).slice(0, 48);
  let [holding, most] = ["", 0];
  for (const text of texts) {
    const low = folded(text);
    // What only says the title again tells nothing more.
    const held = words.filter((word) => low.includes(word)).length - (low.startsWith(start) ? 0.5 : 0);
    if (held > most) [holding, most] = [text, held];
  }
  if (!holding) return beyond(entry);
  const first = Math.min(...words.map((word) => folded(holding).indexOf(word)).filter((at) => at >= 0));
  return first > 60 ? "…" + holding.slice(first - 40).replace(/\n/g, " ") : holding.replace(/\n/g, " ");
}

const tile = (number, words, address, tone) => h(address ? "a" : "div", { klass: "tile " + (tone || ""), href: address }, h("b", {}, number.toLocaleString("en")), h("span", {}, words));

function overviewPage() {
  const totals = BASE.totals;
  const most = Math.max(1, ...BASE.kinds.map((group) => group.entries.length));
  const bar = (group) => {
    const line = h("i");
    line.style.width = `${(group.entries.length / most) * 100}%`;
    return h("a", { href: "#/kind/" + group.name }, h("span", {}, group.title), line, h("span", { klass: "number" }, group.entries.length));
  };
  const chart = activity(BASE.timeline);
  const fresh = BASE.waiting.filter((one) => one.cause === "new").length;
  const urgent = BASE.waiting.filter((one) => one.cause !== "new").slice(0, 3);
  return h("div", { klass: "wide" },
    h("div", { klass: "hero" }, h("h1", { tabindex: "-1", id: "entry-title" }, BASE.personal ? "Your own knowledge" : `What ${BASE.name} knows`),
      h("p", {}, `${many(totals.entries, "entry", "entries")} from ${many(totals.sessions, "session")}, as of `, time(BASE.made), ".",
        totals.left_out > 0 && ` ${many(totals.left_out, "private entry is", "private entries are")} left out.`)),
    h("div", { klass: "tiles" }, tile(totals.current, totals.current === 1 ? "holds" : "hold", "#/contents"), totals.confirmed > 0 && tile(totals.confirmed, "confirmed", null, "good"),
      totals.disputed > 0 && tile(totals.disputed, "disputed", "#/waiting", "urgent"), totals.doubted > 0 && tile(totals.doubted, "possibly replaced", "#/waiting", "look"),
      fresh > 0 && tile(fresh, "not looked at yet", "#/waiting")),
    urgent.length > 0 && [h("h2", {}, "Somebody has to decide"), h("div", { klass: "cardlist" }, urgent.map((one) => {
      const entry = BASE.entries[one.entry];
      return h("section", { klass: "card" }, h("p", { klass: "meta" }, statusChip(entry), h("span", {}, entry.kind)), h("h3", {}, h("a", { href: addressOf(one.entry) }, entry.title)), sideCards(entry, true));
    }))],
    h("div", { klass: "columns" },
      h("section", {}, h("h2", {}, "By kind"), h("div", { klass: "bars" }, BASE.kinds.map(bar)),
        BASE.subjects.length > 0 && [h("h2", {}, "Subjects"), h("p", { klass: "tags" }, BASE.subjects.slice(0, 24).map((group) =>
          h("a", { klass: "chip plain", href: "#/subject/" + encodeURIComponent(group.name) }, group.name, h("span", { klass: "number" }, group.entries.length))))]),
      BASE.timeline.length > 0 && h("section", {}, h("h2", {}, "Latest"), eventList(BASE.timeline.slice(0, 9)))),
    chart && [h("h2", {}, "When"), chart],
    BASE.entries.length === 0 && h("p", { klass: "empty" }, "Nothing is known yet. ", h("code", {}, "lore curate"), " reads past sessions."));
}

const eventList = (events, ofOneDay) => h("ul", { klass: "events" + (ofOneDay ? " day" : "") }, events.map((event) => h("li", {}, !ofOneDay && time(event.day), h("span", {}, h("span", { klass: "what" }, WHAT[event.what], event.what === "confirmed" ? ` by ${event.text}: ` : ": "),
  h("a", { href: addressOf(event.entry) }, BASE.entries[event.entry].title)))));

/** Fills a list little by little: the next part when its end comes into sight. */
function piecemeal(box, items, make, count = 12) {
  let at = 0;
  const end = h("p", { klass: "count", "aria-hidden": "true" });
  const more = () => { end.remove(); fill(box, items.slice(at, at + count).map(make)); at += count; if (at < items.length) { box.append(end); watch.observe(end); } };
  const watch = new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); more(); } }, { root: $("main"), rootMargin: "600px" });
  more();
  return box;
}

const PAGES = {
  replaced: () => h("div", { klass: "wide" }, backButton(), h("h1", { tabindex: "-1", id: "entry-title" }, "What replaced what"),
    BASE.graphs.length === 0 && h("p", { klass: "empty" }, "Nothing was replaced yet."),
    piecemeal(h("div", { klass: "cardlist" }), BASE.graphs, (graph) => h("section", { klass: "card" },
      h("h3", {}, h("a", { href: addressOf(graph.entry) }, BASE.entries[graph.entry].title)), drawing(graph)))),
  waiting: () => h("div", { klass: "wide" }, backButton(), h("h1", { tabindex: "-1", id: "entry-title" }, "Side by side"),
    h("p", { klass: "lede" }, "What contradicts each other, and what was possibly replaced."),
    piecemeal(h("div", { klass: "cardlist" }), BASE.waiting.filter((one) => one.cause !== "new"), (one) => {
      const entry = BASE.entries[one.entry];
      return h("section", { klass: "card" }, h("p", { klass: "meta" }, statusChip(entry), h("span", {}, entry.kind)), h("h3", {}, h("a", { href: addressOf(one.entry) }, entry.title)), sideCards(entry, true), !(entry.sides || []).length && h("p", { klass: "then" }, CAUSE[one.cause]));
    }),
    BASE.waiting.every((one) => one.cause === "new") && h("p", { klass: "empty" }, "Nothing is in dispute.")),
  timeline: () => h("div", { klass: "wide" }, backButton(), h("h1", { tabindex: "-1", id: "entry-title" }, "Timeline"), activity(BASE.timeline),
    piecemeal(h("div", {}), BASE.days, (part) => h("section", {}, part.begins && h("h2", {}, time(part.day)), eventList(part.events, true)), 4)),
  question: (question) => h("article", { klass: "reading" }, backButton(), h("p", { klass: "kicker" }, question.by, " asks"), h("h1", { tabindex: "-1", id: "entry-title" }, question.title),
    h("p", { klass: "lede" }, question.question), question.text && h("p", { klass: "say" }, inline(question.text)),
    question.entry !== undefined && h("p", {}, "About ", h("a", { href: addressOf(question.entry) }, BASE.entries[question.entry].title)),
    h("ul", { klass: "words" }, question.lines.map((line) => h("li", { klass: line.voice }, h("blockquote", {}, "“", line.words[0], "”"), citation(null, line)))),
    h("p", { klass: "command" }, h("code", {}, `lore review show ${question.id}`), copyButton(`lore review show ${question.id}`, "copy"))),
};
