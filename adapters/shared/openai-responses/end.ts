import { isRecord, optionalText } from "../../../src/engine/dialects/wire-values.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";
import type { HttpClient } from "../http/client.ts";

/** What reading a response needs to know of its call. */
export interface ResponseReading {
  readonly provider: string;
  readonly http: Pick<HttpClient, "faultError" | "get">;
  readonly call: ProviderCall;
}

/** Codes of failed responses that are no fault of the vendor's, with the status that the vendor gives them elsewhere. */
const statuses: Readonly<Record<string, string>> = {
  rate_limit_exceeded: "429",
  invalid_prompt: "400",
  invalid_image: "400",
  image_parse_error: "400",
  context_length_exceeded: "400",
};

/** The finish reason of a response that has ended; throws the error of one that failed, was cancelled or has not ended. */
export function finishOf(response: Record<string, unknown>, context: ResponseReading): string {
  const { status, error, incomplete_details: details } = response;
  if (isRecord(error) || status === "failed") throw failed(error, context);
  if (status === "incomplete") {
    const reason = isRecord(details) ? details.reason : undefined;
    return reason === "content_filter" ? "content_filter" : "length";
  }
  if (status !== "completed" && status !== undefined) throw unfinished(`${status}`, context);
  return hasCalls(response.output) ? "tool_calls" : "stop";
}

/** The error that a failed response or an `error` event states. */
export function failed(error: unknown, { http, call }: ResponseReading): GatewayError {
  const { message, code, type, param } = isRecord(error) ? error : {};
  const word = optionalText(code);
  const status = statuses[word ?? ""] ?? word;
  const fault = http.faultError({ message: optionalText(message) ?? "The response failed.", code: status }, call);
  if (fault.upstream === undefined || status === word) return fault;
  const upstream = { ...fault.upstream, code: word, type: optionalText(type), param: optionalText(param) };
  return new GatewayError("upstream_error", fault.message, { provider: fault.provider, upstream });
}

function unfinished(status: string, { provider }: ResponseReading): GatewayError {
  return new GatewayError("upstream_invalid_response", `The response of ${provider} is ${status}.`, { provider });
}

const calls: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call"]);

function hasCalls(output: unknown): boolean {
  return Array.isArray(output) && output.some((item) => isRecord(item) && calls.has(item.type));
}

/** The fields of an answer that every part of it has. */
export function envelopeOf({ id, created_at: created, model }: Record<string, unknown>, { call }: ResponseReading) {
  return {
    id: optionalText(id) ?? call.id,
    created: Number.isSafeInteger(created) ? (created as number) : Math.floor(call.startedAt / 1000),
    model: optionalText(model) ?? call.model,
  };
}
