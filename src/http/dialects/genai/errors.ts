import type { GatewayError } from "../../../engine/errors.ts";
import { messageOf, refusal, statusOf } from "../../response/errors.ts";
import type { Refuse } from "../shared/dialect.ts";

/** The vendor's word for an error (google.rpc.Code), by its status. */
const words: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  402: "RESOURCE_EXHAUSTED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  501: "UNIMPLEMENTED",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const domain = "tollgate";

/** An error in the vendor's shape; `details` hold the finer word for it, the field that it is about, and when to come back. */
export function errorBody(error: GatewayError, eventId: string): { error: object } {
  const { upstream, code, retryAfterMs, blocked } = error;
  const status = statusOf(error);
  const param = upstream === undefined ? error.param : upstream.param;
  const message = messageOf(error);
  const details = [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: upstream?.code ?? code,
      domain,
      ...(blocked && { metadata: blocked }),
    },
    { "@type": "type.googleapis.com/google.rpc.RequestInfo", requestId: eventId },
    ...(param === undefined ? [] : [badRequest(param, message)]),
    ...(retryAfterMs === undefined ? [] : [comeBack(retryAfterMs)]),
  ];
  const word = words[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL");
  return { error: { code: status, message, status: word, details } };
}

function badRequest(field: string, description: string) {
  return { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description }] };
}

function comeBack(milliseconds: number) {
  return { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${milliseconds / 1_000}s` };
}

/** The response of an error. */
export const refuse: Refuse = (error, { eventId }) => refusal(error, errorBody(error, eventId));
