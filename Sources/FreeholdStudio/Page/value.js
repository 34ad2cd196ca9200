// How values look. The server sends a cell as null, or as `{ k: kind, v: value, … }`:
//   bool, int, float, double, decimal128, string, data, date, objectId, uuid — v is a text, or a
//     boolean; a long text or long data is cut, with `n`, its whole length
//   link — c: class, r: row, v: name     embedded — c: class, v: { property: cell }
//   list, set — v: cells, n: count       map — v: [key, cell]s, n: count
import { h, bytes, counted } from "/dom.js";
import { state, classNamed } from "/state.js";

export const isNumeric = (column) =>
  !column.collection && ["int", "float", "double", "decimal128"].includes(column.type);

export function linkAddress(className, row, file = state.file) {
  return `#/${file}/class/${encodeURIComponent(className)}?key=${row}`;
}

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "2024-03-01 10:22:09.125" in the zone of this computer. */
export function dateText(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  const two = (number) => String(number).padStart(2, "0");
  const fraction = /\.(\d+)/.exec(text)?.[1]?.replace(/0+$/, "");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}` +
    (fraction ? `.${fraction}` : "");
}

/** One line, for cells, lists and titles. */
export function summary(cell, depth = 0) {
  if (cell === null || cell === undefined) return "null";
  switch (cell.k) {
    case "string":
      {
      const shown = oneLine(cell.v) + (cell.n ? "…" : "");
      return depth > 0 ? `“${shown}”` : shown;
    }
    case "bool":
      return cell.v ? "true" : "false";
    case "date":
      return dateText(cell.v);
    case "data":
      return `${bytes(cell.n ?? hexLength(cell.v))}`;
    case "link":
      return cell.v || `${cell.c} #${cell.r}`;
    case "embedded": {
      const parts = Object.entries(cell.v).filter(([, value]) => value !== null);
      if (depth > 1) return "{…}";
      return parts.slice(0, 5).map(([name, value]) =>
        depth === 0 ? `${name}: ${summary(value, 1)}` : summary(value, 2)).join(", ") || "{}";
    }
    case "list":
    case "set": {
      if (cell.n === 0) return cell.k === "list" ? "[]" : "{}";
      if (depth > 1) return `[${cell.n}]`;
      const shown = cell.v.slice(0, 6).map((item) => summary(item, depth + 1)).join(", ");
      return depth ? `[${shown}${cell.n > 6 ? ", …" : ""}]` : shown + (cell.n > 6 ? ", …" : "");
    }
    case "map": {
      if (cell.n === 0) return "{}";
      if (depth > 1) return `{${cell.n}}`;
      return cell.v.slice(0, 5).map(([key, item]) => `${key}: ${summary(item, depth + 1)}`).join(
          ", ") +
        (cell.n > 5 ? ", …" : "");
    }
    default:
      return String(cell.v);
  }
}

const hexLength = (text) => Math.floor(text.length / 2);
const oneLine = (text) => text.slice(0, 400).replace(/\s+/g, " ");

/** A cell of the grid. */
export function cellNode(cell, column) {
  const node = h("div", { class: "cell", role: "gridcell" });
  if (cell === null || cell === undefined) {
    node.classList.add("null");
    node.append("null");
    return node;
  }
  node.classList.add(`k-${cell.k}`);
  if (isNumeric(column)) node.classList.add("right");
  switch (cell.k) {
    case "link":
      node.append(link(cell));
      break;
    case "bool":
      node.append(h("span", { class: cell.v ? "yes" : "no" }, cell.v ? "true" : "false"));
      break;
    case "list":
    case "set":
    case "map":
      node.append(h("span", { class: "size" }, String(cell.n)), items(cell));
      break;
    case "data":
      node.append(h("span", { class: "size" }, summary(cell)), h("span", { class: "hex" }, cell.v
        .slice(0, 24)));
      break;
    case "string":
      if (cell.v === "") node.append(h("span", { class: "empty" }, "empty"));
      else node.append(summary(cell));
      break;
    default:
      node.append(summary(cell));
  }
  if (column.type === "mixed" && !["list", "map", "link"].includes(cell.k)) {
    node.prepend(h("span", { class: "tag" }, cell.k));
  }
  return node;
}

