// The page as a whole: what is shown where, and what keys do.

const VIEWS = [["overview", "Overview"], ["contents", "Contents"], ["waiting", "Waiting"], ["timeline", "Timeline"], ["replaced", "Replaced"], ["questions", "Questions"], ["lessons", "Lessons"], ["spikes", "Spikes"]];
const STATE = { shelf: "overview", filter: "", by: "kind", words: [], asked: "", entry: null };
let BASE = null;
let FINDER = null;

/** Takes a base and makes what the screens look up. */
function take(data) {
  const first = BASE === null;
  BASE = data;
  BASE.kindTitles = new Map(BASE.kinds.map((group) => [group.name, group.title]));
  BASE.subjectNames = new Set(BASE.subjects.map((group) => group.name));
  BASE.ofKind = (name) => (BASE.kinds.find((group) => group.name === name) || { entries: [] }).entries;
  BASE.graphsOf = new Map();
  for (const graph of BASE.graphs) {
    for (const at of new Set(graph.nodes.map((node) => node.entry))) BASE.graphsOf.set(at, [...(BASE.graphsOf.get(at) || []), graph]);
  }
  BASE.names = new Map();
  BASE.entries.forEach((entry, at) => { BASE.names.set(entry.id, at); if (!BASE.names.has(entry.handle)) BASE.names.set(entry.handle, at); });
  BASE.openSpikes = BASE.ofKind("spike").filter((at) => !(BASE.entries[at].about || []).some((about) => about.name === "state" && /^(concluded|archived)$/.test(about.values[0])));
  BASE.days = [];
  for (const event of BASE.timeline) {
    const last = BASE.days[BASE.days.length - 1];
    // A day on which very much happened is drawn in parts; only the first has a heading.
    if (last && last.day === event.day && last.events.length < 40) last.events.push(event);
    else BASE.days.push({ day: event.day, events: [event], begins: !last || last.day !== event.day });
  }
  FINDER = new Finder(BASE.entries);
  show($("name"), BASE.name);
  document.title = `${BASE.name} · lore`;
  drawSide();
  route(!first);
}

const addressOf = (at) => { const entry = BASE.entries[at]; return "#/e/" + encodeURIComponent(BASE.names.get(entry.handle) === at ? entry.handle : entry.id); };
const go = (address) => { location.hash = address; };
const counts = () => ({ waiting: BASE.waiting.length, timeline: BASE.timeline.length, replaced: BASE.graphs.length, questions: BASE.questions.length + BASE.openSpikes.length + BASE.totals.disputed, lessons: BASE.ofKind("lesson").length, spikes: BASE.ofKind("spike").length });

function drawSide() {
  const numbers = counts();
  const seen = VIEWS.filter(([name]) => !Object.hasOwn(numbers, name) || name === "waiting" || numbers[name] > 0);
  const urgent = BASE.waiting.filter((one) => one.cause !== "new").length;
  const number = (name) => (name === "waiting" && urgent > 0 ? h("span", { klass: "number urgent" }, urgent) : name !== "timeline" && numbers[name] > 0 && h("span", { klass: "number" }, numbers[name]));
  const link = ([name, words]) => h("a", { href: name === "overview" ? "#/" : "#/" + name, "data-view": name }, icon(name), h("span", {}, words), number(name));
  const group = (sort) => (one) => h("a", { href: `#/${sort}/` + encodeURIComponent(one.name), "data-view": `${sort}/${one.name}` }, h("span", {}, one.title), h("span", { klass: "number" }, one.entries.length));
  show($("side"), h("div", {}, seen.map(link)), h("h2", {}, "Kinds"), h("div", {}, BASE.kinds.map(group("kind"))),
    BASE.subjects.length > 0 && [h("h2", {}, "Subjects"), h("div", {}, BASE.subjects.slice(0, 40).map(group("subject")))],
    h("p", { klass: "small-print" }, "Made by ", h("code", {}, "lore view"), " on ", time(BASE.made), ". Nothing on this page is loaded from anywhere."));
  show($("tabs"), seen.slice(0, 5).map(([name, words]) => h("a", { href: name === "overview" ? "#/" : "#/" + name, "data-view": name }, icon(name, 22), h("span", {}, words), name === "waiting" && number(name))));
}

