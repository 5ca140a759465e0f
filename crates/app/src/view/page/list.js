// A list of any length of which only what is in sight is in the document.

class LongList {
  constructor(box, draw, chosen) {
    this.box = box;
    this.draw = draw;
    this.chosen = chosen;
    this.inner = h("div", { klass: "inner", role: "presentation" });
    this.items = [];
    this.shown = new Map();
    this.active = -1;
    show(box, this.inner);
    box.addEventListener("scroll", () => this.soon(), { passive: true });
    new ResizeObserver(() => this.soon()).observe(box);
  }

  /** Takes new items: `{ head }` or `{ key, … }`; the place is kept where the keys are the same. */
  set(items, keep) {
    const root = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    this.items = items;
    this.offsets = new Float64Array(items.length + 1);
    this.rows = 0;
    items.forEach((item, at) => {
      this.offsets[at + 1] = this.offsets[at] + Math.round((item.head === undefined ? 5.1 : 2.4) * root);
      if (item.head === undefined) item.number = (this.rows += 1);
    });
    this.inner.style.height = this.offsets[items.length] + "px";
    this.shown.clear();
    this.inner.replaceChildren();
    if (!keep) { this.active = -1; this.box.scrollTop = 0; }
    this.box.removeAttribute("aria-activedescendant");
    this.paint();
  }

  soon() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.paint(); });
  }

  /** Finds the item at a height, by halving. */
  at(height) {
    let [low, high] = [0, this.items.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.offsets[middle + 1] <= height) low = middle + 1; else high = middle;
    }
    return low;
  }

  paint() {
    const first = Math.max(0, this.at(this.box.scrollTop) - 6);
    const last = Math.min(this.items.length, this.at(this.box.scrollTop + this.box.clientHeight) + 7);
    for (const [at, node] of this.shown) {
      if (at < first || at >= last) { node.remove(); this.shown.delete(at); }
    }
    for (let at = first; at < last; at += 1) {
      let node = this.shown.get(at);
      if (!node) {
        node = this.make(at);
        this.shown.set(at, node);
        this.inner.append(node);
      }
      if (this.items[at].head === undefined) node.setAttribute("aria-selected", at === this.active ? "true" : "false");
    }
    if (this.shown.has(this.active)) this.box.setAttribute("aria-activedescendant", this.shown.get(this.active).id);
  }

  make(at) {
    const item = this.items[at];
    const node = item.head !== undefined
      ? h("div", { klass: "row-head", role: "presentation" }, h("span", {}, item.head), item.count && h("span", { klass: "number" }, item.count))
      : this.draw(item);
    if (item.head === undefined) {
      dress(node, { id: "row-" + at, role: "option", "aria-posinset": item.number, "aria-setsize": this.rows });
      node.addEventListener("click", () => { this.activate(at); this.chosen(item); });
    }
    node.style.top = this.offsets[at] + "px";
    return node;
  }

  activate(at) {
    this.active = at;
    const box = this.box;
    const [top, bottom] = [this.offsets[at], this.offsets[at + 1]];
    if (top < box.scrollTop) box.scrollTop = Math.max(0, top - (this.items[at - 1] && this.items[at - 1].head !== undefined ? 40 : 0));
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    this.paint();
  }

  /** Goes on by rows, over headings; returns the item that is reached. */
  move(by) {
    const step = Math.sign(by);
    let at = this.active < 0 && by < 0 ? this.items.length : this.active;
    for (let left = Math.abs(by); left > 0; left -= 1) {
      let next = at + step;
      while (next >= 0 && next < this.items.length && this.items[next].head !== undefined) next += step;
      if (next < 0 || next >= this.items.length) break;
      at = next;
    }
    if (at < 0 || at >= this.items.length || this.items[at].head !== undefined) return null;
    this.activate(at);
    return this.items[at];
  }

  /** Marks the row of an entry without moving anything else. */
  point(key) {
    const at = this.items.findIndex((item) => item.head === undefined && item.key === key);
    if (at >= 0) this.activate(at);
  }
}
