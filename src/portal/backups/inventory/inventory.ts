import type { BackupEntry } from "../../../operations/portal/infrastructure/backup-resources.ts";
import type { PortalCall } from "../../call/call.ts";
import type { Regions } from "../../regions.ts";
import { type CloudView, iaasOf, volumesOf } from "./cloud.ts";

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
  Object.fromEntries(rows.map((row) => [row.id, row]));

/** The infrastructure that backups refer to, by kind and id. */
export async function listResources(regions: Regions, view: CloudView, call: PortalCall) {
  const { projects, servers, volumes } = view;
  const domains = (await iaasOf(regions, call).domains?.({}, call)) ?? [];
  const flavors = servers.map(({ flavor = {} }) => flavor).map((flavor) => [nameOf(flavor), flavor] as const);
  const images = servers.flatMap(({ image }) => (image === undefined ? [] : [[nameOf(image), image] as const]));
  return {
    domain: byId(domains),
    flavor: Object.fromEntries(flavors.filter(([name]) => name !== "")),
    image: Object.fromEntries(images.filter(([name]) => name !== "")),
    project: byId(projects),
    vm: byId(servers),
    volume: byId(volumes),
  };
}

/** The backups of each project, machine and volume that has any. */
export function groupBackups(view: CloudView, backups: readonly BackupEntry[]) {
  const of = (isOf: (backup: BackupEntry) => boolean) => backups.filter(isOf);
  const group = (rows: readonly { readonly id: string }[], isOf: (id: string) => (backup: BackupEntry) => boolean) =>
    Object.fromEntries(rows.map(({ id }) => [id, of(isOf(id))]).filter(([, found]) => found?.length));
  return {
    projects: group(view.projects, (id) => (backup) => backup.project_id === id),
    vms: group(view.servers, (id) => {
      const volumes = new Set(volumesOf(view, id).map((volume) => volume.id));
      return (backup) => volumes.has(backup.resource_id) || backup.protected_resource_id === id;
    }),
    volumes: group(view.volumes, (id) => (backup) => backup.resource_id === id),
  };
}

/** The volumes of each machine. */
export function groupVolumes(view: CloudView): Record<string, unknown[]> {
  return Object.fromEntries(view.servers.map(({ id }) => [id, volumesOf(view, id)]));
}

function nameOf(value: Readonly<Record<string, unknown>>): string {
  const name = value.id ?? value.original_name ?? value.name;
  return typeof name === "string" ? name : "";
}
