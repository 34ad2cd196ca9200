// Ctrl-K: everything by its name.
import { h, replace, dialog, count } from "/dom.js";
import { get } from "/api.js";
import { state } from "/state.js";
import { pages, toggleTheme } from "/app.js";
import { linkAddress } from "/value.js";
import { undo, redo, discard } from "/edit.js";

function commands() {
  const go = (hash) => () => { location.hash = hash; };
  return [
    ...state.classes.map((found) => ({ name: found.name,
      detail: `${found.isEmbedded ? "embedded · " : ""}${count(found.count)}`, run: go(
        `#/${state.file}/class/${encodeURIComponent(found.name)}`) })),
    ...pages.map((page) => ({ name: page.name, detail: "page", run: go(
        `#/${state.file}/${page.id}`) })),
    ...(state.files.length > 1 ? state.files.map((file) => ({ name: file.name, detail: "file",
      run: go(`#/${file.id}`) })) : []),
    ...(state.draft ? [
      { name: "Review and save the draft", detail: "Ctrl S", run: go(
        `#/${state.file}/review`) },
      { name: "Undo", detail: "Ctrl Z", run: undo }, { name: "Redo", detail: "Ctrl Shift Z",
        run: redo },
      { name: "Discard the draft", detail: "draft", run: discard },
    ] : []),
    { name: "Light or dark", detail: "theme", run: toggleTheme },
    { name: "Keys", detail: "?", run: showKeys },
  ];
}

let isOpen = false;

export async function openPalette() {
  if (isOpen) return;
  isOpen = true;
  const run = await dialog("Go to", (close) => {
    const list = h("ul", { role: "listbox", id: "palette-list", "aria-label": "Results" });
    const input = h("input", { type: "text", placeholder: "Class, object, page or command",
      role: "combobox", "aria-controls": "palette-list", "aria-expanded": "true",
      "aria-label": "Go to",
      autofocus: true, autocomplete: "off", spellcheck: "false" });
    let [items, chosen, asked] = [[], 0, 0];
    const show = () => {
      replace(list, items.map((item, index) => h("li", { role: "option",
          id: `palette-${index}`, "aria-selected": String(index === chosen),
          onclick: () => close(item.run) },
        h("span", {}, item.name), h("span", { class: "detail" }, item.detail))));
      list.children[chosen]?.scrollIntoView({ block: "nearest" });
      if (items.length) input.setAttribute("aria-activedescendant", `palette-${chosen}`);
      else {
        input.removeAttribute("aria-activedescendant");
        replace(list, h("li", { class: "faint", role: "option", "aria-disabled": "true" },
          "Nothing has this name."));
      }
    };
    const find = async () => {
      const text = input.value.trim();
      const mine = ++asked;
      items = rank(commands(), text).slice(0, 14);
      chosen = 0;
      show();
      if (text.length === 0) return;
      try {
        const answer = await get("find", { file: state.file, text });
        if (mine !== asked) return;
        items = [...items, ...answer.rows.map((row) => ({ name: row.v || `#${row.r}`,
            detail: row.c, run: () => { location.hash = linkAddress(row.c, row
              .r); } }))];
        show();
      } catch {
        // Objects are an addition to the commands.
      }
    };
    input.addEventListener("input", find);
    input.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 } [event.key];
      if (step && items.length) { event.preventDefault();
        chosen = (chosen + step + items.length) % items.length;
        show(); }
      if (event.key === "Enter") { event.preventDefault();
        close(items[chosen]?.run); }
    });
    find();
    return [input, list];
  }, "palette");
  isOpen = false;
  run?.();
}

function rank(items, text) {
  const wanted = text.toLowerCase();
  const score = (name) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.includes(wanted)) return 1;
    let at = -1;
    for (const letter of wanted) {
      at = lower.indexOf(letter, at + 1);
      if (at < 0) return undefined;
    }
    return 2;
  };
  return items.map((item) => [score(item.name), item]).filter(([found]) => found !== undefined)
    .sort(([a], [b]) => a - b).map(([, item]) => item);
}

export function showKeys() {
  const keys = [
    ["Ctrl K", "Go to a class, an object, a page, a command"],
    ["/", "The query box"],
    ["Tab, ↓ ↑", "in the box: take, choose a completion"],
    ["Ctrl Space", "in the box: complete"],
    ["Alt ↓", "in the box: recent and saved queries"],
    ["Ctrl D", "in the box: save the query, or no longer"],
    ["↑ ↓ ← → Page Home End", "move in the grid"],
    ["Enter", "open the object as a card"],
    ["Escape", "close the card"],
    ["f", "follow the link in the cell"],
    ["s", "sort by the column"],
    ["Alt P", "the plan of the query"],
    ["F2, e", "edit the cell"],
    ["Delete", "delete the object"],
    ["Ctrl Z, Ctrl Shift Z", "undo, redo in the draft"],
    ["Ctrl S", "review and save the draft"],
    ["Alt 1", "the classes"],
    ["Alt 2 … 6", "the pages"],
  ];
  dialog("Keys", (close) => h("div", { class: "ask" }, h("h2", {}, "Keys"),
    h("dl", { class: "keys" }, keys.map(([key, text]) => [h("dt", {}, h("kbd", {}, key)), h(
      "dd", {}, text)])),
    h("div", { class: "buttons" }, h("button", { class: "primary", autofocus: true,
    onclick: () => close() }, "Close"))));
}
