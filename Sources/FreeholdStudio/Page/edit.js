// Editing: every edit goes into the draft of the file, which the server keeps. Nothing is in the
// file before it is saved.
import { h, replace, byId, count, counted, say, dialog, confirmed } from "/dom.js";
import { get, post } from "/api.js";
import { state, setDraft, classNamed } from "/state.js";
import { summary } from "/value.js";

async function edit(path, body) {
  try {
    const answer = await post(path, { file: state.file, ...body });
    if (answer.draft) setDraft(answer.draft);
    return answer;
  } catch (failure) {
    if (failure.body?.draft) setDraft(failure.body.draft);
    throw failure;
  }
}

/** Sets a property. `value` is JSON in the coding of `freehold dump`; or `{ $text: JSON }`. */
export const setValue = (className, key, property, value) =>
  edit("draft/set", { class: className, key: String(key), property,
    ...(value?.$text === undefined ? { value } : { valueText: value.$text }) });

export async function undo() {
  try { const answer = await edit("draft/undo", {});
    say(answer.name ? `Undid: ${answer.name}` : "Nothing to undo"); } catch (failure) { say(
      failure.message, "bad"); }
}

export async function redo() {
  try { const answer = await edit("draft/redo", {});
    say(answer.name ? `Redid: ${answer.name}` : "Nothing to redo"); } catch (failure) { say(
      failure.message, "bad"); }
}

export async function discard() {
  if (!state.draft?.changes) return;
  if (!await confirmed("Discard the draft?", h("p", {},
        `${counted(state.draft.changes, "changed object")} will be as the file has them.`),
      "Discard", "danger")) return;
  await edit("draft/discard", {});
  say("The draft was discarded");
}

export function showDraftBar() {
  const bar = byId("draftbar");
  const draft = state.draft;
  bar.hidden = !draft || (draft.changes === 0 && !draft.redo);
  document.body.classList.toggle("with-draft", !bar.hidden);
  if (bar.hidden) return;
  replace(bar,
    h("span", { class: "dot", "aria-hidden": "true" }),
    h("strong", {}, counted(draft.changes, "changed object")), h(
    "span", { class: "faint wide-only" }, "in a draft; the file is as before"),
    draft.isBehind && h("span", { class: "badge warn",
      title: "Others changed what the draft changed: review it" }, "conflicts"),
    h("span", { class: "push" }),
    h("button", { class: "quiet", disabled: !draft.undo, title: draft.undo ?
        `Undo ${draft.undo} (Ctrl Z)` : "Nothing to undo", onclick: undo }, "Undo"),
    h("button", { class: "quiet", disabled: !draft.redo, title: draft.redo ?
        `Redo ${draft.redo} (Ctrl Shift Z)` : "Nothing to redo", onclick: redo }, "Redo"),
    h("button", { class: "quiet", onclick: discard }, "Discard"),
    h("a", { class: "button primary", href: `#/${state.file}/review` }, "Review and save"));
}

// Editors by type.

/** Opens the editor of a property in a cell or on the card. */
export function editCell(className, row, property, node, cell, done) {
  if (!state.draft) return say("Read-only: start Studio with --write to edit.");
  if (property.isPrimaryKey) return say(
    "A primary key cannot be changed: add another object instead.");
  if (classNamed(className)?.isEmbedded && property.type === "object") return say(
    "Edit it on the object that owns it.");
  const close = () => { done?.(); };
  const save = async (value) => {
    await setValue(className, row.key, property.name, value);
    close();
  };
  if (property.collection || property.isEmbedded || property.type === "mixed" || property.type ===
    "data" ||
    (property.type === "string" && (cell?.n || cell?.v?.length > 60 || cell?.v?.includes("\n")))) {
    return editLarge(className, row, property, cell, save);
  }
  if (property.type === "object") return pickLink(property, save);
  editInline(property, node, cell, save, close);
}

/** What a person typed as the value of a type; throws what is wrong with it. */
export function parsed(property, text) {
  const trimmed = text.trim();
  if (property.isOptional && trimmed === "" && property.type !== "string") return null;
  switch (property.type) {
    case "bool":
      if (!["true", "false"].includes(trimmed)) throw new Error("true or false");
      return trimmed === "true";
    case "int":
      if (!/^[+-]?\d+$/.test(trimmed)) throw new Error("a whole number");
      if (BigInt(trimmed) > 9223372036854775807n || BigInt(trimmed) < -9223372036854775808n)
      throw new Error("a number of 64 bits");
      return Number.isSafeInteger(Number(trimmed)) ? Number(trimmed) : { $int: trimmed };
    case "double":
    case "float":
      if (/^(NaN|[+-]?Infinity)$/.test(trimmed)) return trimmed;
      if (trimmed === "" || Number.isNaN(Number(trimmed))) throw new Error("a number");
      return Number(trimmed);
    case "date":
      if (Number.isNaN(new Date(trimmed).getTime())) throw new Error("a date: 2024-03-01 10:22:09");
      return /[zZ]$/.test(trimmed) ? trimmed : new Date(trimmed).toISOString();
    case "uuid":
      if (!/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(trimmed)) throw new Error("a UUID");
      return trimmed.toUpperCase();
    case "objectId":
      if (!/^[0-9a-f]{24}$/i.test(trimmed)) throw new Error("24 hexadecimal digits");
      return trimmed;
    case "decimal128":
      if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^NaN$|^[+-]?Infinity$/i.test(trimmed))
      throw new Error("a decimal number");
      return trimmed;
    default:
      return text;
  }
}

