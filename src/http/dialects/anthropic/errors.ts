import { errorTypeOfStatus, isAnthropicErrorType } from "../../../engine/dialects/anthropic/error-types.ts";
import type { GatewayError } from "../../../engine/errors.ts";
import { messageOf, refusal, statusOf } from "../../response/errors.ts";
import type { Refuse } from "../shared/dialect.ts";

/** An error in the vendor's shape; `details` holds the finer word for it and the field that it is about. */
export function errorBody(error: GatewayError, eventId: string): object {
  const { upstream, code } = error;
  const param = upstream === undefined ? error.param : upstream.param;
  const details = { error_code: upstream?.code ?? code, ...(param === undefined ? {} : { param }), ...error.blocked };
  return {
    type: "error",
    error: { type: typeOf(error), message: messageOf(error), details },
    request_id: eventId,
  };
}

function typeOf(error: GatewayError): string {
  const { type } = error.upstream ?? {};
  return type !== undefined && isAnthropicErrorType(type) ? type : errorTypeOfStatus(statusOf(error));
}

/** The response of an error. */
export const refuse: Refuse = (error, { eventId }) => refusal(error, errorBody(error, eventId));