function items(cell) {
  const values = cell.k === "map" ? cell.v.map(([, item]) => item) : cell.v;
  if (values[0]?.k !== "link" || cell.k === "map") return summary(cell);
  return h("span", {}, values.slice(0, 8).flatMap((item, index) => [index ? ", " : "", item ? link(
    item) : "null"]));
}

export function link(cell) {
  return h("a", { class: "link", href: linkAddress(cell.c, cell.r), tabindex: -1,
      title: `${cell.c} #${cell.r}` },
    cell.v || `#${cell.r}`);
}

/** A whole value, for the card: nested as deep as it is. `more(cell)` fetches what was cut. */
export function fullNode(cell, more, depth = 0) {
  if (cell === null || cell === undefined) return h("span", { class: "null" }, "null");
  switch (cell.k) {
    case "string":
      return text(cell, more);
    case "data":
      return data(cell, more);
    case "date":
      return h("span", { class: "k-date" }, dateText(cell.v), h("span", { class: "faint" },
        ` ${zone}`));
    case "link": {
      const node = link(cell);
      node.tabIndex = 0;
      return h("span", {}, node, h("span", { class: "faint" }, ` ${cell.c}`));
    }
    case "embedded":
      return nest(cell.c, Object.entries(cell.v).map(([name, value]) => [name, value]), more,
      depth);
    case "list":
    case "set":
      if (cell.n === 0) return h("span", { class: "empty" }, `empty ${cell.k}`);
      return nest(counted(cell.n, "element"), cell.v.map((value, index) => [cell.k === "list" ?
        index : "·", value
      ]), more, depth, cell);
    case "map":
      if (cell.n === 0) return h("span", { class: "empty" }, "empty map");
      return nest(counted(cell.n, "entry", "entries"), cell.v, more, depth, cell);
    case "bool":
      return h("span", { class: cell.v ? "yes" : "no" }, cell.v ? "true" : "false");
    default:
      return h("span", { class: `k-${cell.k}` }, String(cell.v));
  }
}

function nest(label, pairs, more, depth, cell) {
  const rest = cell ? cell.n - pairs.length : 0;
  return h("details", { class: "nest", open: depth < 3 },
    h("summary", {}, label),
    h("dl", {},
      pairs.map(([name, value]) => [
        h("dt", {}, String(name)), h("dd", {}, fullNode(value, more, depth + 1)),
      ]),
      rest > 0 && [h("dt", {}, "…"), h("dd", { class: "faint" },
        `${counted(rest, "more", "more")}`)]));
}

function text(cell, more) {
  if (cell.v === "") return h("span", { class: "empty" }, "empty");
  const long = cell.v.length > 300 || cell.n;
  const node = h("div", { class: `text ${long ? "folded" : ""}` }, cell.v);
  if (!long) return node;
  const button = h("button", { class: "quiet small" }, cell.n ?
    `Show all ${counted(cell.n, "byte")}` : "Show all");
  button.addEventListener("click", async () => {
    if (cell.n && more) node.textContent = (await more(cell))?.v ?? node.textContent;
    node.classList.remove("folded");
    button.remove();
  });
  return h("div", {}, node, button);
}

function data(cell) {
  const size = cell.n ?? hexLength(cell.v);
  const lines = [];
  for (let start = 0; start < Math.min(cell.v.length, 512); start += 32) {
    const line = cell.v.slice(start, start + 32);
    const pairs = line.match(/../g) ?? [];
    const ascii = pairs.map((pair) => {
      const code = parseInt(pair, 16);
      return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
    }).join("");
    lines.push(
      `${(start / 2).toString(16).padStart(4, "0")}  ${pairs.join(" ").padEnd(47)}  ${ascii}`);
  }
  return h("div", {},
    h("span", { class: "faint" }, bytes(size)),
    size > 0 && h("pre", { class: "hex", tabindex: 0, "aria-label": "Bytes" }, lines.join("\n")),
    size > 256 && h("span", { class: "faint" }, `the first 256 of ${bytes(size)}`));
}

/** The properties that name an object best. */
export function titleProperty(className) {
  const found = classNamed(className);
  const names = ["name", "title", "label", "subject", "email", "street", "text"];
  return found?.properties.find((property) =>
      property.type === "string" && !property.collection && names.includes(property.name
        .toLowerCase())) ??
    found?.properties.find((property) => property.isPrimaryKey);
}