function editInline(property, node, cell, save, close) {
  const before = [...node.childNodes];
  const start = cell === null || cell === undefined ? "" : String(cell.v);
  const input = property.type === "bool" ?
    h("select", { class: "editor" }, ["true", "false", ...(property.isOptional ? [""] : [])].map((
        value) =>
      h("option", { value, selected: value === start }, value || "null"))) :
    h("input", { class: "editor", type: "text", value: start, spellcheck: "false",
      placeholder: property.isOptional ? "null" : property.typeText });
  input.setAttribute("aria-label", `${property.name}, ${property.typeText}`);
  const hint = h("span", { class: "hint", role: "alert" });
  let isOver = false;
  const end = () => { if (!isOver) { isOver = true;
      node.classList.remove("editing");
      replace(node, before);
      close(); } };
  const check = () => {
    try {
      const value = property.type === "string" && input.value === "" && property.isOptional &&
        cell === null ? null : parsed(property, input.value);
      input.removeAttribute("aria-invalid");
      hint.textContent = "";
      return { value };
    } catch (error) {
      input.setAttribute("aria-invalid", "true");
      hint.textContent = error.message;
      return undefined;
    }
  };
  const submit = async () => {
    if (isOver) return;
    if (input.value === start && !(cell === null && property.type === "string")) return end();
    const found = check();
    if (!found) return;
    try { isOver = true;
      await save(found.value);
      node.classList.remove("editing"); if (node.contains(input)) replace(node,
      before); } catch (failure) { isOver = false;
      hint.textContent = failure.message;
      input.setAttribute("aria-invalid", "true"); }
  };
  input.addEventListener("input", check);
  input.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") { event.preventDefault();
      submit(); }
    if (event.key === "Escape") end();
    if (event.key === "Backspace" && event.ctrlKey && property.isOptional) { event
        .preventDefault();
      isOver = true;
      save(null); }
  });
  input.addEventListener("click", (event) => event.stopPropagation());
  input.addEventListener("dblclick", (event) => event.stopPropagation());
  input.addEventListener("blur", () => { if (input.value === start) end();
    else submit(); });
  node.classList.add("editing");
  replace(node, input, hint);
  input.focus();
  input.select?.();
}

async function editLarge(className, row, property, cell, save) {
  const isText = property.type === "string" && !property.collection;
  let value;
  try {
    value = (await get("value", { file: state.file, class: className, key: row.key,
      property: property.name, coding: "dump" })).text;
  } catch (failure) {
    return say(failure.message, "bad");
  }
  // Numbers of JavaScript hold 53 bits: a text with longer ones is shown as it is.
  const isExact = !/\d{16}/.test(value);
  const start = isText ? JSON.parse(value) ?? ""
    : isExact ? JSON.stringify(JSON.parse(value), null, 2) : value;
  await dialog(`Edit ${property.name}`, (close) => {
    const area = h("textarea", { class: isText ? "prose" : "code", rows: 14,
      spellcheck: "false", "aria-label": property.name, value: start, autofocus: true });
    const hint = h("p", { class: "hint", role: "alert" });
    const submit = async (event) => {
      event?.preventDefault();
      try {
        if (!isText) JSON.parse(area.value);
        await save(isText ? area.value : { $text: area.value });
        close();
      } catch (failure) {
        hint.textContent = failure.message;
        area.setAttribute("aria-invalid", "true");
      }
    };
    area.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event
          .ctrlKey || event.metaKey)) submit(event); });
    return h("form", { class: "ask wide", onsubmit: submit },
      h("h2", {}, property.name, h("span", { class: "faint" }, ` ${property.typeText}`)),
      !isText && h("p", { class: "faint" },
        "JSON as freehold dump writes it: links by primary key, data as base64."),
      area, hint,
      h("div", { class: "buttons" },
        property.isOptional && !property.collection && h("button", { type: "button",
          onclick: async () => { await save(null);
            close(); } }, "Set to null"),
        h("span", { class: "push" }),
        h("button", { type: "button", onclick: () => close() }, "Cancel"),
        h("button", { class: "primary" }, "Keep in the draft")));
  });
}

