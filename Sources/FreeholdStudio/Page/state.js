// What the page knows, and who is told when it changes.
import { get } from "/api.js";

export const state = {
  /** Files that the server shows: `{ id, name, path, isWritable, isEncrypted, error }`. */
  files: [],
  /** The number of the shown file. */
  file: 0,
  /** Its classes: `{ name, isEmbedded, count, primaryKey, properties }`. */
  classes: [],
  version: 0,
  byteCount: 0,
  isLive: false,
  /** The open draft: `{ changes, undo, redo, steps }`. Nil without `--write`. */
  draft: null,
};

const listeners = new Map();

/** Calls back on `what` ("commit", "schema", "draft", "live"). Returns how to stop. */
export function on(what, callback) {
  if (!listeners.has(what)) listeners.set(what, new Set());
  listeners.get(what).add(callback);
  return () => listeners.get(what).delete(callback);
}

export function tell(what, detail) {
  for (const callback of [...(listeners.get(what) ?? [])]) callback(detail);
}

export const currentFile = () => state.files.find((file) => file.id === state.file);
export const classNamed = (name) => state.classes.find((found) => found.name === name);
export const isEditing = () => (state.draft?.changes ?? 0) > 0;

export async function loadFiles() {
  state.files = (await get("files")).files;
}

export async function loadSchema() {
  const answer = await get("schema", { file: state.file });
  Object.assign(state, {
    classes: answer.classes,
    version: answer.version,
    byteCount: answer.byteCount,
    draft: answer.draft ?? null,
  });
  tell("schema");
}

let events;
/** Follows the commits of everybody. The browser connects again by itself if it is cut off. */
export function follow() {
  events?.close();
  events = new EventSource(`/api/events?file=${state.file}`);
  events.onopen = () => setLive(true);
  events.onerror = () => setLive(false);
  events.addEventListener("commit", (event) => {
    const commit = JSON.parse(event.data);
    state.version = commit.version;
    if (commit.isSchemaChanged) return loadSchema().then(() => tell("commit", commit));
    for (const found of state.classes) found.count = commit.counts[found.name] ?? found.count;
    tell("commit", commit);
  });
  events.addEventListener("draft", (event) => {
    if (state.draft) setDraft(JSON.parse(event.data));
  });
}

function setLive(isLive) {
  if (state.isLive === isLive) return;
  state.isLive = isLive;
  tell("live");
}

/** Takes in what an edit answered about the draft. */
export function setDraft(draft) {
  state.draft = draft;
  tell("draft");
}

// Things of this person, kept by this browser only.

const prefix = "freehold.";

export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing: the page works without.
  }
}
