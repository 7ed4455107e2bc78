import type { AreaBackend } from "../regions.ts";
import { assign, refresh } from "./assign.ts";
import { backupCommands } from "./commands.ts";
import { showPolicy } from "./inventory/show.ts";
import { hourOf } from "./planning/lifetime.ts";
import { backupQueries } from "./queries.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";
import { unassign } from "./unassign.ts";

/** Backups: who is backed up by which policy, and what became of each backup (portal-resolved.md, section 4). */
export function backupsArea(deps: BackupDeps): AreaBackend<"backups"> {
  return {
    ...backupCommands(deps),
    ...backupQueries(deps),
    async create({ starting_hour, ...input }, call) {
      await assign(deps, { ...input, starting_hour: hourOf(starting_hour) }, call);
    },
    unassign: async (input, call) => void (await unassign(input, call)),
    refresh: async (_input, call) => void (await refresh(deps, call)),
    policies({ show_all }) {
      return [...deps.policies.values()].filter(({ disabled }) => !disabled || show_all === true).map(showPolicy);
    },
  };
}
