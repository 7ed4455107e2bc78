import { parseJson } from "../../../src/engine/dialects/wire-values.ts";
import type { GatewayError } from "../../../src/engine/errors.ts";
import type { Timeouts } from "../../../src/engine/ports/provider.ts";
import type { WireAnswer, WireRequest } from "../../../src/engine/ports/transport.ts";
import { parseWithIds } from "../../../src/engine/runtime/json/exact-json.ts";
import type { JsonSource } from "../../../src/engine/runtime/json/json-source.ts";
import { turnEnd } from "../../../src/engine/runtime/loop-turn.ts";
import { callerHeadersOf } from "./caller-headers.ts";
import { readFault, type VendorFault } from "./fault.ts";
import { type HttpCall, hiddenFault, readWhole, type Vendor } from "./response/answer.ts";
import { type EventBatches, eventBatches } from "./response/event-batches.ts";
import type { SseEvent } from "./sse.ts";
import { type ClientTarget, type HttpClientOptions, targetOf } from "./target.ts";

export type { HttpCall } from "./response/answer.ts";

/** HTTP as adapters use it: JSON and events in, JSON out, every failure a GatewayError, `call.raw` filled where it is there. */
export interface HttpClient {
  /** Sends JSON, gives the parsed answer; a status of 400 or more is thrown as `upstream_error`. */
  post(path: string, body: unknown, call: HttpCall): Promise<unknown>;
  get(path: string, call: HttpCall): Promise<unknown>;
  delete(path: string, call: HttpCall): Promise<unknown>;
  /**
   * Sends JSON, gives the events of the answer, all of one socket read at a time; never an empty list. Ends after the event that
   * `isLastEvent` names, or with the answer; read it to its end, since returning early closes the socket.
   */
  events(path: string, body: unknown, call: HttpCall): EventBatches;
  /** The `upstream_error` of a fault inside an answer of status 200; its status is the fault's code where that is one, else 502. */
  faultError(fault: VendorFault, call: HttpCall): GatewayError;
  /** Closes the transport, unless it was given. */
  close(): Promise<void>;
}

/** A client of one vendor; the base URL, the headers and the transport are settled once. */
export function httpClient(options: HttpClientOptions): HttpClient {
  const target = targetOf(options);
  const vendor: Vendor = {
    provider: options.provider,
    target,
    readFault: options.readFault ?? readFault,
    parse: options.acceptsObjects === true ? parseWithIds : parseJson,
    eventLimit: options.eventLimit ?? 16 * 1024 * 1024,
    streamLimit: options.streamLimit ?? 64 * 1024 * 1024,
    readsEither: options.readsEither === true,
    costHeader: options.costHeader,
    isLastEvent: options.isLastEvent ?? isDone,
  };

  /** Waits without the request: its body may be long. */
  async function readFrom(coming: Promise<WireAnswer>, call: HttpCall): Promise<unknown> {
    const answer = await coming;
    await turnEnd();
    return readWhole(vendor, answer, call);
  }

  function whole(wire: WireRequest, call: HttpCall): Promise<unknown> {
    return readFrom(target.transport.whole(wire), call);
  }

  return {
    post: (path, body, call) => whole(requestOf(target, { path, body, kind: "post" }, call), call),
    get: (path, call) => whole(requestOf(target, { path, body: undefined, kind: "get" }, call), call),
    delete: (path, call) =>
      whole({ ...requestOf(target, { path, body: undefined, kind: "get" }, call), method: "DELETE" }, call),
    events: (path, body, call) => eventBatches(vendor, requestOf(target, { path, body, kind: "stream" }, call), call),
    faultError: (fault, call) => hiddenFault(vendor, fault, call),
    close: () => target.close(),
  };
}

function isDone(event: SseEvent): boolean {
  return event.data === "[DONE]";
}

interface ClientRequest {
  readonly path: string;
  readonly body: unknown;
  readonly kind: keyof ClientTarget["headers"];
}

function requestOf(target: ClientTarget, { path, body, kind }: ClientRequest, call: HttpCall): WireRequest {
  const { timeouts } = call;
  if (call.raw && kind !== "get") call.raw.request = body;
  return {
    method: kind === "get" ? "GET" : "POST",
    url: target.address(path),
    peer: target.provider,
    headers: headersOf(target, kind, call),
    body: kind === "get" || body === undefined ? undefined : writeBody(body, call.source),
    signal: call.cancellation ?? call.signal,
    timeouts: kind === "stream" ? untilContent(timeouts) : timeouts,
    onBegin: kind === "stream" ? undefined : call.begun,
    via: call.transport,
    pace: kind === "stream" ? call.pace : undefined,
  };
}

/** A body as it is sent; behind it that of the caller's request is let go: its members are not looked at again. */
function writeBody(body: unknown, source: JsonSource | undefined): string | Uint8Array {
  const text = source && typeof body === "object" && body !== null ? source.write(body) : JSON.stringify(body);
  source?.release();
  return text;
}

function headersOf(target: ClientTarget, kind: ClientRequest["kind"], call: HttpCall): WireRequest["headers"] {
  const fixed = target.headers[kind];
  if (call.capabilities !== undefined && kind !== "get")
    return { ...fixed, ...callerHeadersOf(target, call), ...call.headers };
  return call.headers === undefined ? fixed : { ...fixed, ...call.headers };
}

/**
 * A stream may be silent for `firstContent` before its first content, also behind its head. Only the engine sees content: it keeps the
 * gap from there on.
 */
function untilContent(timeouts: Timeouts): Timeouts {
  return timeouts.gap < timeouts.firstContent ? { ...timeouts, gap: timeouts.firstContent } : timeouts;
}
