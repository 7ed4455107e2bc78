import { toGatewayError } from "../../engine/errors.ts";
import type { Records } from "../../engine/ports/records.ts";
import { notifySafely } from "../../engine/runtime/notify.ts";
import { retryOnConflict, versionConflict } from "../../engine/runtime/version-conflict.ts";
import type { Operation } from "../../operations/define.ts";
import type { PortalRow } from "../../operations/portal/table.ts";
import type { AuditEntry } from "../../operations/records/users.ts";
import { write } from "../tenancy/record-access.ts";
import { type AuditedChange, type AuditedEnd, toAuditEntry } from "./audit-entry.ts";
import { recordWrites } from "./recorded.ts";
import { openUnit, type UnitOfWork } from "./unit-of-work.ts";

/** True for calls that change something, and for those whose answer holds a secret that the caller may see. */
export function isAudited({ operation }: PortalRow, permissions: ReadonlySet<string>): boolean {
  return (operation.method !== "GET" && !operation.isQuery) || answersSecret(operation, permissions);
}

/** True where the answer to a caller holds a secret. */
function answersSecret({ once, guarded, isSecret }: Operation, permissions: ReadonlySet<string>): boolean {
  return isSecret || once.length > 0 || Object.values(guarded).some((permission) => permissions.has(permission));
}

/** The outcome of an entry until the change ends. It stays where the process dies first. */
const begun = "begun";

/** A change, and the records that hold the audit log. */
interface AuditContext {
  readonly records: Records;
  /** Receives the entry of every secret that was read or made. */
  readonly onSecret?: ((entry: AuditEntry) => void) | undefined;
  readonly change: AuditedChange;
}

/**
 * Runs a change of records: they and the entry in the audit log are written together, or not at all. `run` makes the change in a unit of
 * work; it is called again, in a new one, when another change was faster. What is refused leaves the entry alone.
 */
export async function auditedTogether(
  context: AuditContext,
  run: (unit: UnitOfWork) => Promise<unknown>,
): Promise<unknown> {
  const { records, change } = context;
  try {
    return await retryOnConflict(async () => {
      const unit = openUnit(records);
      const answer = await run(unit);
      const entry = toAuditEntry(change, { outcome: "ok", writes: unit.writes, answer });
      const changes = [...unit.writes.map((each) => each.write), { kind: "audit", put: entry, expected: 0 } as const];
      const outcome = await records.batch([...changes, ...unit.claims]);
      if (outcome.kind === "refused") return versionConflict;
      reportSecret(context, entry);
      return answer;
    });
  } catch (thrown) {
    await endRefused(context, thrown);
    throw thrown;
  }
}

/** The rest of a change of records that cannot be repeated: the records of the call, and what begins with the method. */
export interface OrderedRun {
  readonly records: Records;
  /** To be called before anything is changed. */
  begin(): Promise<void>;
}

/**
 * Runs a change that reaches a back end. Its entry is written before the method begins, so that a change has one even if the process dies
 * in it, and is completed with the outcome. A change that is refused before the method is written once.
 */
export async function auditedInOrder(
  context: AuditContext,
  run: (ordered: OrderedRun) => Promise<unknown>,
): Promise<unknown> {
  const { records, change } = context;
  const recorded = recordWrites(records);
  let version = 0;
  const begin = async () => {
    await records.put("audit", toAuditEntry(change, { outcome: begun }), 0);
    version = 1;
  };
  const end = async (ended: AuditedEnd) => {
    const entry = toAuditEntry(change, { ...ended, writes: recorded.writes });
    await records.put("audit", entry, version);
    return entry;
  };
  try {
    const answer = await run({ records: recorded.records, begin });
    reportSecret(context, await end({ outcome: "ok", answer }));
    return answer;
  } catch (thrown) {
    if (version === 0) await endRefused(context, thrown);
    else await end({ outcome: toGatewayError(thrown).code });
    throw thrown;
  }
}

/** Tells of a secret that the caller was shown. */
function reportSecret({ change, onSecret }: AuditContext, entry: AuditEntry): void {
  if (answersSecret(change.row.operation, change.caller.permissions)) notifySafely(() => onSecret?.(entry));
}

/**
 * Writes the entry of a change that was refused. One for which the token lacks the permission only counts: it must not be able to fill the
 * log.
 */
async function endRefused({ records, change }: AuditContext, thrown: unknown): Promise<void> {
  const entry = toAuditEntry(change, { outcome: toGatewayError(thrown).code });
  if (entry.outcome === "permission_denied") await countRefusal(records, entry, change);
  else await records.put("audit", entry, 0);
}

/**
 * Counts a call that the token had no permission for: one entry for each token, operation and day. A token without any permission leaves
 * none.
 */
async function countRefusal(records: Records, entry: AuditEntry, { caller }: AuditedChange): Promise<void> {
  if (caller.permissions.size === 0) return;
  const id = `aud_refused_${entry.created_at.slice(0, 10)}/${entry.token_id ?? entry.user_id}/${entry.operation}`;
  await write(records, "audit", {
    id,
    by: (present) => (present ? { ...present, count: (present.count ?? 1) + 1 } : { ...entry, id }),
  });
}
