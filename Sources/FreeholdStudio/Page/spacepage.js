// Where the bytes are: a treemap of classes, their columns and indexes, and free pages.
import { h, replace, bytes, progressBar } from "/dom.js";
import { lines } from "/api.js";
import { state } from "/state.js";

export class SpacePage {
  constructor() {
    this.title = "Space";
    this.info = h("span", { class: "info", role: "status" });
    this.map = h("div", { class: "treemap", role: "group", "aria-label": "Treemap of the file" });
    this.tableView = h("div", { class: "table-scroll" });
    this.element = h("div", { class: "page" },
      h("div", { class: "toolbar" }, h("h1", {}, "Space"), this.info, h(
        "span", { class: "push" }),
        h("button", { class: "quiet", onclick: () => this.load() }, "Measure again")),
      h("div", { class: "page-body" }, this.map, this.tableView));
    this.sizes = new ResizeObserver(() => this.draw());
    this.sizes.observe(this.map);
    this.load();
  }

  close() {
    this.sizes.disconnect();
    this.stop?.abort();
  }

  async load() {
    this.stop?.abort();
    const stop = this.stop = new AbortController();
    this.answer = undefined;
    const place = h("p", { class: "pad" });
    replace(this.map, place);
    const bar = progressBar(place, "Measuring");
    try {
      for await (const line of lines("space", { file: state.file }, stop.signal)) {
        if (line.problem) throw new Error(line.problem);
        if (line.parts) this.answer = line;
        else bar.show(line.part, `${Math.floor(line.part * 100)} %`);
      }
    } catch (failure) {
      if (stop.signal.aborted) return;
      return replace(this.map, h("p", { class: "pad" }, failure.message));
    }
    this.info.textContent =
      `${bytes(this.answer.byteCount)} · ${bytes(this.answer.usedByteCount)} in use`;
    this.draw();
    const rows = this.answer.parts.flatMap((part) => [
      h("tr", { class: "group" }, h("th", { scope: "row" }, part.name), h(
      "td", { class: "right" }, bytes(part.byteCount)), h("td", { class: "right faint" },
        this.share(part.byteCount))),
      ...(part.parts ?? []).map((inner) => h("tr", {}, h("th", { scope: "row",
        class: "indented" }, inner.name), h("td", { class: "right" }, bytes(inner
        .byteCount)), h("td", { class: "right faint" }, this.share(inner.byteCount)))),
    ]);
    replace(this.tableView, h("table", { class: "wide-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Part"), h("th", { scope: "col",
        class: "right" }, "Size"), h("th", { scope: "col", class: "right" }, "Share"))),
      h("tbody", {}, rows)));
  }

  share(size) { return `${(size / Math.max(1, this.answer.byteCount) * 100).toFixed(1)} %`; }

  draw() {
    if (!this.answer) return;
    const { clientWidth: width, clientHeight: height } = this.map;
    const boxes = [];
    const parts = this.answer.parts.filter((part) => part.byteCount > 0);
    for (const [index, [part, area]] of squarify(parts, { x: 0, y: 0, w: width, h: height })
      .entries()) {
      boxes.push(box(part, area,
        `group tone-${part.kind === "free" ? "free" : part.kind === "other" ? "other" : index % 6}`
        ));
      const inner = (part.parts ?? []).filter((found) => found.byteCount > 0);
      if (area.w > 40 && area.h > 40 && inner.length > 0) {
        for (const [leaf, place] of squarify(inner, { x: area.x + 3, y: area.y + 21, w: area.w -
              6, h: area.h - 24 })) {
          boxes.push(box(leaf, place, "leaf"));
        }
      }
    }
    replace(this.map, boxes);
  }
}

function box(part, { x, y, w, h: height }, kind) {
  return h("div", {
    class: `box ${kind}`,
    tabindex: 0,
    role: "img",
    title: `${part.name}: ${bytes(part.byteCount)}`,
    "aria-label": `${part.name}, ${bytes(part.byteCount)}`,
    style: { left: `${x}px`, top: `${y}px`, width: `${Math.max(0, w - 1)}px`,
      height: `${Math.max(0, height - 1)}px` },
  }, w > 46 && height > 16 && h("span", {}, part.name, w > 110 && h("span", { class: "faint" },
    ` ${bytes(part.byteCount)}`)));
}

/** Bruls, Huizing, van Wijk: rectangles as square as can be. */
export function squarify(parts, area) {
  const total = parts.reduce((sum, part) => sum + part.byteCount, 0);
  if (total === 0 || area.w <= 0 || area.h <= 0) return [];
  const scale = area.w * area.h / total;
  const rest = [...parts].sort((a, b) => b.byteCount - a.byteCount).map((part) => [part, part
    .byteCount * scale
  ]);
  const placed = [];
  let free = { ...area };
  while (rest.length > 0) {
    const side = Math.max(1, Math.min(free.w, free.h));
    const row = [];
    let [sum, worst] = [0, Infinity];
    while (rest.length > 0) {
      const size = rest[0][1];
      const next = sum + size;
      const sizes = [...row.map(([, other]) => other), size];
      const thickness = next / side;
      const ratio = Math.max(...sizes.map((other) => { const length = other / thickness; return Math
          .max(thickness / length, length / thickness); }));
      if (row.length > 0 && ratio > worst) break;
      row.push(rest.shift());
      [sum, worst] = [next, ratio];
    }
    const thickness = sum / side;
    let offset = 0;
    for (const [part, size] of row) {
      const length = size / thickness;
      placed.push([part, free.w >= free.h ?
        { x: free.x, y: free.y + offset, w: thickness, h: length } :
        { x: free.x + offset, y: free.y, w: length, h: thickness }
      ]);
      offset += length;
    }
    free = free.w >= free.h ?
      { x: free.x + thickness, y: free.y, w: free.w - thickness, h: free.h } :
      { x: free.x, y: free.y + thickness, w: free.w, h: free.h - thickness };
  }
  return placed;
}
