// The objects of a class: the query, its plan, the grid, and the card of one object.
import { h, replace, byId, count, counted, duration, say, dialog } from "/dom.js";
import { get, address } from "/api.js";
import { state, classNamed, remember, remembered } from "/state.js";
import { Grid } from "/grid.js";
import { QueryBox } from "/querybox.js";
import { Card } from "/card.js";
import { editCell, addObject, deleteObject } from "/edit.js";

export class ClassPage {
  constructor(className, parameters) {
    this.className = className;
    this.title = className;
    this.query = parameters.get("q") ?? "";
    this.info = h("span", { class: "info", role: "status" });
    this.gridPlace = h("div", { class: "grid-place" });
    this.planPlace = h("section", { class: "plan", "aria-label": "Plan of the query",
      hidden: true });
    this.box = new QueryBox(className, this.query, (text) => this.go(text));
    const definition = classNamed(className);
    this.planButton = h("button", { class: "quiet", "aria-pressed": "false",
      title: "How the query is evaluated (Alt-P)", onclick: () => this.togglePlan() }, "Plan");
    this.element = h("div", { class: "classpage" },
      h("div", { class: "toolbar" },
        h("h1", {}, className), this.info, h("span", { class: "push" }),
        state.draft && !definition.isEmbedded &&
        h("button", { class: "quiet", onclick: () => addObject(className, (key) => this.openKey(
            key)) }, "Add"),
        h("button", { class: "quiet", onclick: () => this.showColumns() }, "Columns"),
        this.planButton,
        h("button", { class: "quiet", onclick: () => this.export() }, "Export")),
      this.box.element,
      h("div", { class: "below" }, this.gridPlace, this.planPlace));
    this.onKey = (event) => {
      if (event.altKey && event.key.toLowerCase() === "p") { event.preventDefault();
        this.togglePlan(); }
    };
    addEventListener("keydown", this.onKey);
    this.makeGrid();
    this.update(parameters, true);
    if (remembered("plan")) this.togglePlan();
  }

  get columns() {
    const hidden = new Set(remembered(`hidden.${this.className}`, []));
    return classNamed(this.className).properties.filter((property) => !hidden.has(property
      .name) && !property.isComputed);
  }

  makeGrid() {
    const grid = new Grid({
      className: this.className,
      query: this.query,
      columns: this.columns,
      sorted: sortOf(this.query),
      onOpen: (row) => this.openKey(row.key),
      onSort: (column) => this.sort(column),
      onEdit: (row, column, node, cell) => editCell(this.className, row, column, node, cell,
      () => {
        this.grid.element.focus();
        this.grid.show();
      }),
      onDelete: (row) => deleteObject(this.className, row.key),
      onFollow: (cell) => { if (cell?.k === "link") location.hash =
          `#/${state.file}/class/${encodeURIComponent(cell.c)}?key=${cell.r}`; },
      onAnswer: (answer) => {
        // The rows of the query before stay until there are others, or a mistake to mend.
        if (grid !== this.grid && grid === this.next) this.take(grid);
        this.answered(answer);
      },
      onFailure: (failure) => this.failed(failure),
    });
    if (this.grid) {
      this.next?.close();
      this.next = grid;
    } else this.take(grid);
    grid.want();
  }

  take(grid) {
    const hadFocus = this.grid?.element === document.activeElement;
    this.grid?.close();
    this.grid = grid;
    this.next = undefined;
    grid.open(this.card?.key);
    replace(this.gridPlace, grid.element);
    if (hadFocus) grid.element.focus({ preventScroll: true });
  }

  shown() { this.grid.layout();
    this.grid.element.focus({ preventScroll: true }); }

  close() {
    this.grid.close();
    this.next?.close();
    this.card?.close();
    removeEventListener("keydown", this.onKey);
  }

  /** The address changed: another query, or another object. */
  update(parameters, isFirst = false) {
    const query = parameters.get("q") ?? "";
    if (query !== this.query) {
      this.query = query;
      this.box.input.value = query;
      this.box.clearError();
      this.makeGrid();
      if (!this.planPlace.hidden) this.loadPlan();
    }
    const key = parameters.get("key");
    if (key) this.showCard(key, isFirst);
    else this.hideCard();
  }

  go(text, key) {
    const parameters = new URLSearchParams();
    if (text) parameters.set("q", text);
    if (key) parameters.set("key", key);
    const suffix = parameters.toString();
    const hash =
      `#/${state.file}/class/${encodeURIComponent(this.className)}${suffix ? "?" + suffix : ""}`;
    if (location.hash === hash) { this.grid.isStale = true;
      this.grid.want(); } else location.hash = hash;
  }

  openKey(key) { this.go(this.query, key); }
  closeCard() { if (this.card) { this.go(this.query);
      this.grid.element.focus(); } }

  showCard(key) {
    if (this.card?.key !== key) {
      this.card?.close();
      this.card = new Card(this.className, key, () => this.closeCard());
      replace(byId("card"), this.card.element);
    }
    byId("card").hidden = false;
    document.body.classList.add("with-card");
    this.grid.open(key);
  }

  hideCard() {
    this.card?.close();
    this.card = undefined;
    byId("card").hidden = true;
    document.body.classList.remove("with-card");
    this.grid.open(undefined);
  }

  answered(answer) {
    this.box.clearError();
    const whole = classNamed(this.className).count;
    const time = duration(answer.seconds);
    this.info.textContent = this.query ?
      `${count(answer.total)} of ${count(whole)} · ${time}` :
      `${counted(answer.total, "object")} · ${time}`;
    this.gridPlace.classList.toggle("none", answer.total === 0);
    this.gridPlace.dataset.none = this.query ? "No object satisfies the condition." :
      "There are no objects of this class.";
    if (this.noted !== this.query) this.box.note(this.noted = this.query);
  }

