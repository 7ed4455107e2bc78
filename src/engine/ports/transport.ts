import type { Abortable } from "../runtime/abortable.ts";
import type { Redact } from "../runtime/redaction.ts";

/** The deadlines that a transport keeps, in milliseconds, as those of a target. */
export interface WireTimeouts {
  readonly connect: number;
  readonly firstContent: number;
  readonly gap: number;
}

/** One HTTP request to a provider or a back end, ready for the socket. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute URL. */
  readonly url: string;
  /** Who is asked, for messages that callers see: the provider's name. Addresses are for the log only. */
  readonly peer?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal: Abortable;
  /** `connect`, `firstContent` (headers) and `gap` (between body pieces) are kept by the transport. */
  readonly timeouts: WireTimeouts;
  /** Called when the head of a whole answer is there, and its status one of success. */
  readonly onBegin?: (() => void) | undefined;
  /** The transport of the engine that asks: senders that were not chosen for this provider send through it. */
  readonly via?: Transport | undefined;
  /** Of a stream: how long its pieces may be gathered while the event loop lags; never without it. */
  readonly pace?: { readonly gatherMs: number } | undefined;
}

/** Lower-case header names; a header that was sent more than once is joined with a comma. */
export type WireHeaders = Readonly<Record<string, string>>;

/** What whole and streamed answers have in common. */
interface AnswerHead {
  readonly status: number;
  readonly headers: WireHeaders;
  /** Hides what let this one request in, such as an access token, in the text of the answer; absent where that is nothing. */
  readonly redact?: Redact | undefined;
}

/** An answer read to its end: decompressed, decoded as UTF-8. */
export interface WireAnswer extends AnswerHead {
  readonly body: string;
}

/** An answer whose body is still coming: decompressed bytes, cut wherever the socket cut them. */
export interface WireStream extends AnswerHead {
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * How requests reach a provider. Network failures are thrown as GatewayError: `upstream_unreachable`, `upstream_timeout`,
 * `request_cancelled` when `signal` was aborted, `upstream_stream_broken` when a streamed body ends in an error.
 */
export interface Transport {
  whole(request: WireRequest): Promise<WireAnswer>;
  /** Returning early from `body` ends the request. */
  stream(request: WireRequest): Promise<WireStream>;
  close(): Promise<void>;
}
