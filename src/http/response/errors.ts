import type { RequestType } from "../../engine/api/common.ts";
import type { ErrorBody } from "../../engine/api/error.ts";
import type { ErrorCode, GatewayError } from "../../engine/errors.ts";
import type { LocalizedError } from "../../portal/i18n/error-texts.ts";
import type { HttpResponse } from "../message.ts";

/** What is known of a request when it fails; the error itself may know more. */
export interface FailedRequest {
  readonly eventId: string;
  readonly requestType: RequestType | undefined;
  /** The model as the caller names it. */
  readonly model: string | undefined;
  /** The error in the reader's language, where there are texts of it. */
  readonly localized?: LocalizedError | undefined;
}

/** Answers that always say when to come back (inference-resolved.md, section 3). */
const temporary: ReadonlySet<ErrorCode> = new Set([
  "token_limited",
  "request_limited",
  "concurrency_limited",
  "circuit_open",
  "shutting_down",
  "store_unavailable",
] as const);
const comeBackAfterMs = 1_000;

/** The body of every error. A provider's message is unchanged; a defect of ours is not explained. */
export function toErrorBody(error: GatewayError, request: FailedRequest): ErrorBody {
  const { upstream, attempts, code, provider, blocked } = error;
  const { eventId, requestType, localized } = request;
  const type = upstream?.type ?? code;
  const model = error.model ?? request.model;
  return {
    // First: clients match on it in the frames of a stream.
    error: {
      type,
      code: upstream?.code ?? type,
      message: (upstream ? undefined : localized?.message) ?? messageOf(error),
      param: (upstream ? upstream.param : error.param) ?? null,
      event_id: eventId,
      ...(localized && { key: localized.key, params: { ...localized.params, detail: messageOf(error) } }),
      ...(attempts.length > 0 ? { attempts: attempts.map((attempt) => ({ ...attempt })) } : {}),
      ...blocked,
    },
    event_id: eventId,
    type: code,
    is_gateway_error: upstream === undefined,
    status_code: statusOf(error),
    extra_fields: {
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model_requested: model }),
      ...(requestType === undefined ? {} : { request_type: requestType }),
    },
  };
}

/** The error body as an answer, with `Retry-After` where the error knows when to come back. */
export function toErrorResponse(error: GatewayError, request: FailedRequest): HttpResponse {
  const response = refusal(error, toErrorBody(error, request));
  if (request.localized) response.headers["content-language"] = request.localized.language;
  return response;
}

/** Statuses of the gateway's own refusals that a retry cannot change; the SDKs of Anthropic and OpenAI obey `x-should-retry`. */
const lasting: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 413, 415]);

/** The response of an error with a body of any shape. */
export function refusal(error: GatewayError, body: unknown): HttpResponse {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const waitMs = error.retryAfterMs ?? (temporary.has(error.code) ? comeBackAfterMs : undefined);
  if (waitMs !== undefined) {
    headers["retry-after"] = String(secondsOf(waitMs));
    headers["retry-after-ms"] = String(Math.max(1, Math.ceil(waitMs)));
  }
  if (isFutile(error)) headers["x-should-retry"] = "false";
  return { status: statusOf(error), headers, body: JSON.stringify(body) };
}

/** True where the caller's own retries would not help: a retry changes nothing, or the gateway has retried already. */
function isFutile(error: GatewayError): boolean {
  const canPass = error.retryAfterMs !== undefined; // calls under way keep it out
  if (error.upstream === undefined && !canPass && lasting.has(statusOf(error))) return true;
  return error.attempts.some(({ tries = 1 }) => tries > 1);
}

/** The most that a `Retry-After` may say (RFC 9111, 1.2.2); digits that a client can read, whatever a vendor asked for. */
const mostSeconds = 2 ** 31;

function secondsOf(ms: number): number {
  return Math.min(mostSeconds, Math.max(1, Math.ceil(ms / 1_000)));
}

/** The message of an error that callers may see: the provider's own for its failures, none for a defect of ours. */
export function messageOf({ code, message, upstream }: GatewayError): string {
  return code === "internal" ? unexplained : (upstream?.message ?? message);
}

const unexplained = "The gateway failed to handle this request; its log has the reason under this event_id.";

/** The error's status if it says failure, else 502: a provider's 200 or 302 must not make an error look like something else. */
export function statusOf({ status }: GatewayError): number {
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 502;
}
