import type { Records } from "../../engine/ports/records.ts";
import type { RowInput } from "../../operations/portal/table.ts";
import { releaseResource } from "../quotas/set.ts";
import { readAll } from "../tenancy/record-access.ts";
import type { CompletedDeletion } from "./deletion-hooks.ts";

/**
 * Removes what the portal itself stores about an infrastructure project: its key pair, its limits (their amounts return to the level
 * above) and its backup assignments. The next run of the backup scheduler cancels a backup that has lost its assignment.
 */
export async function removeProjectRecords(
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
