import { GatewayError } from "../../../engine/errors.ts";
import type { StoredBackupPolicy } from "../../../operations/records/backups.ts";
import type { PortalCall } from "../../call/call.ts";
import type { AreaBackend } from "../../regions.ts";
import { add, change, read, readAll, remove } from "../../tenancy/record-access.ts";
import { showPolicy } from "../inventory/show.ts";
import { storedPolicy } from "../planning/policy.ts";
import type { BackupDeps } from "../runs/backup-deps.ts";
import { draftPolicy, patchPolicy } from "./draft.ts";
import { type Configured, withPolicy } from "./known.ts";
import { previewRuns } from "./preview.ts";
import { planAnew, refuseUsed } from "./uses.ts";

/** The most policies that a caller's branch of the tree may have. */
const mostPolicies = 500;

/** Creates, changes and deletes the policies that are records; those of the configuration only the configuration changes. */
export function policyChanges(deps: BackupDeps): AreaBackend<"backups"> {
  return {
    async createPolicy(draft, call) {
      if ((await readAll(call.records, "backup_policy")).length >= mostPolicies)
        throw new GatewayError(
          "quota_exceeded",
          `There are ${mostPolicies} backup policies. Delete those that nothing uses.`,
        );
      const policy = draftPolicy(deps.newId("bpl"), draft, call);
      await add(call.records, "backup_policy", policy);
      return showPolicy(storedPolicy(policy));
    },
    changePolicy: ({ policy_id: id, ...patch }, call) =>
      withPolicy(deps, call, {
        id,
        async work() {
          const present = await readOwn(deps, call, id);
          const changed = patchPolicy(present, patch, call);
          await change(call.records, "backup_policy", { id, by: () => changed });
          await planAnew(present, changed, call);
          return showPolicy(storedPolicy(changed));
        },
      }),
    deletePolicy: ({ policy_id: id }, call) =>
      withPolicy(deps, call, {
        id,
        async work() {
          await refuseUsed(await readOwn(deps, call, id), call);
          await remove(call.records, "backup_policy", id);
          return undefined;
        },
      }),
    previewPolicy: (schedule, { now }) => previewRuns(schedule, now),
  };
}

/** Returns a policy that is a record. Throws `conflict` for one of the configuration. */
async function readOwn({ policies }: Configured, { records }: PortalCall, id: string): Promise<StoredBackupPolicy> {
  if (!policies.has(id)) return read(records, "backup_policy", id);
  const message = `The policy \`${id}\` is set in the configuration, under \`backupPolicies\`: it can be changed or removed only there.`;
  throw new GatewayError("conflict", message, { param: "policy_id" });
}
