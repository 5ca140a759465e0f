// One entry: what it says, the words it rests on, how it stands.

const STATUS = {
  current: ["holds", "Holds"], outdated: ["past", "Outdated"],
  superseded: ["past", "Replaced"], disputed: ["disputed", "Disputed"],
};
const CAUSE = {
  disputed: "Its sources contradict each other", "possibly-replaced": "Something in it was possibly replaced",
  rejected: "One person rejected it while another edited it", new: "Nobody has looked at it yet",
};
const VOICES = { person: "A person", agent: "An agent", tool: "A tool", web: "A web page", pasted: "Pasted" };

function statusChip(entry) {
  const [tone, word] = STATUS[entry.status] || ["past", entry.status];
  if (entry.status === "current" && entry.waits === "possibly-replaced") return h("span", { klass: "chip doubted" }, "Possibly replaced");
  return h("span", { klass: "chip " + tone }, word);
}

const voiceMark = (voice) => {
  const known = Object.hasOwn(VOICES, voice) ? voice : "tool";
  return h("span", { klass: "voice " + known }, icon(known === "pasted" ? "tool" : known, 15), VOICES[known]);
};

/** Says where words stand: who, when, in which session, on which line. */
function citation(entry, source) {
  const reference = entry && source.key ? `${entry.handle}#${source.key}` : source.place;
  const session = source.session
    ? [source.agent && source.agent + " ", "session ", h("code", { title: source.session }, shortName(source.session)), source.line ? `, line ${source.line}` : ""]
    : [/^https?:\/\//i.test(source.place) ? outside(source.place, source.place) : h("code", {}, source.place)];
  return h("p", { klass: "cite" }, voiceMark(source.voice), time(source.at), h("span", {}, session),
    source.also && h("span", {}, source.also), copyButton("lore open " + reference, "copy"));
}

const shortName = (session) => (/^[0-9a-f]{8}-[0-9a-f-]{20,}$/i.test(session) ? session.slice(0, 8) : session.length > 34 ? session.slice(0, 33) + "…" : session);

function wordsBehind(entry, places) {
  const sources = (places || []).map((place) => entry.sources[place]).filter(Boolean);
  if (!sources.length) return null;
  const row = (source) => h("li", { klass: Object.hasOwn(VOICES, source.voice) ? source.voice : "tool" },
    (source.words || []).map((words) => h("blockquote", {}, "“", words, "”")), citation(entry, source));
  const list = h("ul", { klass: "words", "aria-label": "The words it rests on" }, sources.slice(0, 2).map(row));
  if (sources.length > 2) {
    const rest = sources.slice(2);
    const more = h("button", { type: "button", klass: "more", onclick: () => { last.remove(); fill(list, rest.map(row)); } }, `${rest.length} more`);
    const last = h("li", {}, more);
    list.append(last);
  }
  return list;
}

function claimItem(entry, claim) {
  const then = [];
  if (claim.standing === "past") then.push(h("span", {}, "Held", claim.day ? [" until ", time(claim.day)] : " once"));
  if (claim.standing === "possibly-replaced" && claim.day) then.push(h("span", {}, "In doubt since ", time(claim.day)));
  if (claim.instead) then.push(h("span", {}, "Then: ", h("span", { klass: "instead" }, inline(claim.instead))));
  if (claim.reason) then.push(h("span", {}, "Why: ", claim.reason));
  return h("li", { klass: claim.standing === "holds" ? "" : claim.standing },
    h("p", { klass: "say" }, inline(claim.text)), then.length > 0 && h("p", { klass: "then" }, then), wordsBehind(entry, claim.sources));
}

function claimList(entry, part, title, minor) {
  const sides = new Set(entry.sides || []);
  const own = (entry.claims || []).filter((claim, at) => claim.part === part && !sides.has(at));
  if (!own.length) return null;
  return [title && h("h2", {}, title), h("ul", { klass: "claims" + (minor ? " minor" : "") }, own.map((claim) => claimItem(entry, claim)))];
}

/** Shows the statements between which a person is to choose, side by side. */
function sideCards(entry, within) {
  const sides = (entry.sides || []).map((place) => entry.claims[place]);
  if (!sides.length) return null;
  const disputed = sides.some((claim) => claim.standing === "disputed");
  const card = (claim, at) => {
    const holds = claim.standing === "holds";
    const label = disputed ? `Side ${at + 1}` : holds ? "Holds now" : "Held before";
    const command = `lore review settle ${entry.handle} --side ${at + 1}`;
    return h("article", { klass: "sidecard " + (disputed ? "disputed" : holds ? "holds" : "doubted"), "aria-label": label },
      h("p", { klass: "label" }, h("span", {}, label), claim.day && h("span", {}, "in doubt since ", time(claim.day))),
      h("p", { klass: "say" }, inline(claim.text)),
      claim.reason && h("p", { klass: "then" }, "Why: ", claim.reason),
      wordsBehind(entry, claim.sources) || (claim.said && h("p", { klass: "cite" }, "Said by ", claim.said)),
      h("div", { klass: "actions" }, SERVED
        ? h("button", { type: "button", klass: "act main", "data-settle": at + 1, onclick: (event) => rule(entry, { ruling: "settle", side: at + 1, says: claim.text }, event.currentTarget) }, "This one holds")
        : copyButton(command, "copy the command that settles it so")));
  };
  return [
    !within && h("p", { klass: "note" + (disputed ? "" : " doubted") }, disputed ? "The sources contradict each other and nobody has decided yet." : "A later statement reads as if it took the place of an earlier one. Nobody has confirmed that."),
    h("div", { klass: "sides" }, sides.map(card)),
  ];
}

function actions(entry) {
  if (!SERVED || !entry.waits) return null;
  const disputed = entry.waits === "disputed";
  return h("div", { klass: "actions" },
    !disputed && h("button", { type: "button", klass: "act main", id: "keep", onclick: (event) => rule(entry, { ruling: "keep" }, event.currentTarget) },
      entry.waits === "possibly-replaced" ? "Keep both" : "Keep"),
    h("button", { type: "button", klass: "act danger", id: "reject", onclick: () => askWhy(entry) }, "Reject"),
    h("span", { klass: "count" }, CAUSE[entry.waits]));
}

function aboutList(entry) {
  const value = (text) => inline(text);
  const rows = (entry.about || []).map((about) => [h("dt", {}, about.name),
    h("dd", {}, about.values.length === 1 ? value(about.values[0]) : h("ul", {}, about.values.map((text) => h("li", {}, value(text)))))]);
  if (entry.tags) rows.push([h("dt", {}, "subjects"), h("dd", { klass: "tags" }, entry.tags.map((tag) =>
    BASE.subjectNames.has(tag.toLowerCase()) ? h("a", { klass: "chip plain", href: "#/subject/" + encodeURIComponent(tag.toLowerCase()) }, tag) : h("span", { klass: "chip plain" }, tag)))]);
  rows.push([h("dt", {}, "page"), h("dd", {}, h("code", {}, entry.path))]);
  rows.push([h("dt", {}, "name"), h("dd", {}, h("code", {}, entry.handle), " ", copyButton("lore show " + entry.handle, "copy command"))]);
  return h("dl", { klass: "about" }, rows);
}

function entryPage(at) {
  const entry = BASE.entries[at];
  const graphs = BASE.graphsOf.get(at);
  const confirmed = (entry.confirmed || []).map((stamp) => h("span", {}, "Confirmed by ", h("b", {}, stamp.by), stamp.at && [" on ", time(stamp.at)]));
  const seen = new Set((entry.claims || []).flatMap((claim) => claim.sources || []));
  const unseen = (entry.sources || []).map((_, place) => place).filter((place) => !seen.has(place));
  const group = BASE.kindTitles.get(entry.kind) || entry.kind;
  return h("article", { klass: "reading", id: "entry" },
    backButton(),
    h("p", { klass: "kicker" }, h("a", { href: "#/kind/" + entry.kind }, group), entry.created && h("span", {}, "known since ", time(entry.created)),
      entry.updated && entry.updated !== entry.created && h("span", {}, "changed ", time(entry.updated))),
    h("h1", { tabindex: "-1", id: "entry-title" }, inline(entry.title)),
    h("div", { klass: "facts-line" }, statusChip(entry),
      confirmed.length ? confirmed : h("span", {}, entry.written_by === "auto" ? "Not confirmed by anybody" : "Written by a person"),
      entry.confidence && h("span", {}, entry.confidence, " confidence"), entry.voice && voiceMark(entry.voice)),
    actions(entry),
    // What only repeats the first statement says nothing.
    entry.description && !(entry.claims || []).some((claim) => claim.text.startsWith(entry.description.replace(/…$/, ""))) && h("p", { klass: "lede" }, inline(entry.description)),
    sideCards(entry),
    claimList(entry, "lead"), claimList(entry, "why", "Why", true), claimList(entry, "facts", "Also known", true),
    (entry.sections || []).map((section) => [h("h2", {}, section.heading), markdown(section.text)]),
    claimList(entry, "conflict", "In dispute", true), claimList(entry, "doubted", "Possibly replaced", true),
    claimList(entry, "history", "What held before", true),
    graphs && [h("h2", {}, "What replaced what"), graphs.map((graph) => drawing(graph))],
    unseen.length > 0 && [h("h2", {}, "Also rests on"), wordsBehind(entry, unseen)],
    entry.links && [h("h2", {}, "Beside it"), h("ul", { klass: "linked" }, entry.links.map((link) =>
      h("li", {}, h("span", { klass: "how" }, link.how), h("a", { href: addressOf(link.entry) }, BASE.entries[link.entry].title))))],
    entry.page && h("details", { klass: "whole" }, h("summary", {}, "The page as it stands"), markdown(entry.page)),
    aboutList(entry));
}
