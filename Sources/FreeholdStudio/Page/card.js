// An object as a card: every value whole, what it links to and what links to it.
import { h, replace, count, counted, say } from "/dom.js";
import { address, get } from "/api.js";
import { state, classNamed } from "/state.js";
import { fullNode, link, summary, linkAddress } from "/value.js";
import { editCell, deleteObject } from "/edit.js";

export class Card {
  constructor(className, key, close) {
    Object.assign(this, { className, key, onClose: close });
    this.body = h("div", { class: "card-body" });
    this.heading = h("h2", {}, className);
    this.element = h("div", { class: "card-frame" },
      h("div", { class: "card-head" },
        this.heading,
        state.draft && !classNamed(className).isEmbedded && h("button", { class: "quiet danger",
          onclick: () => deleteObject(className, key) }, "Delete"),
        h("button", { class: "quiet", title: "Copy as JSON", onclick: () => this.copy() },
          "Copy"),
        h("button", { class: "quiet", "aria-label": "Close (Escape)", title: "Close (Escape)",
          onclick: close }, "✕")),
      this.body);
    this.load();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Takes in a commit: soon, also while others follow. */
  refresh() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.load();
    }, 60);
  }

  async load() {
    if (this.isLoading) return void(this.isWanted = true);
    this.isLoading = true;
    await this.get();
    this.isLoading = false;
    if (!this.isWanted || this.isClosed) return;
    this.isWanted = false;
    this.refresh();
  }

  async get() {
    try {
      const answer = await get("object", { file: state.file, class: this.className, key: this
          .key });
      if (this.isClosed) return;
      if (JSON.stringify(answer) === this.shown) return;
      this.shown = JSON.stringify(answer);
      this.show(answer);
    } catch (failure) {
      if (this.isClosed) return;
      if (failure.status === 404) {
        this.shown = undefined;
        replace(this.body, h("p", { class: "gone" }, "The object was deleted."));
      } else say(failure.message, "bad");
    }
  }

  show(answer) {
    const properties = classNamed(this.className).properties;
    const title = answer.title ?? `#${this.key}`;
    replace(this.heading, h("span", { class: "faint" }, `${this.className} `), title);
    const open = new Set([...this.body.querySelectorAll("details")].map((node, index) => node
      .open ? index : -1));
    const hadDetails = this.body.querySelector("details") !== null;
    const top = this.body.scrollTop;
    const more = (property) => async () =>
      (await get("value", { file: state.file, class: this.className, key: this.key, property }))
      .cell;
    replace(this.body,
      answer.owner && h("p", { class: "owner" }, "Embedded in ", link(answer.owner), h(
      "span", { class: "faint" }, ` .${answer.owner.property}`)),
      h("dl", { class: "values" }, properties.filter((property) => !property.isComputed).map((
        property) => {
        const cell = answer.values[property.name] ?? null;
        const value = h("dd", { class: answer.changed?.includes(property.name) ? "edited" :
            "" }, fullNode(cell, more(property.name)));
        const term = h("dt", {},
          h("span", { class: "name" }, property.name),
          h("span", { class: "type" }, property.isPrimaryKey ? "key · " : "", property
            .typeText));
        if (state.draft && !property.isPrimaryKey && !property.isComputed) {
          const edit = h(
          "button", { class: "quiet small edit", "aria-label": `Edit ${property.name}` },
            "Edit");
          edit.addEventListener("click", () => editCell(this.className, { key: this.key },
            property, value, cell, () => edit.focus()));
          term.append(edit);
        }
        return [term, value];
      })),
      h("h3", {}, "Linked from"),
      answer.backlinks.length === 0 && h("p", { class: "faint" }, "Nothing links here."),
      answer.backlinks.map((group) => h("details", { class: "backlinks", open: true },
        h("summary", {}, h("strong", {}, group.className), h("span", { class: "faint" },
          ` .${group.property}`), h("span", { class: "count" }, count(group.count))),
        h("ul", {}, group.rows.map((row) => h("li", {}, h("a", { class: "link",
          href: linkAddress(group.className, row.r) }, row.v || `#${row.r}`)))),
        group.count > group.rows.length && h("p", { class: "faint" },
          `and ${counted(group.count - group.rows.length, "more", "more")}`))),
      h("p", { class: "faint foot" }, `row ${this.key} · version ${count(answer.version)}`));
    if (hadDetails)[...this.body.querySelectorAll("details")].forEach((node, index) => { node
        .open = open.has(index); });
    this.body.scrollTop = top;
    this.values = answer.values;
  }

  async copy() {
    try {
      const answer = await fetch(address("export", {
        file: state.file, class: this.className, key: this.key, format: "json",
      }));
      await navigator.clipboard.writeText((await answer.text()).trim());
      say("Copied as JSON");
    } catch {
      say(Object.entries(this.values ?? {}).map(([name, cell]) => `${name}: ${summary(cell)}`)
        .join("\n"));
    }
  }
}
