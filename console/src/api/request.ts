import { noteReached, noteUnreached } from "./connection.ts";
import { ApiError, readError } from "./errors.ts";
import { createStore } from "./store.ts";

/** What every call carries next to its input. */
interface CallState {
  /** From `GET /session`: proves that a change comes from this page. */
  readonly csrf: string | undefined;
  readonly region: string | undefined;
}

/** The state of calls; the session sets it. */
export const callState = createStore<CallState>({ csrf: undefined, region: undefined });

/** Called when the gateway no longer knows the session. */
export const onSignedOut = { notify: () => {} };

/** The address of the API, from the page that the server wrote. */
export const apiRoot = (): URL => {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="tollgate-api"]');
  return new URL(meta?.content ?? "../", document.baseURI);
};

/** An operation with its path filled in. */
export interface Sent {
  readonly method: string;
  /** Below the API's root, without a slash in front. */
  readonly path: string;
  /** The query of GET and DELETE, the body of the others. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

/** The answer of an operation with its headers. */
export interface Received {
  readonly value: unknown;
  readonly headers: Headers;
}

/** Sends one operation. Rejects with an `ApiError`. */
export async function send({ method, path, fields, signal }: Sent): Promise<Received> {
  const isQuery = method === "GET" || method === "DELETE";
  const url = new URL(path, apiRoot());
  if (isQuery) url.search = toQuery(fields).toString();
  const body = isQuery || Object.keys(fields).length === 0 ? null : JSON.stringify(fields);
  const response = await fetch(url, {
    ...{ method, body, signal: signal ?? null, credentials: "same-origin", cache: "no-store" },
    headers: headersOf(method, body !== null),
  }).catch((thrown) => {
    if (signal?.aborted) throw thrown;
    noteUnreached();
    throw new ApiError(0, {});
  });
  noteReached();
  if (response.status === 401 && path !== "session") onSignedOut.notify();
  if (!response.ok) throw await readError(response);
  const text = await response.text();
  return { value: text === "" ? undefined : JSON.parse(text), headers: response.headers };
}

/** Opens an event stream. Rejects with an `ApiError`. */
export async function openStream({
  method,
  path,
  fields,
  signal,
}: Sent): Promise<ReadableStream<BufferSource & Uint8Array<ArrayBuffer>>> {
  const url = new URL(path, apiRoot());
  const isQuery = method === "GET";
  if (isQuery) url.search = toQuery(fields).toString();
  const response = await fetch(url, {
    ...{ method, signal: signal ?? null, credentials: "same-origin", cache: "no-store" },
    body: isQuery ? null : JSON.stringify(fields),
    headers: { ...headersOf(method, !isQuery), accept: "text/event-stream" },
  });
  if (response.status === 401) onSignedOut.notify();
  if (!response.ok || !response.body) throw await readError(response);
  return response.body;
}

/** The headers by which the gateway takes the session's cookie. */
function headersOf(method: string, hasBody: boolean): Record<string, string> {
  const { csrf, region } = callState.get();
  return {
    "x-tg-console": "1",
    ...(method !== "GET" && csrf !== undefined ? { "x-csrf": csrf } : {}),
    ...(region !== undefined ? { region } : {}),
    ...(hasBody ? { "content-type": "application/json" } : {}),
  };
}

/** Lists repeat their name; objects are JSON; what is undefined is left out. */
function toQuery(fields: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === "object" ? JSON.stringify(one) : String(one));
  }
  return query;
}
