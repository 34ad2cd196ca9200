// Classes and their links as a diagram, in columns from those that nothing links to.
import { h, replace, shortCount, counted } from "/dom.js";
import { state } from "/state.js";

const [boxWidth, rowHeight, headHeight, gapX, gapY] = [214, 19, 32, 86, 26];
const mostRows = 14;

export class SchemaPage {
  constructor() {
    this.title = "Schema";
    this.place = h("div", { class: "diagram-scroll", tabindex: 0,
    role: "region", "aria-label": "Diagram of the classes" });
    const links = state.classes.flatMap((found) => found.properties.filter((property) => property
      .target));
    this.element = h("div", { class: "page" },
      h("div", { class: "toolbar" }, h("h1", {}, "Schema"),
        h("span", { class: "info" },
          `${counted(state.classes.length, "class", "classes")} · ${counted(links.length, "link")}`
          ),
        h("span", { class: "push" })),
      this.place);
    this.draw();
  }

  commit(commit) { if (commit.isSchemaChanged) this.draw(); }

  draw() {
    const boxes = layout(state.classes);
    if (boxes.size === 0) return replace(this.place, h("div", { class: "blank" }, h("h2", {},
      "No classes")));
    const width = Math.max(...[...boxes.values()].map((box) => box.x + boxWidth)) + 24;
    const height = Math.max(...[...boxes.values()].map((box) => box.y + box.h)) + 24;
    const lines = [];
    const nodes = [];
    for (const box of boxes.values()) {
      for (const [index, property] of box.rows.entries()) {
        const target = property.target && boxes.get(property.target);
        if (target) lines.push(edge(box, index, target, property));
      }
      nodes.push(boxNode(box));
    }
    replace(this.place, h("svg", { width, height, viewBox: `0 0 ${width} ${height}`,
        class: "diagram", role: "img", "aria-label": describe() },
      h("g", { class: "edges" }, lines), h("g", {}, nodes)));
  }
}

function describe() {
  return state.classes.map((found) => {
    const links = found.properties.filter((property) => property.target).map((property) =>
      `${property.name} to ${property.target}`);
    return `${found.name}${links.length ? ": " + links.join(", ") : ""}`;
  }).join(". ");
}

function layout(classes) {
  const names = new Set(classes.map((found) => found.name));
  const incoming = new Map(classes.map((found) => [found.name, new Set()]));
  for (const found of classes) {
    for (const property of found.properties) {
      if (names.has(property.target) && property.target !== found.name) incoming.get(property
        .target).add(found.name);
    }
  }
  // The column of a class: one to the right of those that link to it, without going round.
  const depth = new Map();
  const depthOf = (name, path) => {
    if (depth.has(name)) return depth.get(name);
    if (path.has(name)) return 0;
    path.add(name);
    const found = Math.max(0, ...[...incoming.get(name)].filter((other) => !path.has(other)).map((
      other) => depthOf(other, path) + 1));
    path.delete(name);
    depth.set(name, found);
    return found;
  };
  const columns = [];
  for (const found of [...classes].sort((a, b) => b.properties.length - a.properties.length)) {
    const column = Math.min(depthOf(found.name, new Set()), 6);
    (columns[column] ??= []).push(found);
  }
  const boxes = new Map();
  // Room for the links between classes of the first column, at their left.
  let x = 40;
  for (const column of columns.filter(Boolean)) {
    let y = 24;
    let right = x;
    for (const found of column) {
      const rows = found.properties.length > mostRows ? found.properties.slice(0, mostRows) : found
        .properties;
      const hidden = found.properties.length - rows.length;
      const h = headHeight + rows.length * rowHeight + (hidden ? rowHeight : 0) + 8;
      if (y > 24 && y + h > 1400) { y = 24;
        right += boxWidth + 28; }
      boxes.set(found.name, { found, rows, hidden, x: right, y, h });
      y += h + gapY;
    }
    x = right + boxWidth + gapX;
  }
  return boxes;
}

const rowY = (box, index) => box.y + headHeight + index * rowHeight + 14;

function edge(from, index, to, property) {
  const y1 = rowY(from, index) - 4;
  const y2 = to.y + 16;
  const isBack = to.x <= from.x;
  const x1 = isBack ? from.x : from.x + boxWidth;
  const x2 = isBack && to.x !== from.x ? to.x + boxWidth : to.x;
  const bend = Math.max(34, Math.abs(x2 - x1) / 2);
  const [c1, c2] = [isBack ? x1 - bend : x1 + bend, isBack && to.x !== from.x ? x2 + bend : x2 -
    bend
  ];
  const end = isBack && to.x !== from.x ? 6 : -6;
  return h("g", { class: `edge ${property.isEmbedded ? "owned" : ""}` },
    h("title", {}, `${from.found.name}.${property.name}: ${property.typeText}`),
    h("path", { d: `M${x1} ${y1} C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}` }),
    h("path", { class: "head", d: `M${x2 + end} ${y2 - 4} L${x2} ${y2} L${x2 + end} ${y2 + 4}` }),
    property.collection && h("circle", { cx: x1 + (isBack ? -4 : 4), cy: y1, r: 2.5 }));
}

function boxNode({ found, rows, hidden, x, y, h: height }) {
  const open = () => { location.hash = `#/${state.file}/class/${encodeURIComponent(found.name)}`; };
  return h("g", { class: `class-box ${found.isEmbedded ? "embedded" : ""}`, tabindex: 0,
      role: "link", "aria-label": `${found.name}, ${counted(found.count, "object")}`,
      onclick: open, onkeydown: (event) => { if (event.key === "Enter") open(); } },
    h("rect", { x, y, width: boxWidth, height, rx: 6 }),
    h("path", { class: "rule", d: `M${x} ${y + headHeight - 4}h${boxWidth}` }),
    h("text", { x: x + 12, y: y + 19, class: "title" }, found.name),
    h("text", { x: x + boxWidth - 12, y: y + 19, class: "number", "text-anchor": "end" },
      shortCount(found.count)),
    rows.map((property, index) => h("g", {},
      h("text", { x: x + 12, y: y + headHeight + index * rowHeight + 14, class: property
          .isPrimaryKey ? "key" : "" }, cut(property.name, 16)),
      h("text", { x: x + boxWidth - 12, y: y + headHeight + index * rowHeight + 14,
          class: `type ${property.target ? "to" : ""}`, "text-anchor": "end" },
        cut(property.typeText, 17) + (property.index ? " •" : "")))),
    hidden > 0 && h("text", { x: x + 12, y: y + headHeight + rows.length * rowHeight + 14,
      class: "type" }, `and ${hidden} more`));
}

const cut = (text, length) => text.length > length ? text.slice(0, length - 1) + "…" : text;
