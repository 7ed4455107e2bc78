import { GatewayError } from "../errors.ts";

/** The error of a field that no provider could be sent: the caller's to mend. `param` is its dotted path, `problem` the rest of the sentence. */
export function invalidRequest(param: string, problem: string): GatewayError {
  return new GatewayError("invalid_request", `\`${param}\` ${problem}`, { param });
}

/** The error of a field that this provider cannot be sent and another may: the call goes on to its next candidate. */
export function unsupported(param: string, problem: string): GatewayError {
  return new GatewayError("unsupported_operation", `\`${param}\` ${problem}`, { param });
}
