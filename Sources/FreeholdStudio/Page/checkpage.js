// Checking a file, and saving what is left of a damaged one.
import { h, replace, count, counted, duration, progressBar, say } from "/dom.js";
import { lines } from "/api.js";
import { state, currentFile } from "/state.js";

export class CheckPage {
  constructor() {
    this.title = "Check";
    this.result = h("div", { class: "result", role: "status", "aria-live": "polite" });
    this.salvaged = h("div", { class: "result", role: "status", "aria-live": "polite" });
    const path = currentFile()?.path ?? "";
    this.target = h("input", { type: "text", value: path.replace(/(\.realm)?$/,
        ".salvaged.realm"), "aria-label": "New file", spellcheck: "false" });
    this.element = h("div", { class: "page" },
      h("div", { class: "toolbar" }, h("h1", {}, "Check")),
      h("div", { class: "page-body narrow" },
        h("section", { class: "tile" }, h("h2", {}, "Check the file"),
          h("p", {},
            "Compares all values with their checksums, all indexes and links with the objects, "
            + "all counts with what there is. Nothing is changed; others may use the file."
            ),
          h("div", { class: "buttons" }, this.checkButton = h("button", { class: "primary",
            onclick: () => this.check() }, "Check")), this.result),
        h("section", { class: "tile" }, h("h2", {}, "Salvage"),
          h("p", {},
            "Writes every object that can still be read into a new file. "
            + "The file itself is only read."
            ),
          h("label", { class: "field" }, h("span", {}, "New file"), this.target),
          h("div", { class: "buttons" }, h("button", { disabled: !currentFile()?.isWritable,
            title: currentFile()?.isWritable ? "" : "Start Studio with --write",
          onclick: () => this.salvage() }, "Salvage")), this.salvaged)));
  }

  close() { this.stop?.abort(); }

  async check() {
    this.stop = new AbortController();
    this.checkButton.disabled = true;
    const begun = performance.now();
    const bar = progressBar(this.result, "Checking");
    try {
      for await (const line of lines("check", { file: state.file }, this.stop.signal)) {
        if (line.done) this.showCheck(line, (performance.now() - begun) / 1000);
        else bar.show(line.part, `${Math.floor(line.part * 100)} %`);
      }
    } catch (failure) {
      if (failure.name !== "AbortError") replace(this.result, h("p", { class: "bad" }, failure
        .message));
    }
    this.checkButton.disabled = false;
  }

  showCheck(line, seconds) {
    replace(this.result,
      h("p", { class: line.problems.length === 0 ? "good" : "bad" },
        h("strong", {}, line.problems.length === 0 ? "✓ The file is sound." :
          `✗ ${counted(line.problems.length, "problem")}`)),
      h("p", { class: "faint" },
        `version ${count(line.version)}, ${counted(line.rows, "object")}, in ${duration(seconds)}`
        ),
      line.problems.length > 0 && h("ul", { class: "problems" }, line.problems.map((problem) =>
        h("li", {}, problem))));
  }

  async salvage() {
    this.stop = new AbortController();
    const bar = progressBar(this.salvaged, "Salvaging");
    try {
      for await (const line of lines("salvage", {}, this.stop.signal, { file: state.file,
        target: this.target.value })) {
        if (line.done) {
          replace(this.salvaged, h("p", { class: line.isComplete ? "good" : "bad" }, h(
              "strong", {}, line.isComplete ? `✓ ${counted(line.rows, "object")} saved` :
              `${counted(line.rows, "object")} saved, ${counted(line.lost, "lost", "lost")}`)),
            line.problems?.length > 0 && h("ul", { class: "problems" }, line.problems.map((
              problem) => h("li", {}, problem))));
        } else bar.show(line.part, `${counted(line.rows, "object")} saved`);
      }
    } catch (failure) {
      replace(this.salvaged, h("p", { class: "bad" }, failure.message));
      say(failure.message, "bad");
    }
  }
}
