// What the draft changed, and saving it: one transaction, with conflicts side by side.
import { h, replace, counted, say } from "/dom.js";
import { get } from "/api.js";
import { state } from "/state.js";
import { linkAddress, summary } from "/value.js";
import { saveDraft, discard, undo } from "/edit.js";

export class ReviewPage {
  constructor() {
    this.title = "Draft";
    this.content = h("div", { class: "page-body" });
    this.choices = {};
    this.element = h("div", { class: "page" },
      h("div", { class: "toolbar" }, h("h1", {}, "Draft"), h("span", { class: "info",
        role: "status" }), h("span", { class: "push" })), this.content);
    this.info = this.element.querySelector(".info");
    this.load();
  }

  draftChanged() { this.load(); }
  commit() { this.load(); }

  async load() {
    try {
      this.show(await get("draft", { file: state.file }));
    } catch (failure) {
      replace(this.content, h("p", {}, failure.message));
    }
  }

  show(answer) {
    this.info.textContent = counted(answer.changes.length, "changed object");
    if (answer.changes.length === 0) {
      return replace(this.content, h("div", { class: "blank" }, h("h2", {}, "No changes"),
        h("p", {}, state.draft ?
          "Edits that you make are collected here until you save them." :
          "Studio was started without --write, so nothing can be edited.")));
    }
    const conflicts = answer.conflicts ?? [];
    const open = conflicts.filter((conflict) => !this.choices[conflict.id]);
    replace(this.content,
      conflicts.length > 0 && h("section", { class: "conflicts", "aria-label": "Conflicts" },
        h("h2", {}, counted(conflicts.length, "conflict")),
        h("p", {}, "Others changed the same since the draft began. Choose what to save."),
        h("div", { class: "table-scroll" }, h("table", {},
          h("thead", {}, h("tr", {}, ["Object", "Before", "Mine", "Theirs"].map((name) => h(
            "th", { scope: "col" }, name)))),
          h("tbody", {}, conflicts.map((conflict) => h("tr", {},
            h("th", { scope: "row" }, h("div", {}, conflict.object), h(
            "div", { class: "faint" }, conflict.property ?? inWords(conflict.kind))),
            h("td", {}, conflict.base),
            this.choice(conflict, "mine"), this.choice(conflict, "theirs"))))))),
      h("div", { class: "changes" }, runs(answer.changes).map(([change, ...others]) => h(
        "section", { class: `change ${change.kind}` },
        h("h3", {}, h("span", { class: "kind" }, change.kind), " ",
          change.kind === "deleted" ? change.object : h("a", { class: "link",
            href: linkAddress(change.className, change.key) }, change.object),
          others.length > 0 && h("span", { class: "faint" },
            ` and ${counted(others.length, "other")} alike`)),
        h("table", {}, h("tbody", {}, change.properties.map((property) => h("tr", {},
          h("th", { scope: "row" }, property.name),
          h("td", { class: "old" }, property.old ?? ""), h(
          "td", { class: "arrow", "aria-label": "becomes" }, change.kind ===
            "changed" ? "→" : ""),
          h("td", { class: "new" }, property.new ?? "")))))))),
      answer.isCut && h("p", { class: "faint" }, "There are more; the first 500 are shown."),
      h("div", { class: "buttons sticky" },
        h("button", { onclick: undo }, "Undo the last"), h("button", { onclick: discard },
          "Discard all"),
        h("span", { class: "push" }),
        h("button", { class: "primary", disabled: open.length > 0, title: open.length ?
              "Choose for every conflict first" : "One transaction", onclick: () => this
          .save() },
          conflicts.length ? "Save with these choices" :
          `Save ${counted(answer.changes.length, "object")}`)));
  }

  choice(conflict, side) {
    const isChosen = this.choices[conflict.id] === side;
    return h("td", { class: isChosen ? "chosen" : "" }, h("label", { class: "side-choice" },
      h("input", { type: "radio", name: conflict.id, checked: isChosen, onchange: () => { this
            .choices[conflict.id] = side;
          this.load(); } }),
      h("span", {}, conflict[side] ?? "–")));
  }

  async save() {
    try {
      const answer = await saveDraft(this.choices);
      say(`Saved as version ${answer.version}`);
      history.back();
    } catch (failure) {
      if (failure.body?.kind === "conflict") { say(
          "Others changed the same: choose what to save.", "bad");
        this.load(); } else say(failure.message, "bad");
    }
  }
}

/** Consecutive changes that differ in their object only, as the links to a deleted one. */
function runs(changes) {
  const found = [];
  const look = (change) => JSON.stringify([change.kind, change.className, change.properties]);
  for (const change of changes) {
    const run = found.at(-1);
    if (run && change.kind === "changed" && look(run[0]) === look(change)) run.push(change);
    else found.push([change]);
  }
  return found;
}

const inWords = (kind) => ({
  deletedByMe: "deleted by me, changed by others",
  deletedByThem: "changed by me, deleted by others",
} [kind] ?? kind.replace(/([A-Z])/g, " $1").toLowerCase());

export { summary };
