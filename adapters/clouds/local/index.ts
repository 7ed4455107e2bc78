import type { BackupDriver } from "../../../src/portal/backup-driver.ts";
import type { ProjectContents } from "../../../src/portal/project-contents.ts";
import type { QuotaUsage } from "../../../src/portal/quota-usage.ts";
import type { AreaBackend, RollbackBackend } from "../../../src/portal/regions.ts";
import { backupsOf } from "./backups/driver.ts";
import { clusterApiOf, clustersOf } from "./clusters.ts";
import { contextOf } from "./context.ts";
import { infrastructureOf } from "./infrastructure.ts";
import type { Inventory } from "./inventory.ts";
import type { ClusterRequest } from "./kubernetes/cluster-call.ts";
import { type ObjectStore, openObjects } from "./objectstore/objects.ts";
import { type ObjectAnswer, serveObject } from "./objectstore/serve-object.ts";
import { sharingOf } from "./objectstore/sharing.ts";
import type { LocalCloudOptions } from "./options.ts";
import { volumePath } from "./volume-files.ts";

export type { QuotaProfiles } from "../shared/quota-profile.ts";
export type { Inventory, Resource } from "./inventory.ts";
export type { ClusterRequest } from "./kubernetes/cluster-call.ts";
export type { Bucket, ObjectStore, ObjectVersion } from "./objectstore/objects.ts";
export type { ObjectAnswer } from "./objectstore/serve-object.ts";
export type { BackupPhase, LocalCloudOptions } from "./options.ts";
export type { Seed } from "./seed.ts";

/** The back ends of a region whose cloud is embedded in this process. */
export interface LocalCloud {
  readonly iaas: Required<AreaBackend<"iaas">> & ProjectContents;
  readonly clusters: AreaBackend<"clusters">;
  readonly objectstore: Required<AreaBackend<"objectstore">> & ProjectContents;
  readonly backups: BackupDriver;
  readonly quotas: Required<QuotaUsage>;
  readonly rollbacks: RollbackBackend;
  /** What the cloud holds, for who fills it: servers, volumes, networks. */
  readonly inventory: Inventory;
  /** Buckets and objects, for who fills them. */
  readonly objects: ObjectStore;
  /** Where the bytes of a volume lie, for who fills it. */
  volumes(id: string): string;
  /** The address of shared objects, as it is now. */
  readonly endpoint: string;
  /** Answers a request for a shared object: its method, and path and query behind {@link LocalCloudOptions.endpoint}. */
  serve(method: string, address: string): Promise<ObjectAnswer>;
  /** Answers a request for the API of a cluster: JSON, or plain text where it does not begin with `{`. */
  serveCluster(request: ClusterRequest): Promise<{ readonly status: number; readonly body: string }>;
  /** Ends at once what runs on a cluster, for who fills it. */
  settleCluster(namespace: string, name: string): Promise<void>;
  /** Lets one in so many operations on servers and clusters fail, the same ones for the same seed; none fails unless this was asked. */
  planFaults(plan: { readonly seed: string; readonly one_in: number }): Promise<void>;
}

/**
 * A cloud inside this process, kept in the store and a folder: it enforces what the real services enforce, and answers as they do.
 * Nothing runs in it: servers and clusters pass through their states on its clock, and clusters have a small API of their own. Throws `invalid_configuration` for a seed or an address that cannot be read.
 */
export function local(options: LocalCloudOptions): LocalCloud {
  const context = contextOf(options);
  const { inventory, clock, signingKey } = context;
  const { folder, onPhase = () => {} } = options;
  const objects = openObjects(inventory, folder, clock);
  const { iaas, quotas, rollbacks, planFaults } = infrastructureOf(context, options);
  return {
    iaas,
    quotas,
    rollbacks,
    clusters: clustersOf(context, options, iaas),
    objectstore: sharingOf({ ...context, objects }),
    backups: backupsOf({ ...context, folder, onPhase }),
    inventory,
    objects,
    get endpoint() {
      return context.endpoint();
    },
    volumes: (id) => volumePath(folder, id),
    serve: (method, address) => serveObject({ objects, signingKey, clock }, method, address),
    planFaults,
    ...clusterApiOf(context),
  };
}