const list = new LongList($("list"), drawRow, (item) => choose(item));

function choose(item) {
  if (item.question) { STATE.entry = null; page(PAGES.question(item.question)); open("page"); return; }
  const address = addressOf(item.entry);
  if (location.hash === address) { open("page"); focusPage(); } else go(address);
}

/** Shows what the address names. */
function route(again) {
  const hash = location.hash || "#/";
  if (!hash.startsWith("#/")) return;
  const [screen, ...rest] = hash.slice(2).split("/");
  let name = rest.join("/");
  try { name = decodeURIComponent(name); } catch { /* It stays as it is. */ }
  if (screen === "e") {
    const at = BASE.names.get(name);
    if (!again || STATE.entry === null) STATE.entry = at;
    if (at === undefined) { page(h("div", { klass: "reading" }, backButton(), h("h1", { tabindex: "-1", id: "entry-title" }, "There is no such entry here"), h("p", { klass: "lede" }, "It may be gone, or left out of this page."))); }
    else page(entryPage(at));
    if (again || !list.items.length) shelve(again);
    if (at !== undefined) list.point(at);
    current();
    if (!again || $("frame").dataset.open === "page") open("page");
    return;
  }
  STATE.entry = null;
  STATE.shelf = Object.hasOwn(SHELVES, screen) ? screen : "overview";
  STATE.filter = name;
  if (!again) { STATE.asked = ""; STATE.words = []; $("search").value = ""; }
  shelve(again);
  page((PAGES[STATE.shelf] || overviewPage)());
  current();
  const onPhone = ["overview", "replaced", "timeline"].includes(STATE.shelf) || (STATE.shelf === "waiting" && BASE.waiting.some((one) => one.cause !== "new"));
  open(onPhone ? "page" : "shelf");
}

/** Marks where we are. */
function current() {
  const view = STATE.filter ? `${STATE.shelf}/${STATE.filter}` : STATE.shelf;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
}

/** Fills the shelf: what was searched for, else what the screen lists. */
function shelve(keep) {
  const searching = STATE.words.length > 0;
  const [title, items, groups] = searching ? ["Found", rowsOf(FINDER.find(STATE.asked))] : SHELVES[STATE.shelf](STATE.filter);
  show($("shelf-title"), title);
  const rows = items.filter((item) => item.head === undefined).length;
  show($("shelf-count"), many(rows, STATE.shelf === "timeline" && !searching ? "event" : "entry", STATE.shelf === "timeline" && !searching ? "events" : "entries"));
  const turn = (by, words) => h("button", { type: "button", klass: "switch", "aria-pressed": STATE.by === by ? "true" : "false", onclick: () => { STATE.by = by; shelve(); } }, words);
  show($("shelf-tools"), groups && [turn("kind", "by kind"), turn("subject", "by subject")]);
  list.set(items, keep);
  if (!rows) fill(list.inner, [h("p", { klass: "empty" }, searching ? ["Nothing holds all of these words."] : "Nothing here.")]);
  if (STATE.entry !== null && STATE.entry !== undefined) list.point(STATE.entry);
}

function page(content) {
  show($("main"), content);
  $("main").scrollTop = 0;
}

const open = (what) => { $("frame").dataset.open = what; };
const focusPage = () => { const title = $("entry-title"); if (title) title.focus({ preventScroll: true }); };
const backButton = () => h("button", { type: "button", klass: "back", onclick: () => { open("shelf"); } }, icon("back", 16), "List");

let soon = 0;
function search() {
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(() => {
    STATE.asked = $("search").value;
    STATE.words = wordsOf(STATE.asked);
    shelve();
    if (STATE.words.length) open("shelf");
  });
}

