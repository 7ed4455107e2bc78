import { z } from "zod";
import { duration, timeoutsOf } from "../../../engine/options/duration.ts";
import { ServiceShape } from "../../../operations/service-credential.ts";

const text = z.string().min(1);
const texts = z.array(text);
const longestMs = z.number().positive().max(86_400_000);
const ms = duration("ms", longestMs);
const timeouts = timeoutsOf(longestMs).omit({ firstContentMax: true });
const byService = z.record(text, text);

/** An OpenStack, for infrastructure and backups. Its user is named by `username` and `password`, or by an application credential. */
export const OpenStackShape = z.strictObject({
  authUrl: text,
  username: text.optional(),
  password: text.optional(),
  /** A file with the password, read whenever a token is asked for: one that is changed holds from the first 401. */
  passwordFile: text.optional(),
  userDomainId: text.optional(),
  applicationCredentialId: text.optional(),
  applicationCredentialSecret: text.optional(),
  /** The scope of the user's token: at most one of these; without one, the default project. */
  projectId: text.optional(),
  projectName: text.optional(),
  projectDomainId: text.optional(),
  scopeDomainId: text.optional(),
  system: z.literal(true).optional(),
  adminRoles: texts.optional(),
  region: text.optional(),
  interface: z.enum(["public", "internal", "admin"]).optional(),
  endpoints: byService.optional(),
  microversions: z.strictObject({ compute: text.optional(), volume: text.optional() }).optional(),
  domainId: text.optional(),
  quotaProfiles: z.record(text, z.record(text, z.int())).optional(),
  grantableRoles: texts.optional(),
  projectRole: text.nullable().optional(),
  pageSize: z.int().positive().optional(),
  timeouts: timeouts.optional(),
  backupContainers: byService.optional(),
  backupTimes: z.strictObject({ whole: ms.optional(), poll: ms.optional() }).optional(),
});

/** A Gardener, for clusters. */
export const GardenerShape = z.strictObject({
  /** The file, from the working folder. */
  kubeconfig: text.optional(),
  /** `true` for the service account of the pod that tollgate runs in. */
  inCluster: z.literal(true).optional(),
  context: text.optional(),
  shoots: z
    .strictObject({
      providerType: text.optional(),
      networkType: text.optional(),
      floatingPool: text.optional(),
      loadBalancerProvider: text.optional(),
      workerNetwork: text.optional(),
    })
    .optional(),
  timeout: ms.optional(),
  pageSize: z.int().positive().optional(),
});

/** An object store, for sharing. */
export const S3Shape = z.strictObject({
  endpoints: z.tuple([text], text),
  region: text.optional(),
  pathStyle: z.boolean().optional(),
  /** The form in which a policy names a project, with the placeholder `{project_id}`. */
  principal: text.includes("{project_id}", { error: "must hold `{project_id}`" }).optional(),
  timeout: ms.optional(),
  deletionTimeout: ms.optional(),
  pageSize: z.int().min(1).max(1_000).optional(),
});

/** The cloud inside the gateway, for the areas that no other kind of the region serves. */
export const LocalShape = z.strictObject({
  /** The folder for object data, relative to the working folder; default: next to the store. */
  folder: text.optional(),
  /** A JSON file of what it holds when it is opened for the first time. */
  seed: text.optional(),
  /** The public URL of shared objects; default: `/objects/<region>` of the gateway's address. */
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  quotaProfiles: z.record(text, z.record(text, z.int())).optional(),
});

/** Areas that another portal can serve. */
export const upstreamAreas = ["iaas", "clusters", "objectstore"] as const;

/** Another portal. */
export const UpstreamShape = z.strictObject({
  url: text,
  token: text,
  /** Access tokens there for callers of a reseller here, by its name; `token` serves the provider's own callers. */
  resellerTokens: z.record(text, text).optional(),
  /** The credential that the remote gateway requires for its `/api`. */
  service: ServiceShape.optional(),
  region: text.optional(),
  areas: z.array(z.enum(upstreamAreas)).min(1).optional(),
  timeouts: timeouts.optional(),
});
