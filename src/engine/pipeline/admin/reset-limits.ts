import { z } from "zod";
import { type Budget, type RateLimit, ResetDuration } from "../../api/governance.ts";
import { GatewayError } from "../../errors.ts";
import { type BilledKind, idEntropy } from "../../policy/ids.ts";
import type { AuditLogRecord, RecordKinds } from "../../ports/record-kinds.ts";
import { retryOnConflict, versionConflict } from "../../runtime/version-conflict.ts";
import { parserOf } from "../call/parse.ts";
import type { RegistryPorts } from "./rotate-key.ts";

/** Why counts begin anew, and which. */
export const ResetRequest = z.strictObject({
  /** Kept with the limits and in the audit log. */
  reason: z.string().trim().min(1).max(500),
  /** Only limits with this window, such as `1M` or `never`; all when absent. */
  window: ResetDuration.optional(),
});
export type ResetRequest = z.input<typeof ResetRequest>;

const parseReset = parserOf(ResetRequest);

/** Whose limits begin anew. */
interface ResetTarget<Kind extends BilledKind> {
  readonly kind: Kind;
  readonly id: string;
}

/**
 * Begins the counts of a record's limits anew, with an entry of the audit log in the same transaction. Returns the changed record. Throws
 * `not_found`, and `invalid_request` without a reason or where no limit is meant.
 */
export function resetRecord<Kind extends BilledKind>(
  ports: RegistryPorts,
  { kind, id }: ResetTarget<Kind>,
  request: ResetRequest,
): Promise<RecordKinds[Kind]> {
  const { records, clock } = ports;
  const { reason, window } = parseReset(request);
  return retryOnConflict(async () => {
    const found = await records.get(kind, id);
    if (!found) throw new GatewayError("not_found", `There is no such ${kind}: \`${id}\`.`, { param: "id" });
    const at = clock.now();
    const limits = resetLimits(found.record, { at, reason, window });
    if (!limits) throw noSuchLimit(kind, window);
    const changed = { ...found.record, ...limits, updated_at: new Date(at).toISOString() };
    const outcome = await records.batch([
      { kind, put: changed, expected: found.version },
      { kind: "audit", put: auditEntry(ports, changed, { kind, reason, at }), expected: 0 },
    ]);
    return outcome.kind === "stored" ? changed : versionConflict;
  });
}

/** The refusal of a reset that means no limit. */
export function noSuchLimit(kind: BilledKind, window: string | undefined): GatewayError {
  const which = window === undefined ? "no limits" : `no limit with the window \`${window}\``;
  return new GatewayError("invalid_request", `The ${kind} has ${which}.`, { param: "window" });
}

interface ResetFacts {
  readonly kind: BilledKind;
  readonly reason: string;
  readonly at: number;
}

/** The entry of a reset that no user of the portal asked for: by the engine's functions, or on the command line. */
function auditEntry(
  { entropy }: RegistryPorts,
  { id, metadata }: RecordKinds[BilledKind],
  { kind, reason, at }: ResetFacts,
): AuditLogRecord {
  const event = Buffer.from(entropy(idEntropy)).toString("hex");
  return {
    id: `aud_${event}`,
    created_at: new Date(at).toISOString(),
    ...{ reseller: metadata.reseller ?? null, client_id: metadata.client_id ?? null, user_id: null, token_id: null },
    operation: "ai.resetLimits",
    target: { [`${kind}_id`]: id },
    target_id: id,
    changed: ["budgets", "rate_limits"],
    reason,
    ...{ region: "", outcome: "ok", event_id: `evt_${event}` },
  };
}

/** What may be reset: the limits of a key, a project or a customer. */
export interface ResettableLimits {
  readonly budgets: readonly Budget[];
  readonly rate_limits: readonly RateLimit[];
}

/** Which limits begin anew, when, and why. */
export interface LimitReset {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly reason: string;
  /** Only limits with this window; all when absent. */
  readonly window?: ResetDuration | undefined;
}

/** Returns the limits with those that are meant counting from `at` on; `undefined` where none is meant. */
export function resetLimits(
  { budgets, rate_limits }: ResettableLimits,
  { at, reason, window }: LimitReset,
): { budgets: Budget[]; rate_limits: RateLimit[] } | undefined {
  if (![...budgets, ...rate_limits].some((limit) => hasWindow(limit, window))) return undefined;
  const reset = { reset_at: new Date(at).toISOString(), reset_reason: reason };
  const begin = <One extends Budget | RateLimit>(limit: One): One =>
    hasWindow(limit, window) ? { ...limit, ...reset } : limit;
  return { budgets: budgets.map(begin), rate_limits: rate_limits.map(begin) };
}

function hasWindow(limit: Budget | RateLimit, window: ResetDuration | undefined): boolean {
  if (window === undefined) return true;
  const windows =
    "max_limit" in limit ? [limit.reset_duration] : [limit.token_reset_duration, limit.request_reset_duration];
  return windows.some((each) => each === window);
}
