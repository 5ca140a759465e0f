// Making elements. Text from the base only ever becomes text nodes: nothing here parses HTML.

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function fill(element, children) {
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

function dress(element, properties) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "href") element.setAttribute("href", safe(value));
    else element.setAttribute(name === "klass" ? "class" : name, value === true ? "" : String(value));
  }
  return element;
}

const h = (tag, properties, ...children) => fill(dress(document.createElement(tag), properties), children);
const s = (tag, properties, ...children) => fill(dress(document.createElementNS(SVG, tag), properties), children);

/** Lets through places on this page and plain web addresses; anything else leads nowhere. */
function safe(address) {
  const text = String(address);
  return text.startsWith("#") || /^https?:\/\/[^\s]+$/i.test(text) ? text : "#/";
}

function show(element, ...children) {
  element.replaceChildren();
  return fill(element, children);
}

const PATHS = {
  overview: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  contents: "M5 4h11a3 3 0 013 3v13H8a3 3 0 01-3-3zM5 17a3 3 0 013-3h11",
  waiting: "M12 4v16M6 20h12M5 8h14M5 8l-3 6h6zM19 8l-3 6h6z",
  timeline: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2",
  replaced: "M4 8h13l-3.5-3.5M20 16H7l3.5 3.5",
  questions: "M9 9a3 3 0 116 0c0 2-3 2.3-3 4.5M12 17.5v.2M12 3a9 9 0 100 18 9 9 0 000-18z",
  lessons: "M9 18h6M10 21h4M12 3a6 6 0 00-3.5 10.9c.5.4.5 1 .5 2.1h6c0-1.1 0-1.7.5-2.1A6 6 0 0012 3z",
  spikes: "M9 3h6M10 3v6L4.5 19a1.5 1.5 0 001.3 2h12.4a1.5 1.5 0 001.3-2L14 9V3M7.5 15h9",
  person: "M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c.6-4 3.9-6 8-6s7.4 2 8 6",
  agent: "M5 8h14v11H5zM12 8V4M9 13v1.5M15 13v1.5M2.5 12v3M21.5 12v3",
  tool: "M4 5h16v14H4zM7 9l3 3-3 3M12 15h5",
  web: "M12 3a9 9 0 100 18 9 9 0 000-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  tick: "M5 12.5l4.5 4.5L19 7.5",
  moon: "M20 14.5A8.5 8.5 0 019.5 4 8.5 8.5 0 1020 14.5z",
  sun: "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.300 17.300L19 19M19 5l-1.7 1.7M6.700 17.300L5 19",
  back: "M14 6l-6 6 6 6",
};

const icon = (name, size = 18) =>
  s("svg", { viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor",
    "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false" },
  s("path", { d: PATHS[name] }));

const DAYS = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const MONTHS = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
// Naming a day takes long, and there are many events on few days.
const NAMED = new Map();
function named(form, day) {
  const key = form === DAYS ? day : day.slice(0, 7);
  if (!NAMED.has(key)) { const at = new Date((form === DAYS ? key : key + "-01") + "T00:00:00Z"); NAMED.set(key, Number.isNaN(+at) ? day : form.format(at)); }
  return NAMED.get(key);
}
const dayName = (day) => named(DAYS, day);
const monthName = (day) => named(MONTHS, day);
const time = (day) => day && h("time", { datetime: day }, dayName(day));
const many = (count, one, more) => `${count.toLocaleString("en")} ${count === 1 ? one : more || one + "s"}`;
