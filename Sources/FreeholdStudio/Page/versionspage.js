// Versions that are being read: by whom, since when, and how many bytes they keep.
import { h, replace, count, bytes, duration } from "/dom.js";
import { get } from "/api.js";
import { state } from "/state.js";

export class VersionsPage {
  constructor() {
    this.title = "Versions";
    this.info = h("span", { class: "info", role: "status" });
    this.content = h("div", { class: "page-body" });
    this.element = h("div", { class: "page" },
      h("div", { class: "toolbar" }, h("h1", {}, "Versions"), this.info, h(
        "span", { class: "push" }),
        h("button", { class: "quiet", onclick: () => this.load() }, "Look again")), this.content
      );
    this.load();
    this.timer = setInterval(() => this.load(), 2000);
  }

  close() { clearInterval(this.timer);
    this.isClosed = true; }
  commit() { if (!this.soon) this.soon = setTimeout(() => { this.soon = undefined;
      this.load(); }, 300); }

  async load() {
    let answer;
    try { answer = await get("versions", { file: state.file }); } catch (failure) {
      return replace(this.content, h("p", {}, failure.message));
    }
    if (this.isClosed) return;
    this.info.textContent =
      `newest ${count(answer.newestVersion)} · ${count(answer.activeVersionCount)} in use`;
    const most = Math.max(1, ...answer.pins.map((pin) => pin.byteCount));
    replace(this.content,
      h("p", { class: "lead" },
        "While a version is read, the space that later commits freed cannot be used again. "
        + "Each holder is listed with what it keeps."
        ),
      h("div", { class: "table-scroll" }, h("table", { class: "wide-table" },
        h("thead", {}, h("tr", {}, ["Version", "Holder", "Process", "For", "Keeps", "Where"]
          .map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, answer.pins.map((pin) => h("tr", {},
          h("td", { class: "right" }, count(pin.version)),
          h("td", {}, pin.holder), h("td", {}, String(pin.processID), pin.isStudio && h(
            "span", { class: "badge" }, "Studio")),
          h("td", { class: "right" }, pin.age == null ? "–" : duration(pin.age)),
          h("td", {}, h("div", { class: "bar-cell" }, h("span", { class: "bar-fill",
            style: { width: `${pin.byteCount / most * 100}%` } }), h("span", {},
            bytes(pin.byteCount)))),
          h("td", { class: "faint" }, pin.place ?? "")))))),
      answer.pins.length === 0 && h("p", { class: "faint" }, "Nobody reads the file."));
  }
}
