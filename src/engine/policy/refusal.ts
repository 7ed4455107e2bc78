import { type ErrorCode, GatewayError } from "../errors.ts";
import type { Limit } from "./limit.ts";

/** What decides whether a tenant's users and keys may be used. */
export interface TenantState {
  readonly name: string;
  readonly enabled: boolean;
  readonly status: "active" | "bin";
}

/** Returns the first of the tenants that is disabled or in the bin, as a sentence; undefined where none is. */
export function blockedBy(tenants: readonly TenantState[], whose: string): string | undefined {
  const blocked = tenants.find(({ enabled, status }) => !enabled || status === "bin");
  if (!blocked) return undefined;
  return `The tenant \`${blocked.name}\` of the ${whose} is ${blocked.status === "bin" ? "deleted" : "disabled"}.`;
}

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