function copyButton(text, label) {
  return h("button", { type: "button", klass: "copy", title: text, onclick: async () => {
    try { await navigator.clipboard.writeText(text); } catch {
      // Pages from a file have no clipboard of their own.
      const area = h("textarea", {}, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    toast(["Copied ", h("code", {}, text)]);
  } }, label);
}

let fading = 0;
function toast(content) {
  show($("toast"), content);
  clearTimeout(fading);
  fading = setTimeout(() => show($("toast")), 6000);
}

const KEYS = [["/", "search"], ["j k", "down, up in the list"], ["Enter", "open"], ["Esc", "back: out of the search, the page, a dialog"], ["g G", "first, last in the list"],
  ["1 … 8", "views: " + VIEWS.map(([, words]) => words.toLowerCase()).join(", ")], ["t", "light or dark"], ["?", "these keys"]];
function help() {
  show($("help"), h("h2", { id: "help-title" }, "Keys"), h("dl", {}, KEYS.map(([keys, words]) => [h("dt", {}, keys.split(" ").map((key) => (key === "…" ? " … " : [h("kbd", {}, key), " "]))), h("dd", {}, words)])),
    h("form", { method: "dialog" }, h("div", { klass: "actions" }, h("button", { klass: "act" }, "Close"))));
  $("help").showModal();
}

const isDark = () => getComputedStyle(document.documentElement).colorScheme === "dark" || (document.documentElement.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
const drawTheme = () => show($("theme"), icon(isDark() ? "sun" : "moon"));
function turnTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  try { localStorage.setItem("lore-theme", document.documentElement.dataset.theme); } catch { /* It holds for this visit. */ }
  drawTheme();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inSearch = event.target === $("search");
  if (event.key === "Escape") {
    if (inSearch || STATE.words.length) { $("search").value = ""; search(); $("list").focus(); }
    else { open("shelf"); $("list").focus(); }
    event.preventDefault();
    return;
  }
  const down = event.key === "ArrowDown" || (!inSearch && event.key === "j");
  const up = event.key === "ArrowUp" || (!inSearch && event.key === "k");
  const inList = inSearch || event.target === $("list") || document.activeElement === document.body || event.key === "j" || event.key === "k";
  if ((down || up) && inList && !(event.target instanceof HTMLInputElement && !inSearch)) { list.move(down ? 1 : -1); if (!inSearch) $("list").focus({ preventScroll: true }); event.preventDefault(); return; }
  if (event.key === "Enter" && (inSearch || event.target === $("list"))) {
    const item = list.items[list.active] || list.move(1);
    if (item && item.head === undefined) { choose(item); event.preventDefault(); }
    return;
  }
  if (event.target instanceof HTMLInputElement) return;
  const acts = { "/": () => { $("search").focus(); $("search").select(); }, "?": help, t: turnTheme, g: () => list.move(-1e9), G: () => list.move(1e9), PageDown: () => list.move(6), PageUp: () => list.move(-6) };
  const view = VIEWS[Number(event.key) - 1];
  const act = acts[event.key] || (view && (() => go(view[0] === "overview" ? "#/" : "#/" + view[0])));
  if (act && !(event.key.startsWith("Page") && event.target !== $("list"))) { act(); event.preventDefault(); }
}

try { const theme = localStorage.getItem("lore-theme"); if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme; } catch { /* The system's choice holds. */ }
drawTheme();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawTheme);
$("theme").addEventListener("click", turnTheme);
$("keys").addEventListener("click", help);
$("skip").addEventListener("click", (event) => { event.preventDefault(); open("page"); $("main").focus(); });
$("search").addEventListener("input", search);
$("search-form").addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", () => { route(); focusPage(); });
take(JSON.parse($("lore-data").textContent));
if (SERVED) window.addEventListener("focus", () => { refresh().catch(() => {}); });
