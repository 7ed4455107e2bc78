import type { CoreEngine } from "../../engine/engine.ts";
import { GatewayError, isGatewayError } from "../../engine/errors.ts";
import { type Aborter, createAborter } from "../../engine/runtime/abortable.ts";
import { type Checks, checkOptions } from "../../engine/runtime/checks.ts";
import { turnEnd } from "../../engine/runtime/loop-turn.ts";
import type { BodyIntake, HttpRequest, RequestBody } from "../message.ts";
import { tooLarge } from "../request/body-errors.ts";
import { isWhole, toByteStream } from "./byte-stream.ts";
import { createHandler } from "./handler.ts";
import { type HandlerOptions, handlerChecks, keepAliveMsOf } from "./handler-options.ts";

/** A `fetch` that reaches the gateway without a socket, whatever the URL's origin; official SDKs take it as theirs. */
export type GatewayFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Everything of the handler but the engine. */
export interface FetchOptions extends Omit<HandlerOptions, "engine"> {
  /** Where the gateway stands in the URLs, e.g. `/ai` for a route handler at `/ai/[...path]`; at the root by default. */
  readonly prefix?: string | undefined;
}

const fetchChecks: Checks<FetchOptions & HandlerOptions> = {
  ...handlerChecks,
  prefix: [(value) => /^(\/[^/?#]+)*$/.test(`${value}`), "a path such as `/ai`, without `/` at its end"],
};

/**
 * Builds a `fetch` over an engine. As with the real one, every HTTP status resolves, and an aborted signal rejects with its
 * reason, as a body of the request does that fails; a streamed body is pulled as it is read, and cancelling it ends the provider's
 * work. The body of a stream that breaks fails behind its last frame.
 */
export function createFetch(engine: CoreEngine, options: FetchOptions = {}): GatewayFetch {
  checkOptions({ ...options, engine }, fetchChecks, { of: "createFetch", needs: ["engine"] });
  const { prefix = "", ...others } = options;
  const handle = createHandler({ ...others, engine });
  const keepAliveMs = keepAliveMsOf(options);
  return async (input, init = {}) => {
    const provided = input instanceof Request ? input : undefined;
    const signal = init.signal ?? provided?.signal;
    signal?.throwIfAborted();
    const hangUp = createAborter();
    const onAbort = () => hangUp.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const release = () => signal?.removeEventListener("abort", onAbort);
    const request = toRequest(provided ?? { url: String(input) }, init, { hangUp, prefix });
    const { status, headers, body, filler } = await handle(request);
    if (isWhole(body) || hangUp.aborted) release();
    if (hangUp.aborted) {
      if (!isWhole(body)) await body[Symbol.asyncIterator]().return?.();
      throw hangUp.reason;
    }
    const hasBody = request.method !== "HEAD" && status !== 204 && status !== 304;
    if (isWhole(body)) return new Response(hasBody ? body : null, { status, headers });
    const keepAlive = { clock: engine.clock, keepAliveMs, filler };
    return new Response(toByteStream(body, { hangUp, release, keepAlive }), { status, headers });
  };
}

/** What is read of a `Request`; a URL alone will do. */
type FetchInput = Pick<Request, "url"> & Partial<Request>;

interface FetchPlace {
  readonly hangUp: Aborter;
  readonly prefix: string;
}

function toRequest(parsed: FetchInput, init: RequestInit, { hangUp, prefix }: FetchPlace): HttpRequest {
  const { pathname, search } = new URL(parsed.url, "http://gateway");
  const headers = Object.fromEntries(new Headers(init.headers ?? parsed.headers));
  const body = init.body ?? parsed.body;
  const mediaType = headers["content-type"] ?? mediaTypeOf(body);
  if (mediaType !== undefined) headers["content-type"] = mediaType;
  return {
    method: (init.method ?? parsed.method ?? "GET").toUpperCase(),
    path: pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : "", // outside: no operation has it
    prefix,
    query: search.slice(1),
    headers,
    isShared: false,
    signal: hangUp,
    read: async (intake): Promise<RequestBody> => {
      const bytes = await inTime(readBytes(body, intake), intake).catch((thrown) => giveUp(hangUp, thrown));
      await turnEnd();
      return { kind: "bytes", bytes, encoding: headers["content-encoding"] };
    },
  };
}

/** The type that a body has of itself, as a text or a `Blob` has one. */
function mediaTypeOf(body: RequestInit["body"]): string | undefined {
  if (!body || body instanceof ReadableStream) return undefined;
  return new Response(body).headers.get("content-type") ?? undefined;
}

/** Aborts the call of a body that failed to arrive, and throws `request_cancelled` or the body's own `GatewayError`. */
function giveUp(hangUp: Aborter, thrown: unknown): never {
  if (isGatewayError(thrown)) throw thrown;
  hangUp.abort(thrown);
  throw new GatewayError("request_cancelled", "The body of the request failed before it was complete.");
}

/** Rejects when a body that is being read takes too long. */
function inTime(bytes: Promise<Uint8Array>, { onLate }: BodyIntake): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stop = onLate(reject);
    bytes.then(resolve, reject).finally(stop);
  });
}

async function readBytes(body: RequestInit["body"] | null, { limit, resize }: BodyIntake): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of typeof body === "string" ? [Buffer.from(body)] : (new Response(body).body ?? [])) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(limit);
    resize(size);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
