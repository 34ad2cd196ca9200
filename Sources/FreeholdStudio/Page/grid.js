// A grid over any number of rows: a window of a few hundred is known, and those in view are in
// the document. Keys of rows, not positions, stay where they are when others commit.
import { h, replace, count } from "/dom.js";
import { get } from "/api.js";
import { state } from "/state.js";
import { cellNode, isNumeric } from "/value.js";

const rowHeight = 28;
/** Below the heights that browsers refuse (Firefox: 17.8 million). */
const tallest = 15_000_000;
const windowSize = 240;
const margin = 40;
const overscan = 6;

export class Grid {
  /**
   * `options`: `className`, `query`, `columns` (properties), `onOpen(row)`, `onEdit(row, column,
   * cell)`, `onSort(property)`, `onAnswer(answer)`, `onFailure(failure)`, `sorted` (name ->
   * "ASC" or "DESC").
   */
  constructor(options) {
    Object.assign(this, options);
    this.total = 0;
    this.start = 0;
    this.rows = [];
    this.top = 0;
    this.focus = { row: 0, column: 0 };
    this.isStale = true;
    this.keyWidth = innerWidth < 760 ? 54 : 76;
    this.widths = this.columns.map((column) => defaultWidth(column));
    this.build();
  }

  build() {
    this.header = h("div", { class: "grid-head", role: "row", "aria-rowindex": 1 });
    this.layer = h("div", { class: "grid-layer", role: "rowgroup" });
    this.spacer = h("div", { class: "grid-spacer" }, this.layer);
    this.element = h("div", {
      class: "grid",
      role: "grid",
      tabindex: 0,
      "aria-label": `Objects of ${this.className}`,
      "aria-colcount": this.columns.length + 1,
      "aria-readonly": state.draft ? null : "true",
    }, this.header, this.spacer);
    this.nodes = new Map();
    this.buildHeader();
    this.element.addEventListener("scroll", () => this.scrolled(), { passive: true });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("dblclick", (event) => this.doubleClick(event));
    this.sizes = new ResizeObserver(() => this.layout());
    this.sizes.observe(this.element);
  }

  close() {
    this.sizes.disconnect();
    this.request?.abort();
    clearTimeout(this.timer);
    this.isClosed = true;
  }

  buildHeader() {
    const template = this.template;
    this.header.style.gridTemplateColumns = template;
    this.width = this.keyWidth + this.widths.reduce((sum, width) => sum + width, 0);
    this.header.style.width = this.spacer.style.width = `${this.width}px`;
    this.header.style.minWidth = this.spacer.style.minWidth = "100%";
    replace(this.header,
      h("div", { class: "cell key", role: "columnheader", "aria-colindex": 1 }, "#"),
      this.columns.map((column, index) => {
        const order = this.sorted?.[column.name];
        const sort = order === "ASC" ? "ascending" : order === "DESC" ? "descending" : "none";
        const grip = h("span", { class: "grip", "aria-hidden": "true" });
        grip.addEventListener("pointerdown", (event) => this.resize(event, index));
        return h("div", {
            class: `cell ${isNumeric(column) ? "right" : ""}`,
            role: "columnheader",
            "aria-colindex": index + 2,
            "aria-sort": sort,
          },
          h("button", {
              class: "sort",
              tabindex: -1,
              title: `${column.name}: ${column.typeText}`,
              disabled: column.isSortable ? null : true,
              onclick: () => this.onSort?.(column),
            },
            h("span", { class: "name" }, column.name),
            order && h("span", { class: "order", "aria-hidden": "true" }, order === "ASC" ?
              "▲" : "▼"),
            h("span", { class: "type" }, column.isPrimaryKey ? "key · " : "", column
              .typeText)),
          grip);
      }));
  }

  get template
() { return `${this.keyWidth}px ${this.widths.map((width) => `${width}px`).join(" ")}`; }

  resize(event, index) {
    event.preventDefault();
    event.stopPropagation();
    const [from, width] = [event.clientX, this.widths[index]];
    const move = (event) => {
      this.widths[index] = Math.max(56, width + event.clientX - from);
      this.buildHeader();
      for (const node of this.nodes.values()) node.style.gridTemplateColumns = this.template;
    };
    const end = () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
  }

  // Where the rows are. `top` is the first row in view, with a fraction; the scroll bar shows it
  // by proportion where the rows together are taller than browsers allow.

  get headHeight() { return this.header.offsetHeight || 40; }
  get viewHeight() { return Math.max(0, this.element.clientHeight - this.headHeight); }
  get visibleCount() { return this.viewHeight / rowHeight; }
  get lastTop() { return Math.max(0, this.total - this.visibleCount); }
  get height() { return Math.min(this.total * rowHeight, tallest); }
  get isScaled() { return this.total * rowHeight > tallest; }
  get reach() { return Math.max(1, this.height - this.viewHeight); }

  layout() {
    this.spacer.style.height = `${Math.max(this.height, this.viewHeight)}px`;
    this.layer.style.height = `${this.viewHeight}px`;
    this.layer.style.top = `${this.headHeight}px`;
    this.element.setAttribute("aria-rowcount", this.total + 1);
    this.moveTo(this.top);
  }

