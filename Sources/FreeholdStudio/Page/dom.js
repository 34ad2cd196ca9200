// Makes elements. Text always goes in as text nodes: no value of a file is ever parsed as HTML.

const svgNames = new Set(["svg", "g", "path", "rect", "text", "line", "title", "circle",
  "polyline"]);

/** Makes an element: `h("button", { class: "x", onclick: f }, "Save")`. */
export function h(name, properties = {}, ...children) {
  const element = svgNames.has(name) ?
    document.createElementNS("http://www.w3.org/2000/svg", name) :
    document.createElement(name);
  for (const [key, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "style") Object.assign(element.style, value);
    else if (key === "value" || key === "checked" || key === "indeterminate") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== undefined && child !== null && child !== false) element.append(child);
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

export const byId = (id) => document.getElementById(id);

/** "1,204,311" */
export const count = (number) => Number(number).toLocaleString("en");

/** "1.2 million" for tight places. */
export function shortCount(number) {
  if (number < 10000) return count(number);
  const [unit, size] = number < 999500 ? ["k", 1e3] : number < 999500000 ? ["M", 1e6] : ["G", 1e9];
  return (number / size).toPrecision(3).replace(/\.?0+$/, "") + unit;
}

export function counted(number, noun, nouns) {
  return `${count(number)} ${number === 1 ? noun : nouns ?? noun + "s"}`;
}

/** "41.3 MB" */
export function bytes(number) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 999.5 && unit < units.length - 1)[number, unit] = [number / 1000, unit + 1];
  return `${unit === 0 ? number : Number(number.toPrecision(3))} ${units[unit]}`;
}

/** "3.4 ms" */
export function duration(seconds) {
  if (seconds < 0.001) return `${Math.max(1, Math.round(seconds * 1e6))} µs`;
  if (seconds < 1) return `${Number((seconds * 1000).toPrecision(3))} ms`;
  if (seconds < 90) return `${Number(seconds.toPrecision(3))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** Shows how far long work is, in an element that then shows its result. */
export function progressBar(place, label) {
  const bar = h("progress", { "aria-label": label, max: 1 });
  const text = h("span", { class: "faint" }, ` ${label}…`);
  replace(place, bar, text);
  return {
    show(part, words) {
      bar.value = part;
      text.textContent = ` ${words}`;
    },
  };
}

let toastTimer;
/** Says something for a few seconds, also to screen readers. */
export function say(text, kind = "") {
  const toast = byId("toast");
  toast.className = `toast shown ${kind}`;
  toast.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => toast.classList.remove("shown"), kind === "bad" ? 9000 : 3500);
}

/** A modal dialog that returns focus. Resolves with what `close` is called with. */
export function dialog(label, build, kind = "") {
  return new Promise((resolve) => {
    const element = h("dialog", { class: `dialog ${kind}`, "aria-label": label });
    const close = (result) => {
      element.close();
      element.remove();
      resolve(result);
    };
    element.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(undefined);
    });
    element.addEventListener("click", (event) => {
      if (event.target === element) close(undefined);
    });
    append(element, [build(close)]);
    document.body.append(element);
    element.showModal();
  });
}

/** Asks for a decision. Resolves with whether it was confirmed. */
export function confirmed(title, body, action, kind = "") {
  return dialog(title, (close) =>
    h("form", { class: "ask", onsubmit: (event) => { event.preventDefault();
          close(true); } },
      h("h2", {}, title), body,
      h("div", { class: "buttons" },
        h("button", { type: "button", onclick: () => close(false) }, "Cancel"),
        h("button", { class: `primary ${kind}`, autofocus: true }, action))));
}
