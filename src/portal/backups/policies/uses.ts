import { GatewayError } from "../../../engine/errors.ts";
import type { StoredBackupAssignment, StoredBackupPolicy } from "../../../operations/records/backups.ts";
import type { PortalCall } from "../../call/call.ts";
import { change, readAll } from "../../tenancy/record-access.ts";
import { nextDue, planBackup } from "../planning/plan.ts";
import { storedPolicy } from "../planning/policy.ts";

/** The most uses that a refusal names. */
const mostNamed = 10;

/** Throws `conflict`, with what uses it, for a policy that is assigned or that a backup waits for. */
export async function refuseUsed({ id, name }: StoredBackupPolicy, { allRecords }: PortalCall): Promise<void> {
  const assignments = (await readAll(allRecords, "backup_assignment")).filter(({ policy_id }) => policy_id === id);
  const backups = (await readAll(allRecords, "backup")).filter(
    ({ policy_id, state }) => policy_id === id && (state === "queued" || state === "running"),
  );
  const uses = [
    ...assignments.map(({ resource_type, resource_id }) => `${resource_type} \`${resource_id}\``),
    ...backups.map((backup) => `backup \`${backup.id}\` (${backup.state})`),
  ];
  if (uses.length === 0) return;
  const more = uses.length > mostNamed ? ` and ${uses.length - mostNamed} more` : "";
  const listed = uses.slice(0, mostNamed).join(", ") + more;
  throw new GatewayError("conflict", `The policy \`${name}\` is used by ${listed}. Take it off them first.`, {
    param: "policy_id",
  });
}

/**
 * Plans the next backups of a policy anew where its schedule has changed; those that were planned before and are not due yet are
 * forgotten.
 */
export async function planAnew(
  present: StoredBackupPolicy,
  changed: StoredBackupPolicy,
  { allRecords, now }: PortalCall,
): Promise<void> {
  const hasSame = (["schedule", "timezone", "backup_window"] as const).every((name) => present[name] === changed[name]);
  if (hasSame) return;

  const policy = storedPolicy(changed);
  const assigned = (await readAll(allRecords, "backup_assignment")).filter(
    ({ policy_id, next_at }) => policy_id === changed.id && next_at !== null && next_at > now,
  );
  for (const { id, starting_hour, next_at: before } of assigned) {
    const next_at = nextDue(policy, starting_hour, now);
    if (next_at === before) continue;
    const by = (assignment: StoredBackupAssignment) => ({ ...assignment, next_at });
    const assignment = await change(allRecords, "backup_assignment", { id, by });
    for (const { id: planned, state } of await readAll(allRecords, "backup", { assignment_id: id }))
      if (state === "scheduled") await allRecords.remove("backup", planned);
    await allRecords.put("backup", planBackup(assignment, next_at, policy), 0);
  }
}
