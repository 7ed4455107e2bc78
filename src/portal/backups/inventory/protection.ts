import { present } from "../../../engine/policy/drafts.ts";
import type { IaasProject, Server } from "../../../operations/portal/infrastructure/iaas-resources.ts";
import type { StoredBackupAssignment } from "../../../operations/records/backups.ts";
import { notFound } from "../../tenancy/record-access.ts";
import type { Policies } from "../planning/policy.ts";
import { type CloudView, type CloudVolume, volumesOf } from "./cloud.ts";

/** Resources, and the policies that protect them. */
export interface Protection {
  readonly view: CloudView;
  readonly assignments: readonly StoredBackupAssignment[];
  readonly policies: Policies;
  /** The volumes that a backup is being written over. */
  readonly restoring: ReadonlySet<string>;
}

/** The filters of a list. */
export interface ProtectionQuery {
  /** Include resources that are disabled or in an error state. */
  readonly get_all?: boolean | undefined;
  /** Omit the back end's own fields, except for names. */
  readonly simple?: boolean | undefined;
}

/** The policies of a resource: its own and those of its machine or project. */
function policiesOn({ assignments }: Protection, id: string): StoredBackupAssignment[] {
  return assignments.filter(({ resource_id }) => resource_id === id);
}

/** The fields that every resource shows. */
function protectionOf(protection: Protection, id: string) {
  const own = policiesOn(protection, id);
  return {
    /** A policy that came with a machine or a project is removed with it. */
    allow_remove: own.length > 0 && own.every(({ protected_resource_id }) => protected_resource_id === null),
    resource_policies: own.map(({ policy_id, starting_hour, protected_resource_id }) => ({
      policy_id,
      starting_hour,
      ...present({ protected_resource_id }),
    })),
    ...present({ policy: own[0]?.policy_id }),
  };
}

function detailOf(protection: Protection, id: string) {
  const [first] = policiesOn(protection, id);
  const strictness = first && protection.policies.get(first.policy_id)?.backup_strictness;
  return { relaxed: strictness === "relaxed", ...present({ protected_resource_id: first?.protected_resource_id }) };
}

function listedOf(protection: Protection, id: string, volumes: readonly CloudVolume[]) {
  const own = policiesOn(protection, id);
  const policies = Object.fromEntries(
    own.flatMap(({ policy_id }) => {
      const policy = protection.policies.get(policy_id);
      return policy ? [[policy_id, { name: policy.name, schedule: policy.schedule }]] : [];
    }),
  );
  return {
    policies,
    protected_resources: volumes.filter((volume) => isSafe(protection, volume)).map((volume) => volume.id),
  };
}

function isSafe(protection: Protection, { id }: CloudVolume): boolean {
  return policiesOn(protection, id).length > 0;
}

function unsafeOf(protection: Protection, volumes: readonly CloudVolume[]): CloudVolume[] {
  return volumes.filter((volume) => !isSafe(protection, volume));
}

function projectOf(protection: Protection, project: IaasProject) {
  const volumes = protection.view.volumes.filter(({ project_id }) => project_id === project.id);
  const servers = protection.view.servers.filter(({ project_id }) => project_id === project.id);
  const unsafe = unsafeOf(protection, volumes);
  const unsafeServers = servers.filter(({ id }) => unsafeOf(protection, volumesOf(protection.view, id)).length > 0);
  const { id, name, enabled, description, domain_id } = project;
  return {
    ...{ id, name, enabled, is_domain: false, tags: [], ...present({ description, domain_id }) },
    ...protectionOf(protection, id),
    unsafe_resources: [...unsafeServers, ...unsafe].map((resource) => resource.id),
    unsafe_vms: unsafeServers.length,
    unsafe_volumes: unsafe.length,
  };
}

function serverOf(protection: Protection, server: Server, isSimple = false) {
  const { id, name, status, project_id } = server;
  const all = isSimple ? { id, name, ...present({ status, project_id }) } : server;
  const unsafe_volumes = unsafeOf(protection, volumesOf(protection.view, id)).length;
  return { ...all, ...protectionOf(protection, id), unsafe_volumes };
}

function volumeOf(protection: Protection, volume: CloudVolume) {
  const { id, name, attachments, size, type, project_id } = volume;
  const device = attachments[0]?.device;
  return {
    id,
    name,
    attachments: [...attachments],
    ...present({ size, type, project_id, device }),
    ...(protection.restoring.has(id) ? { state: "restoring" } : {}),
    ...protectionOf(protection, id),
  };
}

export function listProjects(protection: Protection, { get_all = false }: ProtectionQuery) {
  const { projects, volumes } = protection.view;
  return projects
    .filter(({ enabled }) => enabled || get_all)
    .map((project) => {
      const own = volumes.filter(({ project_id }) => project_id === project.id);
      return { ...projectOf(protection, project), ...listedOf(protection, project.id, own) };
    });
}

export function listServers(
  protection: Protection,
  projectId: string,
  { get_all = false, simple = false }: ProtectionQuery,
) {
  findProject(protection, projectId);
  const { view } = protection;
  return view.servers
    .filter(
      ({ project_id, status }) => project_id === projectId && (get_all || (status !== "ERROR" && status !== "DELETED")),
    )
    .map((server) => ({
      ...serverOf(protection, server, simple),
      ...listedOf(protection, server.id, volumesOf(view, server.id)),
    }));
}

export function listVolumes(protection: Protection, projectId: string, serverId: string) {
  findServer(protection, projectId, serverId);
  return volumesOf(protection.view, serverId).map((volume) => ({
    ...volumeOf(protection, volume),
    ...listedOf(protection, volume.id, [volume]),
  }));
}

export function showProject(protection: Protection, id: string) {
  return { ...projectOf(protection, findProject(protection, id)), ...detailOf(protection, id) };
}

export function showServer(protection: Protection, projectId: string, id: string) {
  return { ...serverOf(protection, findServer(protection, projectId, id)), ...detailOf(protection, id) };
}

export function showVolume(protection: Protection, projectId: string, id: string) {
  findProject(protection, projectId);
  const volume = protection.view.volumes.find((each) => each.id === id && each.project_id === projectId);
  if (!volume) throw notFound("volume", id);
  return { ...volumeOf(protection, volume), ...detailOf(protection, id) };
}

function findProject({ view }: Protection, id: string): IaasProject {
  const project = view.projects.find((each) => each.id === id);
  if (!project) throw notFound("project", id);
  return project;
}

function findServer(protection: Protection, projectId: string, id: string): Server {
  findProject(protection, projectId);
  const server = protection.view.servers.find((each) => each.id === id && each.project_id === projectId);
  if (!server) throw notFound("vm", id);
  return server;
}
