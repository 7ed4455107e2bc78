import type { Records } from "../../engine/ports/records.ts";
import type { RowInput, RowKey } from "../../operations/portal/table.ts";
import type { PortalCall } from "../call/call.ts";
import { refuseOrPurge } from "../purge/before-delete.ts";
import { releaseResource } from "../quotas/set.ts";
import type { Region, Regions } from "../regions.ts";
import { readAll } from "../tenancy/record-access.ts";

/** Nothing depends on what the operation deletes, or its own method takes care of it. */
const none = undefined;

/** Every operation with the method DELETE: a row that is missing, or that the operations table does not have, does not compile. */
export const deletions = {
  "ai.deleteKey": none,
  "ai.deleteProject": none,
  "ai.forgetAnswer": none,
  "ai.forgetAnswers": none,
  "ai.removeCredential": none,
  "ai.removeUsers": none,
  "alerts.deleteChannel": none,
  "alerts.deleteRule": none,
  "backups.deletePolicy": none,
  "backups.unassign": none,
  "clusters.deleteProject": none,
  "clusters.deleteSecret": none,
  "clusters.deleteSecretBinding": none,
  "clusters.deleteShoot": none,
  "clusters.deleteWorkerGroup": none,
  "iaas.deleteCredential": none,
  "iaas.deleteLoadBalancer": none,
  "iaas.deleteServer": none,
  "iaas.deleteVolume": none,
  "iaas.deleteProject": { before: refuseOrPurge, after: removeProjectRecords },
  "me.disableTotp": none,
  "me.endOtherSessions": none,
  "me.endSession": none,
  "me.revokeToken": none,
  "objectstore.deleteVersions": none,
  "objectstore.unshareBucket": none,
  "properties.remove": none,
  "profiles.unassign": none,
  "profiles.delete": none,
  "tasks.delete": none,
  "tasks.unschedule": none,
  "tenants.delete": none,
  "users.delete": none,
  "users.disableTotp": none,
  "users.deleteRole": none,
  "users.unassignRole": none,
  "users.revokeToken": none,
} satisfies Deletions;

/** One entry for each operation that deletes. */
export type Deletions = { readonly [Key in RowKey<"DELETE">]: DeletionHooks<RowInput<Key>> | undefined };

/** The hooks of an operation; none for one that does not delete. */
export function deletionHooks(key: RowKey): DeletionHooks<never> {
  const all: Readonly<Partial<Record<RowKey, DeletionHooks<never> | undefined>>> = deletions;
  return all[key] ?? {};
}

/**
 * Removes what the portal itself stores about an infrastructure project: its key pair, its limits (their amounts return to the level
 * above) and its backup assignments. The next run of the backup scheduler cancels a backup that has lost its assignment.
 */
async function removeProjectRecords(
  records: Records,
  { input: { project_id }, call: { projectRegions, now } }: CompletedDeletion<RowInput<"iaas.deleteProject">>,
): Promise<void> {
  await records.remove("keypair", project_id);
  const purge = await records.get("project_purge", project_id);
  if (purge?.record.state === "stuck") await records.remove("project_purge", project_id, purge.version); // a running one ends itself
  for (const assignment of await readAll(records, "backup_assignment"))
    if (assignment.project_id === project_id && projectRegions.has(assignment.region))
      await records.remove("backup_assignment", assignment.id);
  for (const region of projectRegions)
    await releaseResource(records, { region, resource_id: project_id, now: new Date(now).toISOString() });
}

/** A deletion that is about to run. */
export interface PendingDeletion<Input> {
  readonly input: Input;
  readonly region: Region;
  readonly regions: Regions;
  readonly call: PortalCall;
}

/** A deletion that the back end has completed. */
export interface CompletedDeletion<Input> {
  readonly input: Input;
  readonly call: PortalCall;
}

/** What the portal does around the deletion that a back end carries out. */
export interface DeletionHooks<Input> {
  /**
   * Throws `conflict` while something that a back end holds depends on the thing to delete. Returns true where it has taken the deletion over:
   * a job carries it out.
   */
  readonly before?: (deletion: PendingDeletion<Input>) => Promise<boolean>;
  /** Removes what the portal itself stores about the thing, whichever back end serves the region. */
  readonly after?: (records: Records, deletion: CompletedDeletion<Input>) => Promise<void>;
}