  scrolled() {
    const scroll = this.element.scrollTop;
    // Set by `moveTo`, to whole pixels.
    if (this.expected !== undefined && Math.abs(scroll - this.expected) < 1.5) return;
    this.expected = undefined;
    this.top = this.isScaled ?
      scroll / this.reach * this.lastTop :
      scroll / rowHeight;
    this.show();
  }

  wheel(event) {
    if (!this.isScaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
  return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 1 : event.deltaMode === 2 ? this.visibleCount : 1 /
      rowHeight;
    this.moveTo(this.top + event.deltaY * unit);
  }

  moveTo(top) {
    this.top = Math.min(Math.max(0, top), this.lastTop);
    const scroll = this.isScaled ?
      this.top / Math.max(1, this.lastTop) * this.reach :
      this.top * rowHeight;
    this.expected = scroll;
    if (Math.abs(this.element.scrollTop - scroll) > 0.5) this.element.scrollTop = scroll;
    this.show();
  }

  show() {
    const first = Math.max(0, Math.floor(this.top) - overscan);
    const end = Math.min(this.total, Math.ceil(this.top + this.visibleCount) + overscan);
    for (const [position, node] of this.nodes) {
      if (position < first || position >= end) {
        node.remove();
        this.nodes.delete(position);
      }
    }
    for (let position = first; position < end; position++) {
      const row = this.rows[position - this.start];
      let node = this.nodes.get(position);
      if (!node) {
        node = h("div", { class: "grid-row", role: "row" });
        node.style.gridTemplateColumns = this.template;
        node.style.width = `${this.width}px`;
        node.style.minWidth = "100%";
        this.nodes.set(position, node);
        this.layer.append(node);
      }
      const isNew = node.row !== row || node.position !== position || node.known !== Boolean(row);
      if (!node.querySelector(".editing") && isNew) {
        this.fill(node, row, position);
      }
      node.style.transform = `translateY(${(position - this.top) * rowHeight}px)`;
    }
    this.mark();
    const [from, to] = [Math.floor(this.top), Math.ceil(this.top + this.visibleCount)];
    const isShort = from < this.start || Math.min(to, this.total) > this.start + this.rows.length;
    const nearStart = this.start > 0 && from - this.start < margin;
    const nearEnd = this.start + this.rows.length < this.total &&
      this.start + this.rows.length - to < margin;
    if (isShort || nearStart || nearEnd) this.want();
  }

  fill(node, row, position) {
    const known = node.position === position && node.row?.key === row?.key ? node.row : undefined;
    Object.assign(node, { row, position, known: Boolean(row) });
    node.setAttribute("aria-rowindex", position + 2);
    node.id = `row-${position}`;
    node.className = `grid-row ${row?.state ?? ""} ${position % 2 ? "odd" : ""}`;
    if (!row) {
      return replace(node, h("div", { class: "cell key", role: "rowheader" }, count(position +
        1)),
        this.columns.map(() => h("div", { class: "cell", role: "gridcell" }, h(
        "i", { class: "bone" }))));
    }
    const cells = this.columns.map((column, index) => {
      const cell = cellNode(row.cells[index], column);
      cell.setAttribute("aria-colindex", index + 2);
      if (row.changed?.includes(column.name)) {
        cell.classList.add("edited");
        cell.title = "Changed in the draft, not saved";
      }
      if (known && JSON.stringify(known.cells[index]) !== JSON.stringify(row.cells[index])) {
        cell.classList.add("flash");
      }
      return cell;
    });
    replace(node,
      h("div", { class: "cell key", role: "rowheader", "aria-colindex": 1,
          title: `row ${row.key}` },
        count(position + 1)),
      cells);
  }

  mark() {
    for (const node of this.nodes.values()) {
      const isFocused = node.position === this.focus.row;
      node.classList.toggle("focused", isFocused);
      node.setAttribute("aria-selected", this.openKey !== undefined && node.row?.key === this
        .openKey);
      node.classList.toggle("open", this.openKey !== undefined && node.row?.key === this.openKey);
      node.querySelector(".cell.at")?.classList.remove("at");
      if (isFocused) {
        const cell = node.children[this.focus.column + 1];
        cell?.classList.add("at");
        if (cell) {
          cell.id = "cell-at";
          this.element.setAttribute("aria-activedescendant", "cell-at");
        }
      }
      for (const other of node.querySelectorAll("#cell-at")) {
        if (!isFocused || other !== node.children[this.focus.column + 1]) other.removeAttribute(
          "id");
      }
    }
  }

  // Getting rows.

  /** Another request for rows: now, or when the one under way has ended. */
  want() {
    if (this.isLoading) return void(this.isWanted = true);
    this.load();
  }

  /** Takes in a commit: at once, at most once per 80 ms. */
  refresh() {
    const wait = 80 - (performance.now() - (this.loadedAt ?? 0));
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.isStale = true;
      this.want();
    }, Math.max(0, wait));
  }

  async load() {
    if (this.isClosed) return;
    this.isLoading = true;
    this.isWanted = false;
    const isRefresh = this.isStale;
    this.isStale = false;
    const middle = Math.floor(this.top + this.visibleCount / 2);
    const position = Math.max(0, middle - windowSize / 2);
    const first = Math.ceil(this.top);
    const anchor = isRefresh ? this.rows[first - this.start] : undefined;
    this.request = new AbortController();
    try {
      const answer = await get("rows", {
        file: state.file,
        class: this.className,
        query: this.query,
        position,
        count: windowSize,
        columns: this.columns.map((column) => column.name).join(","),
        anchor: anchor?.key,
        anchorPosition: anchor ? first : undefined,
      }, this.request.signal);
      if (this.isClosed) return;
      this.loadedAt = performance.now();
      if (anchor && answer.anchorPosition !== undefined && answer.anchorPosition !== null) {
        const shift = answer.anchorPosition - first;
        if (shift !== 0) this.shift(shift);
      }
      this.total = answer.total;
      this.start = answer.position;
      this.rows = answer.rows;
      this.onAnswer?.(answer);
      this.layout();
    } catch (failure) {
      if (failure.name !== "AbortError" && !this.isClosed) this.onFailure?.(failure);
      return;
    } finally {
      this.isLoading = false;
    }
    if (this.isWanted || this.isStale) this.load();
    else this.show();
  }

  /** Rows were added or removed above: what is in view stays in view. */
  shift(rows) {
    this.top += rows;
    this.focus.row = Math.max(0, this.focus.row + rows);
    const nodes = new Map();
    for (const [position, node] of this.nodes) {
      node.position += rows;
      nodes.set(position + rows, node);
    }
    this.nodes = nodes;
  }

  // Keyboard and pointer.

  get focusedRow() { return this.rows[this.focus.row - this.start]; }
  get focusedColumn() { return this.columns[this.focus.column]; }

  moveFocus(row, column) {
    this.focus.row = Math.min(Math.max(0, row), Math.max(0, this.total - 1));
    this.focus.column = Math.min(Math.max(0, column), this.columns.length - 1);
    if (this.focus.row < this.top) this.moveTo(this.focus.row);
    else if (this.focus.row + 1 > this.top + this.visibleCount) {
      this.moveTo(this.focus.row + 1 - this.visibleCount);
    } else this.mark();
    this.showColumn();
    this.onFocus?.(this.focusedRow);
  }

  showColumn() {
    const left = this.keyWidth + this.widths.slice(0, this.focus.column).reduce((sum, width) =>
      sum + width, 0);
    const right = left + this.widths[this.focus.column];
    const view = this.element;
    if (left - this.keyWidth < view.scrollLeft) view.scrollLeft = left - this.keyWidth;
    else if (right > view.scrollLeft + view.clientWidth) view.scrollLeft = right - view
      .clientWidth;
  }

  key(event) {
    if (event.target !== this.element || event.altKey) return;
    const page = Math.max(1, Math.floor(this.visibleCount) - 1);
    const { row, column } = this.focus;
    const whole = event.ctrlKey || event.metaKey;
    const moves = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: whole ? [0, 0] : [row, 0],
      End: whole ? [this.total - 1, this.columns.length - 1] : [row, this.columns.length - 1],
    };
    if (moves[event.key]) {
      event.preventDefault();
      return this.moveFocus(...moves[event.key]);
    }
    if (whole) return;
    const target = this.focusedRow;
    if (event.key === "Enter" && target) this.onOpen?.(target);
    else if ((event.key === "F2" || event.key === "e") && target) this.edit(this.focus.row, this
      .focus.column);
    else if (event.key === "f" && target) this.onFollow?.(target.cells[this.focus.column]);
    else if (event.key === "s") this.onSort?.(this.focusedColumn);
    else if (event.key === "Delete" && target) this.onDelete?.(target);
    else return;
    event.preventDefault();
  }

  place(event) {
    const node = event.target.closest(".grid-row");
    const cell = event.target.closest(".cell");
    if (!node?.row || !cell) return undefined;
    return { node, cell, column: [...node.children].indexOf(cell) - 1 };
  }

  click(event) {
    const place = this.place(event);
    if (!place || event.target.closest("a, input, select, textarea")) return;
    this.moveFocus(place.node.position, Math.max(0, place.column));
    this.onOpen?.(place.node.row);
  }

  doubleClick(event) {
    const place = this.place(event);
    if (place && place.column >= 0) this.edit(place.node.position, place.column);
  }

  edit(position, column) {
    const node = this.nodes.get(position);
    if (!node?.row) return;
    this.onEdit?.(node.row, this.columns[column], node.children[column + 1], node.row.cells[
      column]);
  }

  open(key) {
    this.openKey = key;
    this.mark();
  }
}

function defaultWidth(column) {
  if (column.collection || column.isEmbedded) return 190;
  switch (column.type) {
    case "bool":
      return 92;
    case "int":
      return 118;
    case "float":
    case "double":
      return 128;
    case "date":
      return 216;
    case "uuid":
      return 290;
    case "objectId":
      return 206;
    case "data":
      return 150;
    case "decimal128":
      return 150;
    default:
      return 220;
  }
}
