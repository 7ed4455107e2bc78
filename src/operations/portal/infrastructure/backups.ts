import { z } from "zod";
import { op } from "../../define.ts";
import { flag, hour, id, lifetime, note, obj, text } from "../fields.ts";
import { policyOperations } from "./backup-policies.ts";
import {
  Backup,
  BackupEntry,
  BackupPolicy,
  BackupProjectDetail,
  BackupProjectEntry,
  BackupVmDetail,
  BackupVmEntry,
  BackupVolumeDetail,
  BackupVolumeEntry,
} from "./backup-resources.ts";

const job = "The restore that goes on after the answer; the `restore` of the backup shows it";

/** Backups, their policies, and how resources are protected. */
export const backups = {
  create: op("POST /backup", "create_backup-post", "Schedule backups of a resource by a policy", {
    in: { policy_id: id, resource_id: id, resource_type: text, starting_hour: hour },
  }),
  get: op("GET /backup/{backup_id}", "backup-get", "Read one backup", { out: Backup }),
  cancel: op("PATCH /backup/{backup_id}/cancel", "cancel_backup-patch", "Cancel a backup"),
  extend: op("PATCH /backup/{backup_id}/extend", "extend_backup_time-patch", "Keep a backup for longer", {
    in: { ttl: lifetime },
  }),
  forceStart: op("POST /backup/{backup_id}/force_start", "force_backup_start-post", "Start a scheduled backup now"),
  unassign: op(
    "DELETE /backup/{backup_id}/unassign/{policy_id}",
    "unassign_backup_policy-delete",
    "Take a policy off a resource",
    { in: { reason: note, resource_id: id, ttl: lifetime } },
  ),
  policies: op("GET /backup/policies", "backup_policies-get", "List backup policies", {
    in: { show_all: flag.optional() },
    out: z.array(BackupPolicy),
  }),
  ...policyOperations,
  project: op(
    "GET /backup/resource/project/{project_id}/details",
    "backup_project-get",
    "Read how a project is protected",
    { out: BackupProjectDetail },
  ),
  vm: op(
    "GET /backup/resource/project/{project_id}/vm/{vm_id}/details",
    "backup_vm-get",
    "Read how a virtual machine is protected",
    { out: BackupVmDetail },
  ),
  vmVolumes: op(
    "GET /backup/resource/project/{project_id}/vm/{vm_id}/volumes",
    "backup_vm_volumes-get",
    "List how the volumes of a virtual machine are protected",
    { in: { get_all: flag.optional(), simple: flag.optional() }, out: z.array(BackupVolumeEntry) },
  ),
  vms: op(
    "GET /backup/resource/project/{project_id}/vms",
    "backup_vms-get",
    "List how the virtual machines of a project are protected",
    { in: { get_all: flag.optional(), simple: flag.optional() }, out: z.array(BackupVmEntry) },
  ),
  volume: op(
    "GET /backup/resource/project/{project_id}/volume/{volume_id}/details",
    "backup_volume-get",
    "Read how a volume is protected",
    { out: BackupVolumeDetail },
  ),
  projects: op("GET /backup/resource/projects", "backup_projects-get", "List how projects are protected", {
    in: { get_all: flag.optional(), simple: flag.optional() },
    out: z.array(BackupProjectEntry),
  }),
  resources: op("GET /backup/resources", "backup_resources-get", "Read the resources that backups know, by kind", {
    out: z.object({ domain: obj, flavor: obj, image: obj, project: obj, vm: obj, volume: obj }),
  }),
  list: op("GET /backups", "backups-get", "List backups", { out: z.array(BackupEntry) }),
  ofResource: op("GET /backups/{resource_id}", "backups_resource-get", "List the backups of a resource", {
    out: z.array(BackupEntry),
  }),
  refresh: op("PATCH /backups/refresh_resources", "backup_refresh-patch", "Read the resources of the back end again"),
  byResource: op(
    "GET /resources/backups",
    "resources_backups-get",
    "Read the backups of projects, virtual machines and volumes",
    { out: z.object({ projects: obj, vms: obj, volumes: obj }) },
  ),
  volumesByVm: op(
    "GET /resources/compute_volumes",
    "resources_compute_volumes-get",
    "Read the volumes of each virtual machine",
    { out: z.record(z.string(), z.array(z.unknown())) },
  ),
  restore: op("POST /restore/{backup_id}", "restore_backup-post", "Restore a backup to the volume it was made of", {
    job,
  }),
  restoreImage: op("POST /restore/{backup_id}/image", "restore_backup_image-post", "Restore a backup as an image", {
    in: { volume_name: text },
    job,
  }),
  restoreVolume: op(
    "POST /restore/{backup_id}/volume",
    "restore_backup_volume-post",
    "Restore a backup as a new volume",
    { in: { availability_zone: text, volume_name: text, volume_type: text }, job },
  ),
};
