import type { AreaBackend } from "../regions.ts";
import { assign } from "./assign.ts";
import { backupCommands } from "./commands.ts";
import { showPolicy } from "./inventory/show.ts";
import { hourOf } from "./planning/lifetime.ts";
import { policyChanges } from "./policies/changes.ts";
import { policiesOf, withPolicy } from "./policies/known.ts";
import { backupQueries } from "./queries.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";
import { unassign } from "./unassign.ts";

/** Backups: who is backed up by which policy, and what became of each backup (portal-resolved.md, section 4). */
export function backupsArea(deps: BackupDeps): AreaBackend<"backups"> {
  return {
    ...backupCommands(deps),
    ...backupQueries(deps),
    ...policyChanges(deps),
    async create({ starting_hour, ...input }, call) {
      const request = { ...input, starting_hour: hourOf(starting_hour) };
      await withPolicy(deps, call, { id: input.policy_id, work: () => assign(deps, request, call) });
    },
    unassign: async (input, call) => void (await unassign(input, call)),
    async policies({ show_all }, call) {
      const all = [...(await policiesOf(deps, call)).values()];
      return all.filter(({ disabled }) => !disabled || show_all === true).map(showPolicy);
    },
  };
}
