import { z } from "zod";
import { flag, instant, obj } from "../fields.ts";

/** A cluster or a cluster project, as the cluster API writes its objects. */
export const ClusterObj = z.object({
  metadata: obj,
  spec: obj.optional(),
  status: obj.optional(),
});
export type ClusterObj = z.output<typeof ClusterObj>;

/** What the cluster API says of a deletion. */
export const ClusterStatus = z.object({
  apiVersion: z.string().optional(),
  details: obj.optional(),
  kind: z.string().optional(),
  metadata: obj.optional(),
  reason: z.string().optional(),
  status: z.string().optional(),
});
export type ClusterStatus = z.output<typeof ClusterStatus>;

/** Machines of one kind in a cluster. */
export const WorkerGroup = z.object({
  machine: obj,
  maximum: z.int(),
  minimum: z.int(),
  name: z.string(),
  zones: z.array(z.unknown()),
});
export type WorkerGroup = z.output<typeof WorkerGroup>;

/** A kubeconfig that is good for a limited time. */
export const Kubeconfig = z.object({
  expirationSeconds: z.int(),
  expirationTimestamp: instant,
  kubeconfig: z.string(),
});
export type Kubeconfig = z.output<typeof Kubeconfig>;

/** A cloud profile: what clusters can be made of. */
export const CloudProfileObj = z.object({
  metadata: obj,
  spec: obj.optional(),
});
export type CloudProfileObj = z.output<typeof CloudProfileObj>;

/** A machine image and its versions. */
export const CloudProfileImage = z.object({
  name: z.string(),
  versions: z.array(z.unknown()),
});
export type CloudProfileImage = z.output<typeof CloudProfileImage>;

/** A kind of machine. */
export const CloudProfileMachineType = z.object({
  architecture: z.string(),
  cpu: z.string(),
  gpu: z.string(),
  memory: z.string(),
  name: z.string(),
  storage: obj.optional(),
  usable: flag,
});
export type CloudProfileMachineType = z.output<typeof CloudProfileMachineType>;

/** A region and its zones. */
export const CloudProfileRegion = z.object({
  name: z.string(),
  zones: z.array(z.unknown()),
});
export type CloudProfileRegion = z.output<typeof CloudProfileRegion>;

/** Allows clusters of a namespace to use a secret. */
export const SecretBinding = z.object({
  credentialsRef: obj.optional(),
  metadata: obj,
  provider: obj.optional(),
});
export type SecretBinding = z.output<typeof SecretBinding>;

/** The credentials of an infrastructure project; `data` never shows them. */
export const Secret = z.object({
  data: obj.optional(),
  metadata: obj,
  type: z.string().optional(),
});
export type Secret = z.output<typeof Secret>;

/** The clusters of a project, and the infrastructure project that it stands for. */
export const ProjectShoot = z.object({
  kubernetes_cluster_project: obj,
  iaas_domain_id: z.string().optional(),
  iaas_domain_name: z.string().optional(),
  iaas_project_id: z.string().optional(),
  iaas_project_name: z.string().optional(),
});
export type ProjectShoot = z.output<typeof ProjectShoot>;
