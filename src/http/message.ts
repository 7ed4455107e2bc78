import type { GatewayError } from "../engine/errors.ts";
import type { Abortable } from "../engine/runtime/abortable.ts";

/**
 * One HTTP request as the handler sees it. A plain type of our own, not `Request`: operations that are GET with a body exist,
 * and building a `Request` costs more than the rest of the handler.
 */
export interface HttpRequest {
  readonly method: string;
  /** Percent-encoded as it was sent, without query and without `prefix`; empty when it lies outside `prefix`. */
  readonly path: string;
  /** Where the API is mounted, e.g. `/gateway`; empty at the root. */
  readonly prefix: string;
  /** What stands behind `?`, undecoded; empty without one. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: HttpHeaders;
  /** The address of the peer; undefined where there is no socket. */
  readonly address?: string | undefined;
  /** Other code serves paths of the same server: an unknown path is passed on to it and is no failure. */
  readonly isShared: boolean;
  /** Aborted when the caller hangs up before the answer is complete. */
  readonly signal: Abortable;
  /** What is wrong with the head itself; the request is refused with it, before anything else of it is looked at. */
  readonly fault?: GatewayError | undefined;
  /**
   * Reads the body, at most once. Throws `request_too_large` without reading further than the limit, and what `intake` throws or fails
   * with. Resolves at the end of a turn of the event loop, together with the other bodies that came in it.
   */
  read(intake: BodyIntake): Promise<RequestBody>;
}

/** The bounds that a body is read within. */
export interface BodyIntake {
  /** Bytes. */
  readonly limit: number;
  /** Takes the number of bytes that are buffered; throws when there is no room for them. */
  resize(bytes: number): void;
  /** Begins to wait for the body: `fail` is called when it takes too long. Returns what ends the wait. */
  onLate(fail: (error: GatewayError) => void): (() => void) | undefined;
}

export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The body's bytes with the `content-encoding` they are still in, or what an earlier middleware has made of them. */
export type RequestBody =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly encoding: string | undefined }
  | { readonly kind: "parsed"; readonly value: unknown };

/** One HTTP answer. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; the carrier adds what belongs to it (`content-length`, `connection`). */
  readonly headers: Record<string, string>;
  /** The whole text or the bytes of a file, or pieces as they come; empty text means no body. Pieces are read to the end or `return`ed. */
  readonly body: string | Uint8Array<ArrayBuffer> | AsyncIterable<string>;
  /** What bridges a silence between pieces; a comment of an event stream unless given. */
  readonly filler?: (() => string) | undefined;
  /** The path is unknown and the request was shared: the carrier passes it on instead of sending this. */
  readonly isPassedOn?: boolean;
}

/** The first value of a header; undefined when it is absent or empty. */
export function readHeader(headers: HttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return (typeof value === "object" ? value[0] : value) || undefined;
}

/** Milliseconds of silence in a stream after which a sign of life is sent, unless the options say otherwise. */
export const defaultKeepAliveMs = 15_000;
