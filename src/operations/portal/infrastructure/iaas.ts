import { z } from "zod";
import { op } from "../../define.ts";
import { amount, flag, id, note, obj, secret, text, title, words } from "../fields.ts";
import { compute } from "./iaas-compute.ts";
import {
  AvailabilityZone,
  Domain,
  IaasCredential,
  IaasProject,
  ProjectQuotaResult,
  Server,
  VolumeType,
} from "./iaas-resources.ts";

/** Infrastructure: domains, projects, servers, volumes, networks. */
export const iaas = {
  ...compute,
  availabilityZones: op("GET /iaas/availability_zones", "iaas_availability_zones-get", "List availability zones", {
    out: z.array(AvailabilityZone),
  }),
  credentials: op("GET /iaas/credentials/{project_id}", "iaas_credentials-get", "List the credentials of a project", {
    out: z.array(IaasCredential),
    guarded: { blob: "keypair-get" },
  }),
  createCredential: op("POST /iaas/credentials/{project_id}", "iaas_credentials-post", "Create a credential", {
    in: { access_key: secret, description: note, roles: words, secret_key: secret, user_bound: flag },
    out: z.object({ credential: obj }),
  }),
  deleteCredential: op(
    "DELETE /iaas/credentials/{project_id}/credential/{credential_id}",
    "iaas_credential-delete",
    "Delete a credential",
  ),
  domains: op("GET /iaas/domains", "iaas_domains-get", "List domains", { out: z.array(Domain) }),
  createDomain: op("POST /iaas/domains", "iaas_domains-post", "Create a domain", {
    in: { name: title },
    out: z.object({ domain: obj }),
  }),
  loadBalancers: op("GET /iaas/loadbalancers", "iaas_loadbalancers-get", "Read load balancers and their parts", {
    out: z.object({
      healthmonitors: z.array(z.unknown()),
      l7policies: z.array(z.unknown()),
      l7rules: z.array(z.unknown()),
      listeners: z.array(z.unknown()),
      loadbalancers: z.array(z.unknown()),
      members: z.array(z.unknown()),
      pools: z.array(z.unknown()),
    }),
  }),
  networks: op("GET /iaas/networks", "iaas_networks-get", "Read networks and their parts", {
    out: z.object({
      floating_ips: z.array(z.unknown()),
      networks: z.array(z.unknown()),
      ports: z.array(z.unknown()),
      routers: z.array(z.unknown()),
      security_groups: z.array(z.unknown()),
      security_groups_rules: z.array(z.unknown()),
    }),
  }),
  deleteProject: op("DELETE /iaas/project/{project_id}", "iaas_project-delete", "Delete a project", {
    in: { purge: flag.optional() },
    job: "With `purge`: the task of `GET /tasks` that deletes the project with its contents",
  }),
  disableProject: op("PATCH /iaas/project/{project_id}/disable", "iaas_project_disable-patch", "Disable a project"),
  enableProject: op("PATCH /iaas/project/{project_id}/enable", "iaas_project_enable-patch", "Enable a project"),
  projects: op("GET /iaas/projects", "iaas_projects-get", "List projects", {
    in: { domain: text.optional() },
    out: z.array(IaasProject),
  }),
  createProject: op("POST /iaas/projects", "iaas_projects-post", "Create a project", {
    in: {
      name: title,
      quota_profile: text,
      client: text.optional(),
      description: note.optional(),
      reseller: text.optional(),
    },
    out: z.object({ project: obj }),
    rules: ["`quota_profile` must be one of the region."],
  }),
  setProjectQuota: op("POST /iaas/projects/quotas", "iaas_projects_quotas-post", "Set the quotas of a project", {
    in: {
      client: text,
      project_id: id,
      reseller: text,
      limit: amount.optional(),
      quota: text.optional(),
      quota_profile: text.optional(),
    },
    out: ProjectQuotaResult,
    rules: ["`limit` and `quota` come together, and `quota_profile` without them: it must be one of the region."],
  }),
  servers: op("GET /iaas/servers", "iaas_servers-get", "List servers", { out: z.array(Server) }),
  volumeTypes: op("GET /iaas/volume_types", "iaas_volume_types-get", "List volume types", { out: z.array(VolumeType) }),
  volumes: op("GET /iaas/volumes", "iaas_volumes-get", "Read volumes, snapshots and backups", {
    out: z.object({ backups: z.array(z.unknown()), snapshots: z.array(z.unknown()), volumes: z.array(z.unknown()) }),
  }),
};
