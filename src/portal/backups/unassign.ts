import { GatewayError } from "../../engine/errors.ts";
import type { StoredBackup } from "../../operations/records/backups.ts";
import type { PortalCall } from "../call/call.ts";
import { notFound, read, readAll } from "../tenancy/record-access.ts";
import { moveBackup } from "./move.ts";
import { endOf } from "./planning/lifetime.ts";
import { cancel, extend } from "./planning/state.ts";

/** The policy and resource to separate, and how long the existing backups are kept. */
interface Leaving {
  readonly backup_id: string;
  readonly policy_id: string;
  readonly resource_id: string;
  readonly reason: string;
  /** `30d`, `12h`, or an instant. */
  readonly ttl: string;
}

/** Removes a policy from a resource: cancels its scheduled backup, extends the lifetime of the stored ones, and records the reason. */
export async function unassign(
  { backup_id, policy_id, resource_id, reason, ttl }: Leaving,
  call: PortalCall,
): Promise<void> {
  const { records, caller, now } = call;
  const backup = await read(records, "backup", backup_id);
  if (backup.policy_id !== policy_id) throw notFound("policy of the backup", policy_id);
  if (backup.resource_id !== resource_id && backup.protected_resource_id !== resource_id) {
    const message = `\`resource_id\`: the backup is of ${backup.resource_type} \`${backup.resource_id}\`.`;
    throw new GatewayError("invalid_request", message, { param: "resource_id" });
  }
  const leaving = (await readAll(records, "backup_assignment")).filter(
    (each) =>
      each.policy_id === policy_id && (each.resource_id === resource_id || each.protected_resource_id === resource_id),
  );
  if (leaving.length === 0)
    throw new GatewayError("conflict", `The policy \`${policy_id}\` is no longer assigned to the resource.`);
  for (const { id: assignment_id } of leaving) {
    for (const { id } of await readAll(records, "backup", { assignment_id })) {
      // A policy that is assigned again has the same assignment: the backups of the first time keep their reason.
      await moveBackup(records, id, (present) => ({ ...release(present), reason: present.reason ?? reason }));
    }
  }
  // last, so that an interrupted call can be repeated: until here the policy is still assigned
  for (const { id } of leaving) await records.remove("backup_assignment", id);

  function release(present: StoredBackup): StoredBackup {
    if (present.state === "scheduled") return cancel(present, caller.user.username, now);
    if (present.state !== "available") return present;
    return extend(present, (expiresAt) => endOf(ttl, expiresAt));
  }
}
