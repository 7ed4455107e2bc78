import { type ErrorCode, GatewayError, isGatewayError } from "../../../src/engine/errors.ts";
import type { Abortable } from "../../../src/engine/runtime/abortable.ts";

/** How far an exchange had come when it failed. */
export type ExchangePhase = "before the answer" | "inside a whole answer" | "inside a stream";

/** Codes of errors that mean the answer itself was no readable HTTP: undici's, those of zlib, and those of Bun's `fetch`. */
const unreadable =
  /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED_MAX_SIZE|Z_(?!BUF)|ERR__ERROR_|ERR_PADDING|Malformed_HTTP|Invalid(HTTPResponse|ContentLength)|UnsupportedTransferEncoding|(Zlib|Brotli|Zstd)\w*Error)/;

const codes: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_CONNECT_TIMEOUT: "upstream_timeout",
  UND_ERR_HEADERS_TIMEOUT: "upstream_timeout",
  UND_ERR_BODY_TIMEOUT: "upstream_timeout",
  UND_ERR_INVALID_ARG: "invalid_configuration",
  UND_ERR_CLOSED: "shutting_down",
  UND_ERR_DESTROYED: "shutting_down",
};

/** Who was asked, and where. */
export interface Peer {
  readonly url: string;
  /** For messages that callers see. */
  readonly peer?: string | undefined;
}

/** The name of who was asked, as messages to callers have it. They never hold an address, which is of the operator's network. */
export function nameOf({ peer = "the server" }: Peer): string {
  return peer;
}

/**
 * What the log may know of a failure in addition to its message: `host[:port]`, the only part of a URL that may be shown, since paths
 * and queries of some vendors carry keys. What was thrown is not kept: its message may quote a URL, and a parser's holds bytes of the answer.
 */
function addressedCause({ url }: Peer, reason = ""): Error {
  const host =
    url
      .slice(url.indexOf("://") + 3, pathStart(url))
      .split("@")
      .pop() ?? "";
  const address = reason === "" ? host : `${host}: ${reason}`;
  return Object.assign(new Error(`at ${address}`), { address });
}

/** Index of the first character behind the origin of an absolute URL. */
export function pathStart(url: string): number {
  const from = url.indexOf("://") + 3;
  for (let n = from; n < url.length; n++) {
    const unit = url.charCodeAt(n);
    if (unit === 0x2f || unit === 0x3f || unit === 0x23) return n;
  }
  return url.length;
}

/** What a failed socket, parser or decoder means to the caller. */
export function networkError(thrown: unknown, peer: Peer, phase: ExchangePhase): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  const reason = reasonOf(thrown);
  const name = nameOf(peer);
  const cause = { cause: addressedCause(peer, reason) };
  const code = codes[reason];
  if (code !== undefined) return new GatewayError(code, `The call to ${name} failed: ${reason}.`, cause);
  if (unreadable.test(reason)) {
    return new GatewayError("upstream_invalid_response", `The answer of ${name} cannot be read: ${reason}.`, cause);
  }
  if (phase === "inside a stream") {
    return new GatewayError("upstream_stream_broken", `The stream of ${name} broke off: ${reason}.`, cause);
  }
  const message = phase === "before the answer" ? `Cannot reach ${name}` : `The answer of ${name} broke off`;
  return new GatewayError("upstream_unreachable", `${message}: ${reason}.`, cause);
}

/** The short name of a failure: its code where it has one, e.g. `ECONNREFUSED`; never a message, which may quote a URL. */
function reasonOf(thrown: unknown, depth = 0): string {
  if (typeof thrown !== "object" || thrown === null) return "unknown";
  if ("code" in thrown && typeof thrown.code === "string" && thrown.code !== "") return thrown.code;
  if ("cause" in thrown && depth < 4) return reasonOf(thrown.cause, depth + 1);
  return "name" in thrown && typeof thrown.name === "string" ? thrown.name : "unknown";
}

/** The error of an aborted signal: the reason itself when the engine gave one of ours (a deadline), else `request_cancelled`. */
export function abortError(signal: Abortable): GatewayError {
  if (isGatewayError(signal.reason)) return signal.reason;
  return new GatewayError("request_cancelled", "The call was cancelled.", { cause: signal.reason });
}

/** The error of a call that comes when its transport is closed. */
export function closedError(): GatewayError {
  return new GatewayError("shutting_down", "The connections to the provider are closed.");
}

/** `upstream_timeout` for one of the deadlines that the transport keeps. */
export function timeoutError(peer: Peer, missing: string, ms: number): GatewayError {
  const cause = addressedCause(peer);
  return new GatewayError("upstream_timeout", `${capital(nameOf(peer))} ${missing} within ${ms} ms.`, { cause });
}

/** The error of an answer that passes its bound in bytes. */
export function tooLarge(peer: Peer, limit: number): GatewayError {
  const message = `The answer of ${nameOf(peer)} is larger than ${limit} bytes.`;
  return new GatewayError("upstream_invalid_response", message, { cause: addressedCause(peer) });
}

function capital(name: string): string {
  return name === "the server" ? "The server" : name;
}
