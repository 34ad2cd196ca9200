// The frame: the bar, the side, and the page that the address names.
import { h, replace, byId, count, shortCount, say } from "/dom.js";
import { state, on, loadFiles, loadSchema, follow, currentFile, remember, remembered,
  classNamed } from "/state.js";
import { ClassPage } from "/classpage.js";
import { SchemaPage } from "/schemapage.js";
import { StreamPage } from "/streampage.js";
import { VersionsPage } from "/versionspage.js";
import { SpacePage } from "/spacepage.js";
import { CheckPage } from "/checkpage.js";
import { ReviewPage } from "/reviewpage.js";
import { showDraftBar, undo, redo } from "/edit.js";
import { openPalette, showKeys } from "/palette.js";

export const pages = [
  { id: "schema", name: "Schema", key: "2",
    icon: "M3 3h7v5H3zM14 10h7v5h-7zM3 16h7v5H3zM10 5.5h7V10M10 18.5h7V15", make: () =>
      new SchemaPage() },
  { id: "stream", name: "Changes", key: "3", icon: "M3 12h4l3-8 4 16 3-8h4", make: () =>
      new StreamPage() },
  { id: "versions", name: "Versions", key: "4", icon: "M12 3a9 9 0 1 0 9 9M12 7v5l3 3",
  make: () => new VersionsPage() },
  { id: "space", name: "Space", key: "5", icon: "M3 3h18v18H3zM3 10h11M14 3v18M14 14h7",
  make: () => new SpacePage() },
  { id: "check", name: "Check", key: "6",
    icon: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM8.5 12l2.5 2.5 4.5-5", make: () =>
      new CheckPage() },
];

let page;

const icon = (path) => h("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, h(
  "path", { d: path }));

// Addresses: #/FILE/class/NAME?q=…&key=…, #/FILE/PAGE

export function parseAddress(hash = location.hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?");
  const [file, kind, name] = path.split("/").map(decodeURIComponent);
  return { file: Number(file) || 0, kind, name, parameters: new URLSearchParams(query ?? "") };
}

async function route() {
  const place = parseAddress();
  if (place.file !== state.file && state.files[place.file]) {
    state.file = place.file;
    await openFile();
  }
  if (currentFile()?.error) return;
  if (!place.kind) {
    const last = remembered(`last.${currentFile()?.path}`);
    const first = state.classes.find((found) => found.name === last && !found.isEmbedded) ??
      state.classes.filter((found) => !found.isEmbedded).sort((a, b) => b.count - a.count)[0];
    location.replace(first ? `#/${state.file}/class/${encodeURIComponent(first.name)}` :
      `#/${state.file}/schema`);
    return;
  }
  byId("side").classList.remove("open");
  if (place.kind === "class" && page instanceof ClassPage && page.className === place.name) {
    page.update(place.parameters);
  } else {
    page?.close?.();
    page = undefined;
    if (place.kind === "class") {
      if (!classNamed(place.name)) {
        replace(byId("main"), h("div", { class: "blank" }, h("h1", {}, "No such class"), h(
          "p", {}, `The file has no class “${place.name}”.`)));
      } else {
        remember(`last.${currentFile()?.path}`, place.name);
        page = new ClassPage(place.name, place.parameters);
      }
    } else if (place.kind === "review") page = new ReviewPage();
    else page = (pages.find((known) => known.id === place.kind) ?? pages[0]).make();
    if (page) replace(byId("main"), page.element);
    page?.shown?.();
    if (!(page instanceof ClassPage)) closeCard();
  }
  showSide();
  document.title = `${page?.title ?? "Freehold Studio"} · ${currentFile()?.name ?? ""}`;
}

function closeCard() {
  byId("card").hidden = true;
  document.body.classList.remove("with-card");
}

async function openFile() {
  const file = currentFile();
  page?.close?.();
  page = undefined;
  if (file?.error) {
    state.classes = [];
    replace(byId("main"), h("div", { class: "blank" }, h("h1", {}, "The file cannot be opened"),
      h("pre", { class: "message" }, file.error)));
    showBar();
    showSide();
    return;
  }
  await loadSchema();
  follow();
  showBar();
}

