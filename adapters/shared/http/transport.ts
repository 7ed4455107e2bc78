import type { Abortable, Timeouts } from "../../../src/ports.ts";

/** One HTTP request to a provider or a back end, ready for the socket. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly signal: Abortable;
  /** `connect`, `firstContent` (headers) and `gap` (between body pieces) are kept by the transport; `whole` is the engine's. */
  readonly timeouts: Timeouts;
  /** Called when the head of a whole answer is there, and its status one of success. */
  readonly onBegin?: (() => void) | undefined;
}

/** Lower-case header names; a header that was sent more than once is joined with a comma. */
export type WireHeaders = Readonly<Record<string, string>>;

/** An answer read to its end: decompressed, decoded as UTF-8. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: string;
}

/** An answer whose body is still coming: decompressed bytes, cut wherever the socket cut them. */
export interface WireStream {
  readonly status: number;
  readonly headers: WireHeaders;
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