  failed(failure) {
    if (failure.body.kind === "query") return this.box.fail(failure.body);
    say(failure.message, "bad");
  }

  commit(commit) {
    if (commit.classes.length > 0) {
      this.grid.refresh();
      this.card?.refresh();
    }
  }

  draftChanged() {
    this.grid.refresh();
    this.card?.refresh();
  }

  /** The header of a column: ascending, descending, as they are. */
  sort(column) {
    if (!column?.isSortable) return;
    const rest = this.query.replace(/\s*SORT\s*\([^)]*\)/i, "").trim();
    const order = sortOf(this.query)[column.name];
    const next = order === undefined ? "ASC" : order === "ASC" ? "DESC" : undefined;
    if (!next) return this.go(rest);
    const condition = rest === "" || /^LIMIT|^DISTINCT/i.test(rest) ? `TRUEPREDICATE ${rest}`
      .trim() : rest;
    const limit = /\s*(DISTINCT|LIMIT)\s*\(/i.exec(condition);
    const head = limit ? condition.slice(0, limit.index) : condition;
    const tail = limit ? condition.slice(limit.index) : "";
    this.go(`${head} SORT(${column.name} ${next})${tail}`);
  }

  togglePlan() {
    this.planPlace.hidden = !this.planPlace.hidden;
    this.planButton.setAttribute("aria-pressed", String(!this.planPlace.hidden));
    remember("plan", !this.planPlace.hidden);
    if (!this.planPlace.hidden) this.loadPlan();
  }

  async loadPlan() {
    replace(this.planPlace, h("h2", {}, "Plan"), h("p", { class: "faint" },
    "Running each step…"));
    try {
      const answer = await get("explain", { file: state.file, class: this.className, query: this
          .query });
      replace(this.planPlace,
        h("h2", {}, "Plan"),
        h("p", { class: "faint" },
        "The last step is at the top; what it works on is below it."),
        step(answer.plan),
        h("p", { class: "faint" }, `Evaluated step by step in ${duration(answer.seconds)}.`));
    } catch (failure) {
      replace(this.planPlace, h("h2", {}, "Plan"), h("p", {}, failure.body?.detail ?? failure
        .message));
    }
  }

  async showColumns() {
    const hidden = new Set(remembered(`hidden.${this.className}`, []));
    const changed = await dialog("Columns", (close) => h("form", { class: "ask", onsubmit: (
          event) => { event.preventDefault();
            close(true); } },
      h("h2", {}, "Columns"),
      h("div", { class: "choices" }, classNamed(this.className).properties.filter((
        property) => !property.isComputed).map((property) =>
        h("label", {}, h("input", {
          type: "checkbox",
          checked: !hidden.has(property.name),
          onchange: (event) => {
            if (event.target.checked) hidden.delete(property.name);
            else hidden.add(property.name);
          }
        }), property.name, h("span", { class: "faint" }, property.typeText)))),
      h("div", { class: "buttons" }, h("button", { class: "primary" }, "Done"))));
    if (!changed) return;
    remember(`hidden.${this.className}`, [...hidden]);
    this.makeGrid();
  }

  export () {
    const choice = (format, name, text) => h("a", {
      class: "choice",
      download: "",
      href: address("export", { file: state.file, class: this.className, query: this.query,
        format }),
    }, h("strong", {}, name), h("span", {}, text));
    dialog("Export", (close) => h("div", { class: "ask" },
      h("h2", {}, "Export"),
      h("p", {}, this.query ? "The objects that the query finds, in its order." :
        `All objects of ${this.className}.`),
      h("div", { class: "choices", onclick: () => setTimeout(close, 50) },
        choice("json", "JSON Lines", "one object a line; freehold load reads it back"),
        choice("csv", "CSV", "for spreadsheets; values with structure are JSON"),
        choice("swift", "Swift", "the model class, and the query as code")),
      h("div", { class: "buttons" }, h("button", { onclick: () => close() }, "Cancel"))));
  }
}

function sortOf(query) {
  const found = /SORT\s*\(([^)]*)\)/i.exec(query);
  const orders = {};
  for (const part of found?.[1].split(",") ?? []) {
    const [name, order] = part.trim().split(/\s+/);
    if (name) orders[name] = /^desc/i.test(order ?? "") ? "DESC" : "ASC";
  }
  return orders;
}

function step(plan) {
  const found = plan.count;
  const expected = plan.estimatedCount;
  return h("div", { class: "step" },
    h("div", { class: `step-box op-${plan.operation}` },
      h("div", { class: "step-name" }, inWords(plan)),
      h("div", { class: "step-text" }, plan.text),
      h("div", { class: "step-numbers" },
        expected !== undefined && expected !== null && h("span", {},
          `expected ${count(expected)}`),
        found !== undefined && found !== null && h("span", { class: "found" },
          `found ${count(found)}`))),
    plan.inputs.length > 0 && h("div", { class: "step-inputs" }, plan.inputs.map(step)));
}

function inWords(plan) {
  return {
    scan: "Read the rows of the class",
    keys: "Find rows by their keys",
    index: "Look up in an index",
    backlinks: "Follow links backwards",
    fullText: "Look up words",
    union: "Unite, each row once",
    collection: "Read a collection",
    filter: "Test each row",
    sort: "Sort",
    distinct: "Keep one of each",
    slice: "Take a part",
  } [plan.operation] ?? plan.operation;
}
