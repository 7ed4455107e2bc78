import type { Records } from "../ports/records.ts";
import type { PortalCall } from "./call.ts";
import { releaseResource } from "./quotas/set.ts";
import { readAll } from "./shelf.ts";

/** What an operation has removed, and who asked for it. */
interface Removal {
  readonly input: Readonly<Record<string, unknown>>;
  readonly call: PortalCall;
}

type Clear = (records: Records, removal: Removal) => Promise<void>;

/**
 * What the portal itself keeps of things that are in a back end, by the operation that removes them there: whichever back end serves the
 * region, it goes with them.
 */
const clears: Readonly<Record<string, Clear>> = {
  "iaas.deleteProject": forgetProject,
};

/** How what is left is cleared after an operation, `area.name`; undefined for those that leave nothing. */
export function clearAfter(name: string): Clear | undefined {
  return Object.hasOwn(clears, name) ? clears[name] : undefined;
}

/**
 * The key pair of a project that is no more opens nothing, what its limits had taken is given back to the level above, and what it had is
 * not backed up any more: a backup that is scheduled has lost its assignment, and is canceled in the next round.
 */
async function forgetProject(records: Records, { input, call }: Removal): Promise<void> {
  const id = String(input.project_id);
  await records.remove("keypair", id);
  for (const { id: assignment, project_id, region } of await readAll(records, "backup_assignment"))
    if (project_id === id && region === call.region) await records.remove("backup_assignment", assignment);
  await releaseResource(records, { region: call.region, resource_id: id, now: new Date(call.now).toISOString() });
}
