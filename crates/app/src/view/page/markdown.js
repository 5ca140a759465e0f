// A little Markdown, as elements. What it does not know stays the text it is.

const INLINE = /(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)|\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()\[\]"'`]+[^\s<>()\[\]"'`.,;:!?])/g;

/** Turns the marks inside a line into elements. */
function inline(text) {
  const out = [];
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > from) out.push(text.slice(from, found.index));
    const [all, , code, bold, label, target, address] = found;
    if (code !== undefined) out.push(h("code", {}, code.trim() || code));
    else if (bold !== undefined) out.push(h("strong", {}, bold));
    else if (address !== undefined) out.push(outside(address, address));
    else if (/^https?:\/\//i.test(target)) out.push(outside(target, label));
    else out.push(label);
    from = found.index + all.length;
  }
  if (from < text.length) out.push(text.slice(from));
  return out;
}

const outside = (address, label) => h("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank" }, label);

/** Turns the lines of a table into one; the first is its head. */
function table(lines) {
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const [head, ...rows] = lines.filter((line) => !/^[\s|:-]+$/.test(line));
  return h("div", { klass: "table", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, cells(head || "").map((cell) => h("th", { scope: "col" }, inline(cell))))),
    h("tbody", {}, rows.map((row) => h("tr", {}, cells(row).map((cell) => h("td", {}, inline(cell))))))));
}

/** Turns Markdown into elements: paragraphs, lists, code, quotations, headings, tables. */
function markdown(text) {
  const out = h("div", { klass: "markdown" });
  const lines = text.split("\n");
  let at = 0;
  const take = (fits) => { const from = at; while (at < lines.length && fits(lines[at])) at += 1; return lines.slice(from, at); };
  const item = /^\s*(?:[-*+]|(\d{1,3})\.)\s+/;
  const unmarked = (line) => line.replace(/\[\^[^\]\s]+\]/g, "");
  while (at < lines.length) {
    const line = lines[at];
    const fence = line.match(/^\s*(```+|~~~+)/);
    if (fence) {
      at += 1;
      const code = take((next) => !next.trim().startsWith(fence[1]));
      at += 1;
      out.append(h("pre", { tabindex: "0" }, h("code", {}, code.join("\n"))));
    } else if (!line.trim() || /^\[\^[^\]]+\]:/.test(line)) {
      at += 1;
    } else if (/^#{1,6}\s/.test(line)) {
      at += 1;
      out.append(h("h3", {}, inline(unmarked(line.replace(/^#+\s*/, "")))));
    } else if (/^\s*\|/.test(line)) {
      out.append(table(take((next) => /^\s*\|/.test(next))));
    } else if (/^\s*>/.test(line)) {
      const quoted = take((next) => /^\s*>/.test(next)).map((next) => next.replace(/^\s*>\s?/, ""));
      out.append(h("blockquote", {}, inline(unmarked(quoted.join(" ")))));
    } else if (item.test(line)) {
      const ordered = Boolean(line.match(item)[1]);
      const items = [];
      for (const next of take((next) => item.test(next) || (/^\s+\S/.test(next) && Boolean(next.trim())))) {
        if (item.test(next)) items.push(next.replace(item, ""));
        else items[items.length - 1] += " " + next.trim();
      }
      out.append(h(ordered ? "ol" : "ul", {}, items.map((text) => h("li", {}, inline(unmarked(text))))));
    } else {
      const paragraph = take((next) => next.trim() && !/^\s*(```|~~~|>|\||#{1,6}\s)/.test(next) && !item.test(next));
      if (paragraph.length) out.append(h("p", {}, inline(unmarked(paragraph.join(" ")))));
      else { out.append(h("p", {}, line)); at += 1; }
    }
  }
  return out;
}
