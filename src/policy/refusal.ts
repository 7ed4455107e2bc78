import { type ErrorCode, GatewayError } from "../errors.ts";
import type { Limit } from "./limit.ts";

/** A "no" of the rules: a value, not an error, because the next candidate may still be asked. */
export interface Refusal {
  readonly kind: "refusal";
  readonly reason: ErrorCode;
  readonly message: string;
  /** The limit that the call would pass. */
  readonly limit?: Limit | undefined;
  /** What the limit leaves, in its unit. */
  readonly left?: number | undefined;
  /** When its window ends, in milliseconds since the epoch. */
  readonly resetsAt?: number | undefined;
  /** Milliseconds until then, for `Retry-After`; only for request and token windows. */
  readonly retryAfterMs?: number | undefined;
}

/** The codes of refusals: what a virtual key may not do, or not now. */
const reasons: ReadonlySet<ErrorCode> = new Set([
  "provider_blocked",
  "model_blocked",
  "budget_exceeded",
  "token_limited",
  "request_limited",
  "no_eligible_keys",
  "invalid_request", // larger than a window of the key; whoever else asks is told by itself what is wrong with the request
]);

/** True for an error that says what one virtual key may not do; another one may. */
export function isRefusal({ code }: GatewayError): boolean {
  return reasons.has(code);
}

/** A refusal without a limit. */
export function refuse(reason: ErrorCode, message: string): Refusal {
  return { kind: "refusal", reason, message };
}

/** The refusal as the error that is thrown when no candidate is left. */
export function toRefusalError({ reason, message, retryAfterMs }: Refusal): GatewayError {
  return new GatewayError(reason, message, { retryAfterMs });
}
