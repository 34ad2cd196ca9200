// The box for conditions: completion below, the error under its caret, recent and saved queries.
import { h, replace, say } from "/dom.js";
import { complete } from "/completion.js";
import { remember, remembered, state } from "/state.js";

export class QueryBox {
  constructor(className, text, run) {
    Object.assign(this, { className, run });
    this.input = h("input", {
      id: "query",
      type: "text",
      class: "query",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      placeholder: "Condition, such as  name BEGINSWITH \"A\" AND age > 30 SORT(age DESC)",
      role: "combobox",
      "aria-label": `Condition on ${className}`,
      "aria-expanded": "false",
      "aria-controls": "completion",
      "aria-autocomplete": "list",
      value: text,
    });
    this.list = h("ul", { id: "completion", class: "completion",
    role: "listbox", "aria-label": "Completions", hidden: true });
    this.caret = h("div", { class: "caret", hidden: true, role: "alert" });
    this.element = h("div", { class: "querybox" },
      h("span", { class: "querymark", "aria-hidden": "true" }, "where"),
      this.input,
      h("button", { class: "quiet",
      title: "Recent and saved queries (Alt-↓)", "aria-label": "Recent and saved queries",
        onclick: () => this.showRecent() }, "▾"),
      this.list, this.caret);
    this.input.addEventListener("input", () => { this.clearError();
      this.wantsFirst = false;
      this.suggest(); });
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => setTimeout(() => {
      if (document.activeElement !== this.input) this.hide();
    }, 150));
    this.items = [];
  }

  get text() { return this.input.value.trim(); }

  async suggest() {
    this.pending?.abort();
    const pending = this.pending = new AbortController();
    const found = await complete(this.input.value, this.input.selectionStart, this.className,
      pending.signal);
    // A later call has its own list.
    if (pending.signal.aborted) return;
    this.pending = undefined;
    if (document.activeElement !== this.input) return;
    this.from = found.from;
    this.show(found.items);
    const wantsFirst = this.wantsFirst && found.items.length > 0;
    this.wantsFirst = false;
    if (wantsFirst) this.take(found.items[0]);
  }

  show(items) {
    this.items = items;
    this.chosen = -1;
    this.list.hidden = items.length === 0;
    this.input.setAttribute("aria-expanded", String(items.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    this.list.style.left = items[0]?.isWhole ? "0" :
      `calc(${Math.min(this.from ?? 0, 60)}ch + 56px)`;
    replace(this.list, items.map((item, index) => h("li", {
        role: "option",
        id: `completion-${index}`,
        class: item.kind,
        onpointerdown: (event) => { event.preventDefault();
          this.take(item); },
      }, h("span", {}, item.label ?? item.text), h("span", { class: "detail" }, item
      .detail))));
  }

  hide() {
    this.pending?.abort();
    this.pending = undefined;
    this.wantsFirst = false;
    this.list.hidden = true;
    this.items = [];
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  choose(index) {
    this.chosen = (index + this.items.length) % this.items.length;
    [...this.list.children].forEach((node, position) =>
      node.setAttribute("aria-selected", String(position === this.chosen)));
    this.list.children[this.chosen]?.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
  }

  take(item) {
    if (item.isWhole) {
      this.input.value = item.text;
      this.hide();
      return this.submit();
    }
    const value = this.input.value;
    const end = this.input.selectionStart;
    const space = item.text.endsWith("(") || item.text.startsWith(".") ? "" : " ";
    this.input.value = value.slice(0, this.from) + item.text + space + value.slice(end)
    .trimStart();
    const caret = this.from + item.text.length + space.length;
    this.input.setSelectionRange(caret, caret);
    this.suggest();
  }

  key(event) {
    if (event.altKey && event.key === "ArrowDown") { event.preventDefault(); return this
        .showRecent(); }
    if (event.ctrlKey && event.key === " ") { event.preventDefault(); return this.suggest(); }
    if (event.ctrlKey && event.key === "d") { event.preventDefault(); return this.save(); }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.items.length === 0) return void this.suggest();
      event.preventDefault();
      return this.choose(this.chosen + (event.key === "ArrowDown" ? 1 : this.chosen < 0 ? 0 : -
      1));
    }
    if (event.key === "Tab" && !event.shiftKey && this.pending) {
      // The list is of an earlier text: the first of the one that comes is meant.
      event.preventDefault();
      this.wantsFirst = true;
      return;
    }
    if (event.key === "Tab" && this.items.length > 0 && !event.shiftKey) {
      event.preventDefault();
      return this.take(this.items[Math.max(0, this.chosen)]);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (this.chosen >= 0 && this.items[this.chosen]) return this.take(this.items[this.chosen]);
      this.hide();
      return this.submit();
    }
    if (event.key === "Escape") {
      if (this.items.length > 0 || this.pending) { event.stopPropagation();
        this.hide(); } else this.input.blur();
    }
  }

  submit() {
    this.run(this.text);
  }

  // Recent and saved queries, by class.

  get storage() { return `queries.${this.className}`; }

  /** Notes a query that ran. */
  note(text) {
    if (!text) return;
    const known = remembered(this.storage, { recent: [], saved: [] });
    known.recent = [text, ...known.recent.filter((other) => other !== text)].slice(0, 20);
    remember(this.storage, known);
  }

  save() {
    if (!this.text) return;
    const known = remembered(this.storage, { recent: [], saved: [] });
    const isSaved = known.saved.includes(this.text);
    known.saved = isSaved ? known.saved.filter((other) => other !== this.text) : [this.text, ...
      known.saved
    ];
    remember(this.storage, known);
    say(isSaved ? "Query no longer saved" : "Query saved");
  }

  showRecent() {
    this.input.focus();
    const known = remembered(this.storage, { recent: [], saved: [] });
    const items = [
      ...known.saved.map((text) => ({ text, detail: "saved", kind: "saved", isWhole: true })),
      ...known.recent.filter((text) => !known.saved.includes(text))
      .map((text) => ({ text, detail: "recent", kind: "recent", isWhole: true })),
    ];
    if (items.length === 0) return say("No queries yet. Ctrl-D in the box saves one.");
    this.show(items);
  }

  clearError() {
    this.caret.hidden = true;
    this.element.classList.remove("wrong");
    this.input.removeAttribute("aria-invalid");
  }

  /** Shows the mistake in the text, with the caret under its place. */
  fail(error) {
    this.hide();
    this.element.classList.add("wrong");
    this.input.setAttribute("aria-invalid", "true");
    this.caret.hidden = false;
    const column = error.column ?? 0;
    replace(this.caret,
      column > 0 && h("div", { class: "pointer", "aria-hidden": "true",
        style: { marginLeft: `calc(${Math.min(column - 1, 90)}ch)` } }, "▲"),
      h("div", {}, h("strong", {}, error.detail ?? error.message)),
      error.detail && error.message && !error.message.includes("Unable to parse") &&
      h("div", { class: "faint" }, error.message),
      error.remedy && h("div", { class: "faint" }, error.remedy));
  }
}
