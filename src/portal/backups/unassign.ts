import type { StoredBackup } from "../../api/portal/backups.ts";
import { GatewayError } from "../../errors.ts";
import type { PortalCall } from "../call.ts";
import { notFound, read, readAll } from "../shelf.ts";
import { endOf } from "./lifetime.ts";
import { moveBackup } from "./move.ts";
import { cancel, extend } from "./state.ts";

/** Which policy leaves which resource, and how much longer its backups live. */
interface Leaving {
  readonly backup_id: string;
  readonly policy_id: string;
  readonly resource_id: string;
  readonly reason: string;
  /** `30d`, `12h`, or an instant. */
  readonly ttl: string;
}

/** Takes a policy off a resource: what is scheduled is canceled, what is kept lives so much longer, and the reason is noted. */
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
    throw new GatewayError("conflict", `The policy \`${policy_id}\` is not on the resource any more.`);
  for (const { id: assignment_id } of leaving) {
    for (const { id } of await readAll(records, "backup", { assignment_id })) {
      // A policy that was put on again has the same assignment: its first backups keep the reason of the first time.
      await moveBackup(records, id, (present) => ({ ...release(present), reason: present.reason ?? reason }));
    }
  }
  // last, so that who was cut off before may ask again: the policy is still on the resource
  for (const { id } of leaving) await records.remove("backup_assignment", id);

  function release(present: StoredBackup): StoredBackup {
    if (present.state === "scheduled") return cancel(present, caller.user.username, now);
    if (present.state !== "available") return present;
    return extend(present, (expiresAt) => endOf(ttl, expiresAt));
  }
}
