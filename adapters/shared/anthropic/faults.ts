import { type GatewayError, withDetails } from "../../../src/errors.ts";
import type { HttpCall, HttpClient } from "../http/client.ts";
import { type Fault, isRecord } from "../http/fault.ts";

/** The status that each type of error has where it is sent as an answer of its own; streams send the type alone. */
const statuses = new Map([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["conflict_error", 409],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** Reads `{ type: "error", error: { type, message, details: { error_code } } }`; the code is the finer word of the two. */
export function readAnthropicFault(body: unknown): Fault | undefined {
  if (!isRecord(body) || !isRecord(body.error)) return undefined;
  const { type, message, details } = body.error;
  const code = isRecord(details) && typeof details.error_code === "string" ? details.error_code : type;
  return { type: word(type), code: word(code), message: word(message) };
}

function word(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The error of an `error` event: it comes without a status of its own, its type says which one it is. */
export function streamFault(client: HttpClient, body: unknown, call: HttpCall): GatewayError {
  const fault = readAnthropicFault(body) ?? {};
  const error = client.faultError(fault, call);
  const status = statuses.get(fault.type ?? "") ?? 500;
  return error.upstream === undefined ? error : withDetails(error, { upstream: { ...error.upstream, status } });
}
