import { assign, refresh } from "../backups/assign.ts";
import { hourOf } from "../backups/lifetime.ts";
import { showPolicy } from "../backups/show.ts";
import { unassign } from "../backups/unassign.ts";
import type { Works } from "../backups/works.ts";
import type { AreaBackend } from "../regions.ts";
import { backupMoves } from "./backup-moves.ts";
import { backupViews } from "./backup-views.ts";

/** Backups: who is backed up by which policy, and what became of each backup (portal-resolved.md, section 4). */
export function backupsArea(works: Works): AreaBackend<"backups"> {
  return {
    ...backupMoves(works),
    ...backupViews(works),
    async create({ starting_hour, ...input }, call) {
      await assign(works, { ...input, starting_hour: hourOf(starting_hour) }, call);
    },
    unassign: async (input, call) => void (await unassign(input, call)),
    refresh: async (_input, call) => void (await refresh(works, call)),
    policies({ show_all }) {
      return [...works.policies.values()].filter(({ disabled }) => !disabled || show_all === true).map(showPolicy);
    },
  };
}
