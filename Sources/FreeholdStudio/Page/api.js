// Speaks to the server that this page came from, and to nothing else.

export class Failure extends Error {
  constructor(body, status) {
    super(body?.message ?? `The server answered ${status}.`);
    this.body = body ?? {};
    this.status = status;
  }
}

async function answer(response) {
  const type = response.headers.get("content-type") ?? "";
  const body = type.startsWith("application/json") ? await response.json() : undefined;
  if (!response.ok) throw new Failure(body, response.status);
  return body;
}

export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  // The server takes a plus for a plus.
  const text = query.toString().replace(/\+/g, "%20");
  return `/api/${path}${text ? "?" + text : ""}`;
}

export async function get(path, parameters, signal) {
  return answer(await fetch(address(path, parameters), { signal, cache: "no-store" }));
}

export async function post(path, body) {
  return answer(await fetch(`/api/${path}`, {
    method: "POST",
    body: encoded(body),
    headers: { "content-type": "application/json" },
  }));
}

/** JSON, with integers that JavaScript's numbers cannot hold: `{ $int: "9007199254740993" }`. */
function encoded(body) {
  return JSON.stringify(body).replace(/\{"\$int":"([+-]?\d+)"\}/g, (_, digits) => BigInt(digits)
    .toString());
}

/** Reads JSON Lines as they come: the progress of long work. */
export async function* lines(path, parameters, signal, body) {
  const response = await fetch(address(path, parameters), {
    signal,
    cache: "no-store",
    ...(body && {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  if (!response.ok) await answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (true) {
    const { value, done } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts)
      if (part) yield JSON.parse(part);
  }
  if (rest) yield JSON.parse(rest);
}
