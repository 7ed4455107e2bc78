import type { PortalCall } from "../call/call.ts";
import type { AreaBackend } from "../regions.ts";
import { notFound, read, readAll } from "../tenancy/record-access.ts";
import { viewCloud } from "./inventory/cloud.ts";
import { groupBackups, groupVolumes, listResources } from "./inventory/inventory.ts";
import * as protections from "./inventory/protection.ts";
import { latestRestores, restoringVolumes, showAll } from "./inventory/restores.ts";
import { showBackup } from "./inventory/show.ts";
import { policiesOf } from "./policies/known.ts";
import type { BackupDeps } from "./runs/backup-deps.ts";

/** The queries of backups and of the protection of resources, in the call's region only. */
export function backupQueries(deps: BackupDeps): AreaBackend<"backups"> {
  const { regions } = deps;
  const backupsAt = async ({ records, region }: PortalCall) =>
    (await readAll(records, "backup")).filter((backup) => backup.region === region);
  const protectionAt = async (call: PortalCall): Promise<protections.Protection> => {
    const [view, all, policies] = await Promise.all([
      viewCloud(regions, call),
      readAll(call.records, "backup_assignment"),
      policiesOf(deps, call),
    ]);
    const restoring = await restoringVolumes(call);
    return { view, policies, restoring, assignments: all.filter(({ region }) => region === call.region) };
  };
  return {
    get: async ({ backup_id }, { records }) =>
      showBackup(await read(records, "backup", backup_id), await latestRestores(records, { backup_id })),
    list: async (_input, call) => showAll(await backupsAt(call), call),
    async ofResource({ resource_id }, call) {
      const found = (await backupsAt(call)).filter(
        (backup) => backup.resource_id === resource_id || backup.protected_resource_id === resource_id,
      );
      if (found.length === 0) await assertKnown(resource_id, call);
      return showAll(found, call);
    },
    byResource: async (_input, call) =>
      groupBackups(await viewCloud(regions, call), await showAll(await backupsAt(call), call)),
    volumesByVm: async (_input, call) => groupVolumes(await viewCloud(regions, call)),
    resources: async (_input, call) => listResources(regions, await viewCloud(regions, call), call),
    projects: async (input, call) => protections.listProjects(await protectionAt(call), input),
    vms: async ({ project_id, ...input }, call) => protections.listServers(await protectionAt(call), project_id, input),
    vmVolumes: async ({ project_id, vm_id }, call) =>
      protections.listVolumes(await protectionAt(call), project_id, vm_id),
    project: async ({ project_id }, call) => protections.showProject(await protectionAt(call), project_id),
    vm: async ({ project_id, vm_id }, call) => protections.showServer(await protectionAt(call), project_id, vm_id),
    volume: async ({ project_id, volume_id }, call) =>
      protections.showVolume(await protectionAt(call), project_id, volume_id),
  };

  /** Throws `not_found` for a resource that does not exist, unlike one without backups. */
  async function assertKnown(id: string, call: PortalCall): Promise<void> {
    if (regions[call.region]?.iaas === undefined) throw notFound("resource", id);
    const { projects, servers, volumes } = await viewCloud(regions, call);
    if (![...projects, ...servers, ...volumes].some((each) => each.id === id)) throw notFound("resource", id);
  }
}