function showBar() {
  const file = currentFile();
  replace(byId("bar"),
    h("button", { class: "quiet only-narrow", "aria-label": "Classes and pages", onclick: () =>
        byId("side").classList.toggle("open") }, icon("M4 6h16M4 12h16M4 18h16")),
    h("span", { class: "brand", "aria-hidden": "true" }, icon(
      "M4 4h16v4H4zM4 10h11v4H4zM4 16h6v4H4z")),
    state.files.length > 1 ?
    h("select", { class: "files", "aria-label": "File", onchange: (event) => { location.hash =
            `#/${event.target.value}`; } },
      state.files.map((other) => h("option", { value: other.id, selected: other.id === state
          .file }, other.name))) :
    h("span", { class: "filename", title: file?.path }, file?.name ?? ""),
    file?.isEncrypted && h("span", { class: "badge",
      title: "The file is encrypted. Its key stays with the server." }, "encrypted"),
    h("span", { class: `badge ${file?.isWritable ? "write" : ""}`, title: file?.isWritable ?
          "Edits are kept as a draft until they are saved" : "Started without --write" }, file
      ?.isWritable ? "editing" : "read-only"),
    h("button", { class: "search", onclick: openPalette, "aria-keyshortcuts": "Control+K" },
      h("span", {}, "Go to a class, an object, a page…"), h("kbd", {}, "Ctrl K")),
    h("span", { id: "live", class: "live", role: "status" }),
    h("button", { class: "quiet", title: "Keys (?)", "aria-label": "Keys", onclick: showKeys },
      "?"),
    h("button", { class: "quiet", id: "theme",
    title: "Light or dark", "aria-label": "Light or dark", onclick: toggleTheme }, icon(
      "M12 3a9 9 0 1 0 9 9c0-.5 0-1-.1-1.4A6 6 0 0 1 12 3z")));
  showLive();
}

function showLive() {
  const live = byId("live");
  if (!live) return;
  live.className = `live ${state.isLive ? "on" : "off"}`;
  live.textContent = state.isLive ? `v${count(state.version)}` : "offline";
  live.title = state.isLive ? "Commits of every process appear as they come" :
    "The server does not answer; it is asked again";
}

function showSide() {
  const place = parseAddress();
  const entry = (found) => h("a", {
    href: `#/${state.file}/class/${encodeURIComponent(found.name)}`,
    class: "entry",
    "aria-current": place.kind === "class" && place.name === found.name ? "page" : null,
  }, h("span", { class: "entry-name" }, found.name), h(
"span", { class: "count", "data-class": found.name, title: count(found.count) }, shortCount(
    found.count)));
  const top = state.classes.filter((found) => !found.isEmbedded);
  const embedded = state.classes.filter((found) => found.isEmbedded);
  replace(byId("side"),
    h("div", { class: "side-scroll" },
      h("h2", {}, "Classes"), top.map(entry),
      top.length === 0 && h("p", { class: "faint pad" }, "The file has no classes."),
      embedded.length > 0 && [h("h2", {}, "Embedded"), embedded.map(entry)]),
    h("div", { class: "side-pages" },
      pages.map((known) => h("a", {
        href: `#/${state.file}/${known.id}`,
        class: "entry to-page",
        "aria-current": place.kind === known.id ? "page" : null,
      }, icon(known.icon), h("span", {}, known.name), h("kbd", {}, `Alt ${known.key}`)))));
}

function showCounts() {
  for (const node of byId("side").querySelectorAll(".count")) {
    const found = classNamed(node.dataset.class);
    const text = found ? shortCount(found.count) : "";
    if (node.textContent !== text) {
      node.textContent = text;
      node.title = count(found?.count ?? 0);
      node.classList.remove("flash");
      void node.offsetWidth;
      node.classList.add("flash");
    }
  }
}

// Light or dark: as the system has it, until a person chooses.

const dark = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  document.documentElement.dataset.theme = remembered("theme") ?? (dark.matches ? "dark" : "light");
}
export function toggleTheme() {
  remember("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  applyTheme();
}
dark.addEventListener("change", applyTheme);
applyTheme();

addEventListener("hashchange", route);
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select, dialog");
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === "k") { event
.preventDefault(); return openPalette(); }
  if (control && event.key.toLowerCase() === "s" && state.draft) {
    event.preventDefault();
    location.hash = `#/${state.file}/review`;
    return;
  }
  if (control && !isTyping && state.draft && event.key.toLowerCase() === "z") {
    event.preventDefault();
    return event.shiftKey ? redo() : undo();
  }
  if (event.altKey && /^[1-6]$/.test(event.key)) {
    event.preventDefault();
    if (event.key === "1") return byId("side").querySelector(".entry")?.focus();
    const known = pages.find((other) => other.key === event.key);
    if (known) location.hash = `#/${state.file}/${known.id}`;
    return;
  }
  if (isTyping) return;
  if (event.key === "/") { event.preventDefault();
    byId("query")?.focus(); }
  if (event.key === "?") showKeys();
  if (event.key === "Escape" && page?.closeCard) page.closeCard();
});
byId("side").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const entries = [...byId("side").querySelectorAll(".entry")];
  const next = entries.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
  entries[next]?.focus();
  event.preventDefault();
});

on("commit", (commit) => {
  showLive();
  showCounts();
  page?.commit?.(commit);
});
on("schema", () => { showSide();
  showDraftBar(); });
on("live", showLive);
on("draft", () => { showDraftBar();
  page?.draftChanged?.(); });

try {
  await loadFiles();
  state.file = Math.min(parseAddress().file, state.files.length - 1);
  await openFile();
  await route();
} catch (failure) {
  say(failure.message, "bad");
}
document.body.classList.add("ready");
