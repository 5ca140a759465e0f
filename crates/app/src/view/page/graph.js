// What replaced what, drawn: older on the left (above, on a phone), arrows to what came after.

const BOX = { width: 196, gap: 38, between: 16, line: 17, letters: 25, lines: 5 };

function wrapped(text) {
  const lines = [];
  let line = "";
  for (let word of text.split(/\s+/)) {
    if (word.length > BOX.letters) word = word.slice(0, BOX.letters - 1) + "…";
    if (line && (line + " " + word).length > BOX.letters) { lines.push(line); line = word; } else line = line ? line + " " + word : word;
    if (lines.length === BOX.lines) break;
  }
  if (lines.length < BOX.lines && line) { lines.push(line); line = ""; }
  else if (line) lines[BOX.lines - 1] = lines[BOX.lines - 1].slice(0, BOX.letters - 1).replace(/[\s.,;:]*$/, "") + "…";
  return lines;
}

/** Counts how many steps each node is from the oldest; circles are cut. */
function layersOf(graph) {
  const layer = graph.nodes.map(() => 0);
  for (let round = 0; round < graph.nodes.length; round += 1) {
    let moved = false;
    for (const edge of graph.edges) {
      if (layer[edge.to] < layer[edge.from] + 1 && layer[edge.from] + 1 < graph.nodes.length) { layer[edge.to] = layer[edge.from] + 1; moved = true; }
    }
    if (!moved) break;
  }
  return layer;
}

const STANDING = { holds: "holds", past: "held once", disputed: "disputed", "possibly-replaced": "possibly replaced" };
const ARROW = { replaced: "was replaced by", possibly: "was possibly replaced by", against: "contradicts" };

function drawing(graph) {
  const upright = window.matchMedia("(max-width: 44rem)").matches;
  const layer = layersOf(graph);
  const rows = [];
  const boxes = graph.nodes.map((node, at) => {
    const lines = wrapped(node.text);
    const row = (rows[layer[at]] = rows[layer[at]] || []);
    row.push(at);
    return { lines, height: 34 + lines.length * BOX.line };
  });
  const tallest = rows.map((row) => Math.max(...row.map((at) => boxes[at].height)));
  rows.forEach((row, step) => {
    let along = 2;
    for (const at of row) {
      const before = upright ? tallest.slice(0, step).reduce((sum, height) => sum + height + 44, 2) : 2 + step * (BOX.width + BOX.gap);
      Object.assign(boxes[at], upright ? { x: along, y: before } : { x: before, y: along });
      along += (upright ? BOX.width : boxes[at].height) + BOX.between;
    }
  });
  const width = Math.max(...boxes.map((box) => box.x + BOX.width)) + 3;
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + 3;
  const said = graph.edges.map((edge) => `“${graph.nodes[edge.from].text}” ${ARROW[edge.how]} “${graph.nodes[edge.to].text}”`).join("; ");
  const svg = s("svg", { width, height, viewBox: `0 0 ${width} ${height}` },
    graph.edges.map((edge) => arrow(boxes[edge.from], boxes[edge.to], edge.how, upright)),
    graph.nodes.map((node, at) => nodeBox(node, boxes[at])));
  // A little smaller is still readable; beyond that one scrolls.
  svg.style.minWidth = `${width * 0.82}px`;
  return h("figure", { klass: "graph", role: "group", "aria-label": said, tabindex: "0" }, svg);
}

function nodeBox(node, box) {
  const open = () => go(addressOf(node.entry));
  return s("g", { klass: node.standing, role: "link", tabindex: "0", "aria-label": `${STANDING[node.standing]}: ${node.text}`,
    onclick: open, onkeydown: (event) => { if (event.key === "Enter") { event.stopPropagation(); open(); } } },
  s("title", {}, node.text),
  s("rect", { x: box.x, y: box.y, width: BOX.width, height: box.height, rx: 9 }),
  s("rect", { klass: "bar", x: box.x, y: box.y + 10, width: 3.5, height: box.height - 20, rx: 1.7 }),
  s("text", { klass: "when", x: box.x + 14, y: box.y + 20 }, [node.day && dayName(node.day), STANDING[node.standing]].filter(Boolean).join(" · ")),
  box.lines.map((line, at) => s("text", { x: box.x + 14, y: box.y + 39 + at * BOX.line }, line)));
}

function arrow(from, to, how, upright) {
  const [x1, y1] = upright ? [from.x + BOX.width / 2, from.y + from.height] : [from.x + BOX.width, from.y + from.height / 2];
  const room = how === "against" ? 0 : 7;
  const [x2, y2] = upright ? [to.x + BOX.width / 2, to.y - room] : [to.x - room, to.y + to.height / 2];
  const bend = upright ? `C${x1},${(y1 + y2) / 2} ${x2},${(y1 + y2) / 2} ${x2},${y2}` : `C${(x1 + x2) / 2},${y1} ${(x1 + x2) / 2},${y2} ${x2},${y2}`;
  const head = upright ? `M${x2 - 5},${y2 - 2} L${x2 + 5},${y2 - 2} L${x2},${y2 + 6} z` : `M${x2 - 2},${y2 - 5} L${x2 - 2},${y2 + 5} L${x2 + 6},${y2} z`;
  return [s("path", { klass: "edge " + how, d: `M${x1},${y1} ${bend}` }), how !== "against" && s("path", { klass: "arrow " + how, d: head })];
}

const DAY = 86400000;
const at = (day) => Date.parse(day + "T00:00:00Z");

/** Draws how much happened when: by day, week or month, whichever gives a picture. */
function activity(events) {
  const known = events.map((event) => at(event.day)).filter((time) => !Number.isNaN(time));
  if (!known.length) return null;
  const [first, last] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const span = (last - first) / DAY;
  const day = (time) => new Date(time).toISOString().slice(0, 10);
  const start = span <= 45 ? (time) => day(time) : span <= 300 ? (time) => day(time - ((new Date(time).getUTCDay() + 6) % 7) * DAY) : (time) => day(time).slice(0, 7) + "-01";
  const named = span > 300 ? monthName : span <= 45 ? dayName : (from) => "week of " + dayName(from);
  const counts = new Map();
  for (let time = first; time <= last && counts.size < 400; time += DAY) counts.set(start(time), 0);
  for (const time of known) counts.set(start(time), (counts.get(start(time)) || 0) + 1);
  const bars = [...counts].slice(-60);
  if (bars.length < 2) return null;
  const most = Math.max(...bars.map(([, count]) => count));
  const step = 600 / bars.length;
  const wide = Math.min(step * 0.74, 26);
  const told = ([from, count]) => `${named(from)}: ${count}`;
  return s("svg", { klass: "months", viewBox: "0 0 600 96", role: "img", "aria-label": bars.filter(([, count]) => count > 0).map(told).join(", ") },
    bars.map((bar, place) => {
      const tall = bar[1] ? Math.max(3, (bar[1] / most) * 72) : 1;
      return s("rect", { x: place * step + (step - wide) / 2, y: 78 - tall, width: wide, height: tall, rx: Math.min(3, tall / 2) }, s("title", {}, told(bar)));
    }),
    s("text", { x: 2, y: 93 }, named(bars[0][0])), s("text", { x: 598, y: 93, "text-anchor": "end" }, named(bars[bars.length - 1][0])));
}
