import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { type GatewayError, withDetails } from "../../../src/engine/errors.ts";
import type { WireHeaders } from "../../../src/engine/ports/transport.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";
import type { VendorFault } from "../../shared/http/fault.ts";

/** The status that each exception has as an answer of its own; streams send the type alone. */
const statuses = new Map([
  ["validationException", 400],
  ["accessDeniedException", 403],
  ["resourceNotFoundException", 404],
  ["modelTimeoutException", 408],
  ["modelErrorException", 424],
  ["modelStreamErrorException", 424],
  ["throttlingException", 429],
  ["modelNotReadyException", 429],
  ["internalServerException", 500],
  ["serviceUnavailableException", 503],
]);

/**
 * Reads `{ message }`, with the type of the error in the header `x-amzn-errortype` or in `__type`: the name of the exception may stand
 * behind a namespace and before an address.
 */
export function readAwsFault(body: unknown, headers: WireHeaders = {}): VendorFault | undefined {
  const reported = isRecord(body) ? body : {};
  const type = exceptionOf(headers["x-amzn-errortype"] ?? reported.__type);
  const message = [reported.message, reported.Message].find((text): text is string => typeof text === "string");
  return type === undefined && message === undefined ? undefined : { type, message };
}

function exceptionOf(name: unknown): string | undefined {
  return typeof name === "string" ? name.split(":")[0]?.split("#").pop() : undefined;
}

/** The error of an event that is an exception: `{ [type]: { message, originalStatusCode } }`, or `{ error: { code, message } }`. */
export function streamFault(
  client: HttpClient,
  [type, body]: readonly [string, unknown],
  call: HttpCall,
): GatewayError {
  const reported = isRecord(body) ? body : {};
  const name = type === "error" && typeof reported.code === "string" ? reported.code : type;
  const message = readAwsFault(reported)?.message;
  const error = client.faultError({ type: capital(name), message }, call);
  const original = Number(reported.originalStatusCode);
  const status = original >= 400 && original <= 599 ? original : (statuses.get(name) ?? 500);
  return error.upstream === undefined ? error : withDetails(error, { upstream: { ...error.upstream, status } });
}

/** Streams write the names of exceptions with a small letter, answers with a capital one. */
function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
