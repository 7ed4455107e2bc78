import { type ErrorCode, GatewayError, isGatewayError } from "../../../src/errors.ts";
import type { Abortable } from "../../../src/ports.ts";

/** How far an exchange had come when it failed. */
export type Phase = "before the answer" | "inside a whole answer" | "inside a stream";

/** Codes of errors that mean the answer itself was no readable HTTP. */
const unreadable =
  /^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_EXCEEDED_MAX_SIZE|Z_(?!BUF)|ERR__ERROR_|ERR_PADDING)/;

const codes: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_CONNECT_TIMEOUT: "upstream_timeout",
  UND_ERR_HEADERS_TIMEOUT: "upstream_timeout",
  UND_ERR_BODY_TIMEOUT: "upstream_timeout",
  UND_ERR_INVALID_ARG: "invalid_configuration",
  UND_ERR_CLOSED: "shutting_down",
  UND_ERR_DESTROYED: "shutting_down",
};

/** `host[:port]` of a URL; the only part of it that a message may hold, since paths and queries of some vendors carry keys. */
export function hostOf(url: string): string {
  const start = url.indexOf("://") + 3;
  return url.slice(start, pathStart(url)).split("@").pop() ?? "";
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
export function networkError(thrown: unknown, url: string, phase: Phase): GatewayError {
  if (isGatewayError(thrown)) return thrown;
  const reason = reasonOf(thrown);
  const host = hostOf(url);
  const cause = { cause: thrown };
  const code = codes[reason];
  if (code !== undefined) return new GatewayError(code, `The call to ${host} failed: ${reason}.`, cause);
  if (unreadable.test(reason)) {
    return new GatewayError("upstream_invalid_response", `The answer of ${host} cannot be read: ${reason}.`, cause);
  }
  if (phase === "inside a stream") {
    return new GatewayError("upstream_stream_broken", `The stream of ${host} broke off: ${reason}.`, cause);
  }
  const message = phase === "before the answer" ? `Cannot reach ${host}` : `The answer of ${host} broke off`;
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

/** `upstream_timeout` for one of the deadlines that the transport keeps. */
export function timeoutError(url: string, missing: string, ms: number): GatewayError {
  return new GatewayError("upstream_timeout", `${hostOf(url)} ${missing} within ${ms} ms.`);
}

/** The error of an answer that passes its bound in bytes. */
export function tooLarge(url: string, limit: number): GatewayError {
  return new GatewayError("upstream_invalid_response", `The answer of ${hostOf(url)} is larger than ${limit} bytes.`);
}
