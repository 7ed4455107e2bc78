import { failureStatus } from "../../../src/engine/dialects/cohere/finish-reasons.ts";
import { type GatewayError, withDetails } from "../../../src/engine/errors.ts";
import type { HttpCall, HttpClient } from "../../shared/http/client.ts";

/** The error of an answer that the vendor ended by one: it comes without a status, its reason says which one it is. */
export function answerFault(
  client: HttpClient,
  { reason, message }: { readonly reason: string; readonly message?: string | undefined },
  call: HttpCall,
): GatewayError {
  const fault = { type: reason, message: message ?? "The provider ended the answer with an error." };
  const error = client.faultError(fault, call);
  const status = failureStatus(reason) ?? 500;
  return error.upstream === undefined ? error : withDetails(error, { upstream: { ...error.upstream, status } });
}
