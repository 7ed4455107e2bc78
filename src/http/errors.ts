import type { RequestType } from "../api/common.ts";
import type { ErrorBody } from "../api/error.ts";
import type { ErrorCode, GatewayError } from "../errors.ts";
import type { HttpResponse } from "./exchange.ts";

/** What is known of a request when it fails; the error itself may know more. */
export interface FailedRequest {
  readonly eventId: string;
  readonly requestType: RequestType | undefined;
  /** The model as the caller asked for it. */
  readonly model: string | undefined;
}

/** Answers that always say when to come back (inference-resolved.md, section 3). */
const temporary: ReadonlySet<ErrorCode> = new Set([
  "token_limited",
  "request_limited",
  "circuit_open",
  "shutting_down",
  "store_unavailable",
] as const);
const comeBackAfterMs = 1_000;

/** The one error body. A provider's own words are kept as they are; of a defect of ours nothing is told. */
export function toErrorBody(error: GatewayError, request: FailedRequest): ErrorBody {
  const { upstream, attempts, code, provider } = error;
  const { eventId, requestType } = request;
  const type = upstream?.type ?? code;
  const model = error.model ?? request.model;
  return {
    event_id: eventId,
    type: code,
    is_gateway_error: upstream === undefined,
    status_code: statusOf(error),
    error: {
      type,
      code: upstream?.code ?? type,
      message: messageOf(error),
      param: (upstream ? upstream.param : error.param) ?? null,
      event_id: eventId,
      ...(attempts.length > 0 ? { attempts: attempts.map((attempt) => ({ ...attempt })) } : {}),
    },
    extra_fields: {
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model_requested: model }),
      ...(requestType === undefined ? {} : { request_type: requestType }),
    },
  };
}

/** The error body as an answer, with `Retry-After` where the error knows when to come back. */
export function toErrorResponse(error: GatewayError, request: FailedRequest): HttpResponse {
  return refusal(error, toErrorBody(error, request));
}

/** A body of any shape as the answer that tells of an error. */
export function refusal(error: GatewayError, body: unknown): HttpResponse {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const waitMs = error.retryAfterMs ?? (temporary.has(error.code) ? comeBackAfterMs : undefined);
  if (waitMs !== undefined) headers["retry-after"] = String(secondsOf(waitMs));
  return { status: statusOf(error), headers, body: JSON.stringify(body) };
}

/** The most that a `Retry-After` may say (RFC 9111, 1.2.2); digits that a client can read, whatever a vendor asked for. */
const mostSeconds = 2 ** 31;

function secondsOf(ms: number): number {
  return Math.min(mostSeconds, Math.max(1, Math.ceil(ms / 1_000)));
}

/** What may be told of an error: of a defect of ours nothing, of a provider's failure its own words. */
export function messageOf({ code, message, upstream }: GatewayError): string {
  return code === "internal" ? untold : (upstream?.message ?? message);
}

const untold = "The gateway failed to handle this request; its log tells why under this event_id.";

/** The error's status if it says failure, else 502: a provider's 200 or 302 must not make an error look like something else. */
export function statusOf({ status }: GatewayError): number {
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 502;
}
