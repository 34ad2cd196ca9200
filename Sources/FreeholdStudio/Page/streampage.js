// Commits as they come: which rows, and what they were.
import { h, replace, count, counted } from "/dom.js";
import { get } from "/api.js";
import { state } from "/state.js";
import { linkAddress, summary } from "/value.js";

const most = 200;

export class StreamPage {
  constructor() {
    this.title = "Changes";
    this.isPaused = false;
    this.missed = 0;
    this.list = h("ol", { class: "stream", reversed: true });
    this.info = h("span", { class: "info", role: "status" });
    this.pauseButton = h("button", { class: "quiet", onclick: () => this.pause() }, "Pause");
    this.blank = h("div", { class: "blank" }, h("h2", {}, "Waiting for a commit"),
      h("p", {},
        "Every commit of every process appears here as it comes: each changed object "
        + "with its values before and after."
        ));
    this.element = h("div", { class: "page" },
      h("div", { class: "toolbar" }, h("h1", {}, "Changes"), this.info, h(
        "span", { class: "push" }), this.pauseButton,
        h("button", { class: "quiet", onclick: () => { replace(this.list);
            this.blank.hidden = false; } }, "Clear")),
      h("div", { class: "page-body" }, this.blank,
        // Not read out as they come: there may be many each second.
        h("div", { role: "log", "aria-live": "off", "aria-label": "Commits, the newest first" },
          this.list)));
    this.info.textContent = `since version ${count(state.version)}`;
    this.since = state.version;
    // The server records commits only while a page asks for them.
    this.load();
    this.timer = setInterval(() => { if (!this.isPaused) this.load(); }, 20000);
  }

  close() { this.isClosed = true;
    clearInterval(this.timer); }

  pause() {
    this.isPaused = !this.isPaused;
    this.pauseButton.textContent = this.isPaused ? "Go on" : "Pause";
    if (!this.isPaused) this.load();
  }

  commit() {
    if (this.isPaused) { this.missed++;
      this.info.textContent = `${counted(this.missed, "commit")} while paused`; return; }
    this.load();
  }

  async load() {
    if (this.isLoading) { this.isWanted = true; return; }
    this.isLoading = true;
    try {
      const answer = await get("stream", { file: state.file, since: this.since });
      if (this.isClosed) return;
      this.since = answer.version;
      this.missed = 0;
      this.blank.hidden = this.blank.hidden || answer.commits.length > 0;
      for (const commit of answer.commits) this.list.prepend(this.entry(commit));
      while (this.list.children.length > most) this.list.lastChild.remove();
      this.info.textContent = `version ${count(answer.version)}`;
    } catch {
      // The next commit asks again.
    } finally {
      this.isLoading = false;
    }
    if (this.isWanted) { this.isWanted = false;
      setTimeout(() => this.load(), 100); }
  }

  entry(commit) {
    const versions = commit.from + 1 < commit.version ?
      `versions ${count(commit.from + 1)} – ${count(commit.version)}` :
      `version ${count(commit.version)}`;
    return h("li", {},
      h("div", { class: "commit-head" }, h("strong", {}, versions), h(
        "span", { class: "faint" }, new Date(commit.time).toLocaleTimeString()),
        commit.classes.map((found) => h("span", { class: "badge" }, `${found.name} `,
          found.inserted > 0 && h("span", { class: "plus" }, `+${count(found.inserted)} `),
          found.changed > 0 && h("span", { class: "tilde" }, `~${count(found.changed)} `),
          found.deleted > 0 && h("span", { class: "minus" }, `−${count(found.deleted)}`)))),
      h("ul", { class: "rows" }, commit.rows.map((row) => h("li", { class: row.kind },
        h("span", { class: "kind" }, row.kind),
        row.kind === "deleted" ? h("span", {}, row.title) : h("a", { class: "link",
            href: linkAddress(row.className, row.key) }, row.title ||
          `${row.className} #${row.key}`),
        h("span", { class: "faint" }, ` ${row.className}`),
        row.properties.length > 0 && h("div", { class: "props" }, row.properties.map((
          property) => h("span", { class: "prop" },
          h("span", { class: "name" }, property.name), " ",
          row.kind === "changed" && [h("span", { class: "old" }, summary(property.old)),
            " → "
          ],
          h("span", { class: "new" }, summary(row.kind === "deleted" ? property.old :
            property.new)))))))),
      commit.isCut && h("p", { class: "faint" }, "and more rows"));
  }
}