/** Chooses an object of the class that a property links to. */
function pickLink(property, save) {
  return dialog(`Link ${property.name}`, (close) => {
    const list = h("ul", { class: "picker", role: "listbox",
    id: "picker-list", "aria-label": property.target });
    const input = h("input", { type: "text", placeholder: `Find in ${property.target}`,
      autofocus: true,
  role: "combobox", "aria-controls": "picker-list", "aria-expanded": "true",
      "aria-label": `Find in ${property.target}`,
      autocomplete: "off" });
    const hint = h("p", { class: "hint", role: "alert" });
    let [items, chosen, asked] = [[], 0, 0];
    const take = async (item) => {
      try { await save(item ? { $key: { $int: item.r } } : null);
        close(); } catch (failure) { hint.textContent = failure.message; }
    };
    const show = () => {
      replace(list, items.map((item, index) => h("li", { role: "option", id: `picked-${index}`,
          "aria-selected": String(index === chosen), onclick: () => take(item) },
        h("span", {}, item.v || `#${item.r}`), h("span", { class: "detail" }, item.detail ??
          `#${item.r}`))));
      if (items.length) return input.setAttribute("aria-activedescendant", `picked-${chosen}`);
      input.removeAttribute("aria-activedescendant");
      replace(list, h("li", { class: "faint", role: "option", "aria-disabled": "true" },
        "Nothing has this name."));
    };
    const find = async () => {
      const mine = ++asked;
      const answer = await get("find", { file: state.file, class: property.target,
        text: input.value.trim() });
      if (mine !== asked) return;
      [items, chosen] = [answer.rows, 0];
      show();
    };
    input.addEventListener("input", find);
    input.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 } [event.key];
      if (step && items.length) { event.preventDefault();
        chosen = (chosen + step + items.length) % items.length;
        show();
        list.children[chosen]?.scrollIntoView({ block: "nearest" }); }
      if (event.key === "Enter" && items[chosen]) { event.preventDefault();
        take(items[chosen]); }
    });
    find();
    return h("div", { class: "ask" },
      h("h2", {}, property.name, h("span", { class: "faint" }, ` a ${property.target}`)),
      input, list, hint,
      h("div", { class: "buttons" },
        property.isOptional && h("button", { onclick: () => take(undefined) }, "No link"),
        h("span", { class: "push" }), h("button", { onclick: () => close() }, "Cancel")));
  });
}

export async function addObject(className, open) {
  const definition = classNamed(className);
  const key = definition.properties.find((property) => property.isPrimaryKey);
  const create = async (value) => {
    const answer = await edit("draft/add", { class: className, primaryKey: value });
    say(`Added to ${className}, in the draft`);
    open(answer.key);
  };
  if (!key) return create(null).catch((failure) => say(failure.message, "bad"));
  await dialog(`Add to ${className}`, (close) => {
    const input = h("input", { type: "text", autofocus: true, "aria-label": key.name,
      placeholder: key.typeText });
    const hint = h("p", { class: "hint", role: "alert" });
    if (key.type === "uuid") input.value = crypto.randomUUID?.().toUpperCase() ?? "";
    return h("form", {
        class: "ask",
        onsubmit: async (event) => {
          event.preventDefault();
          try { await create(parsed(key, input.value));
            close(); } catch (failure) { hint.textContent = failure.message; }
        }
      },
      h("h2", {}, `Add to ${className}`),
      h("label", { class: "field" }, h("span", {}, key.name, h("span", { class: "faint" },
        ` primary key, ${key.typeText}`)), input), hint,
      h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => close() },
        "Cancel"), h("button", { class: "primary" }, "Add to the draft")));
  });
}

export async function deleteObject(className, key) {
  if (!state.draft) return say("Read-only: start Studio with --write to edit.");
  let along;
  try {
    along = await get("deletion", { file: state.file, class: className, key });
  } catch (failure) {
    return say(failure.message, "bad");
  }
  const body = h("div", {},
    h("p", {}, h("strong", {}, along.title || `${className} #${key}`)),
    along.along.length > 0 ?
    [h("p", {}, "Goes along:"), h("ul", {}, along.along.map((found) => h("li", {},
      `${counted(found.count, "object")} of ${found.className}`, found.property && h(
        "span", { class: "faint" }, ` by ${found.property}`))))] :
    h("p", { class: "faint" }, "Nothing else is deleted."),
    along.links.length > 0 && [h("p", {}, "Links that become null, or leave their collection:"),
      h("ul", {}, along.links.map((found) => h("li", {},
        `${count(found.count)} × ${found.className}.${found.property}`)))
    ]);
  if (!await confirmed("Delete in the draft?", body, "Delete", "danger")) return;
  try {
    await edit("draft/delete", { class: className, key: String(key) });
    say("Deleted in the draft. Ctrl Z brings it back.");
  } catch (failure) {
    say(failure.message, "bad");
  }
}

export const saveDraft = (resolutions) => edit("draft/save", { resolutions });
export { summary };
