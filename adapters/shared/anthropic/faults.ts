import { statusOfErrorType } from "../../../src/engine/dialects/anthropic/error-types.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { type GatewayError, withDetails } from "../../../src/engine/errors.ts";
import type { HttpCall, HttpClient } from "../http/client.ts";
import type { VendorFault } from "../http/fault.ts";

/** Reads `{ type: "error", error: { type, message, details: { error_code } } }`; the code is the finer word of the two. */
export function readAnthropicFault(body: unknown): VendorFault | undefined {
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
  const status = statusOfErrorType(fault.type);
  return error.upstream === undefined ? error : withDetails(error, { upstream: { ...error.upstream, status } });
}
