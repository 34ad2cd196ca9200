// Completion of predicate strings: classes' properties along links, operators that fit the type,
// words of the language, and values that the file has.
import { get } from "/api.js";
import { state, classNamed } from "/state.js";

const comparisons = ["==", "!=", "<", "<=", ">", ">=", "IN", "BETWEEN"];
const texts = ["==", "!=", "BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES", "==[c]",
  "CONTAINS[c]", "BEGINSWITH[c]", "IN"
];
const equal = ["==", "!=", "IN"];
const after = ["AND", "OR", "SORT(", "LIMIT(", "DISTINCT("];
const openers = ["NOT", "ANY", "ALL", "NONE", "SUBQUERY("];
const operatorWords = new Set([...comparisons, ...texts].map((word) => word.replace(/\[.*/, "")
  .toUpperCase()));

/** What fits at the caret: `{ from, to, items: [{ text, label, detail }] }`. */
export async function complete(text, caret, className, signal) {
  const before = text.slice(0, caret);
  const open = openString(before);
  const place = open ?? word(before);
  const prior = tokens(before.slice(0, place.from));
  const last = prior.at(-1);
  const inClause = clause(prior);
  let items;
  if (inClause === "SORT" || inClause === "DISTINCT") {
    items = /^[\w.#]+$/.test(last ?? "") && !["SORT", "DISTINCT"].includes(last.toUpperCase()) ?
      words(["ASC", "DESC"]) : paths(place.text, className);
  } else if (inClause === "LIMIT") {
    items = words(["10", "100", "1000"]);
  } else if (open || isOperator(last)) {
    const path = pathBefore(prior);
    items = await values(path && propertyAt(path, className), place.text, className, path,
    signal);
  } else if (last && propertyAt(last, className)) {
    items = operators(propertyAt(last, className));
  } else if (last && !isJoin(last) && last !== "(") {
    items = words(after);
  } else {
    items = [...paths(place.text, className), ...words(openers)];
  }
  const wanted = place.text.toLowerCase();
  const fits = items.filter((item) => item.isExact || item.text.toLowerCase().startsWith(
    wanted) ||
    item.label?.toLowerCase().startsWith(wanted));
  const inside = items.filter((item) => !fits.includes(item) && wanted.length > 1 &&
    item.text.toLowerCase().includes(wanted));
  return { from: place.from, to: caret, items: [...fits, ...inside].slice(0, 12) };
}

function word(before) {
  const text = /[\w.#@$]*$/.exec(before)[0] || /[=!<>]+$/.exec(before)?.[0] || "";
  return { from: before.length - text.length, text };
}

/** The string literal that the caret is in. */
function openString(before) {
  let quote, from;
  for (let index = 0; index < before.length; index++) {
    const character = before[index];
    if (quote) {
      if (character === "\\") index++;
      else if (character === quote) quote = undefined;
    } else if (character === "'" || character === '"') {
      [quote, from] = [character, index];
    }
  }
  return quote ? { from, text: before.slice(from + 1) } : undefined;
}

function tokens(text) {
  return text.match(
    /"(?:\\.|[^"])*"|'(?:\\.|[^'])*'|[\w.#@$%]+|[=!<>]+(?:\[\w+\])?|\[\w+\]|[(),]/g) ?? [];
}

const isJoin = (token) => ["AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE", "&&", "||", "!"]
  .includes(token.toUpperCase());
const isOperator = (token) => token !== undefined &&
  (/^[=!<>]+/.test(token) || /^\[\w+\]$/.test(token) || operatorWords.has(token.toUpperCase()));

/** The clause whose parentheses are open. */
function clause(prior) {
  let depth = 0;
  for (let index = prior.length - 1; index > 0; index--) {
    if (prior[index] === ")") depth++;
    else if (prior[index] === "(") {
      if (depth === 0) return ["SORT", "DISTINCT", "LIMIT"].find((name) => prior[index - 1]
        .toUpperCase() === name);
      depth--;
    }
  }
  return undefined;
}

function pathBefore(prior) {
  return prior.findLast((token) => /^[A-Za-z_#]/.test(token) && !isOperator(token) && !isJoin(
    token));
}

export function propertyAt(path, className) {
  let found = classNamed(className);
  let property;
  for (const name of path.split(".")) {
    property = found?.properties.find((other) => other.name === name.replace(/^#/, ""));
    if (!property) return undefined;
    found = property.target ? classNamed(property.target) : undefined;
  }
  return property;
}

function paths(text, className) {
  const steps = text.split(".");
  const prefix = steps.slice(0, -1).join(".");
  const target = prefix ? propertyAt(prefix, className)?.target : className;
  const lead = prefix ? prefix + "." : "";
  return (classNamed(target)?.properties ?? []).map((property) => ({
    text: lead + property.name,
    label: property.name,
    detail: property.typeText,
    kind: "property",
  }));
}

const words = (list) => list.map((text) => ({ text, detail: "", kind: "word" }));

function operators(property) {
  if (property.collection) return words([".@count", "CONTAINS"]);
  if (property.type === "string") return words(texts);
  if (["bool", "link", "objectId", "uuid"].includes(property.type)) return words(equal);
  return words(comparisons);
}

async function values(property, text, className, path, signal) {
  if (!property) return [];
  if (property.type === "bool") return words(["true", "false"]);
  if (!["string", "int"].includes(property.type)) return property.isOptional ? words(["nil"]) :
[];
  const links = path.split(".").slice(0, -1).join(".");
  const owner = links ? propertyAt(links, className)?.target : className;
  try {
    const answer = await get("values", { file: state.file, class: owner, property: property.name,
      prefix: text.replace(/^['"]/, "") }, signal);
    return answer.values.map((value) => ({
      text: property.type === "string" ? JSON.stringify(value) : String(value),
      label: String(value),
      detail: "in the file",
      kind: "value",
      isExact: true,
    }));
  } catch {
    return [];
  }
}
