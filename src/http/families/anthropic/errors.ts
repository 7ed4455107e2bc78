import type { GatewayError } from "../../../errors.ts";
import { messageOf, refusal, statusOf } from "../../errors.ts";
import type { Refuse } from "../shared/family.ts";

/** The vendor's word for an error, by its status. */
const types: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const ownTypes: ReadonlySet<string> = new Set(["invalid_request_error", "api_error", ...Object.values(types)]);

/** An error in the vendor's shape; `details` holds the finer word for it and the field that it is about. */
export function errorBody(error: GatewayError, eventId: string): object {
  const { upstream, code } = error;
  const param = upstream === undefined ? error.param : upstream.param;
  const details = { error_code: upstream?.code ?? code, ...(param === undefined ? {} : { param }) };
  return {
    type: "error",
    error: { type: typeOf(error), message: messageOf(error), details },
    request_id: eventId,
  };
}

function typeOf(error: GatewayError): string {
  const { type } = error.upstream ?? {};
  if (type !== undefined && ownTypes.has(type)) return type;
  const status = statusOf(error);
  return types[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/** The answer that tells of an error. */
export const refuse: Refuse = (error, { eventId }) => {
  const response = refusal(error, errorBody(error, eventId));
  response.headers["request-id"] = eventId;
  return response;
};
