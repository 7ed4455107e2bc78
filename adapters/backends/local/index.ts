import type { BackupDriver } from "../../../src/portal/backup-driver.ts";
import type { QuotaUsage } from "../../../src/portal/quotas/usage.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";
import { volumePath } from "./backup-ground.ts";
import { backupsOf } from "./backups.ts";
import { clustersOf } from "./clusters.ts";
import { groundOf } from "./ground.ts";
import { infrastructureOf } from "./infrastructure.ts";
import type { Inventory } from "./inventory.ts";
import { type ObjectStore, openObjects } from "./objects.ts";
import type { LocalOptions } from "./options.ts";
import { type ObjectAnswer, serveObject } from "./serve-object.ts";
import { sharingOf } from "./sharing.ts";

export type { QuotaProfiles } from "../shared/quota-profile.ts";
export type { Inventory, Thing } from "./inventory.ts";
export type { Bucket, ObjectStore, ObjectVersion } from "./objects.ts";
export type { LocalOptions, Phase } from "./options.ts";
export type { Seed } from "./seed.ts";
export type { ObjectAnswer } from "./serve-object.ts";

/** The back ends of a region whose cloud is embedded in this process. */
export interface LocalCloud {
  readonly iaas: Required<AreaBackend<"iaas">>;
  readonly clusters: AreaBackend<"clusters">;
  readonly objectstore: Required<AreaBackend<"objectstore">>;
  readonly backups: BackupDriver;
  readonly quotas: QuotaUsage;
  /** What the cloud holds, for who fills it: servers, volumes, networks. */
  readonly inventory: Inventory;
  /** Buckets and objects, for who fills them. */
  readonly objects: ObjectStore;
  /** Where the bytes of a volume lie, for who fills it. */
  volumes(id: string): string;
  /** The address of shared objects, as it is now. */
  readonly endpoint: string;
  /** Answers a request for a shared object: its method, and path and query behind {@link LocalOptions.endpoint}. */
  serve(method: string, address: string): Promise<ObjectAnswer>;
}

/**
 * A cloud inside this process, kept in the store and a folder: it enforces what the real services enforce, and answers as they do.
 * Nothing runs in it: servers and clusters are only kept. Throws `invalid_configuration` for a seed or an address that cannot be read.
 */
export function local(options: LocalOptions): LocalCloud {
  const ground = groundOf(options);
  const { inventory, clock, signingKey } = ground;
  const { folder, onPhase = () => {} } = options;
  const objects = openObjects(inventory, folder);
  const { iaas, quotas } = infrastructureOf(ground, options);
  return {
    iaas,
    quotas,
    clusters: clustersOf(ground, options, iaas),
    objectstore: sharingOf({ ...ground, objects }),
    backups: backupsOf({ ...ground, folder, onPhase }),
    inventory,
    objects,
    get endpoint() {
      return ground.endpoint();
    },
    volumes: (id) => volumePath(folder, id),
    serve: (method, address) => serveObject({ objects, signingKey, clock }, method, address),
  };
}
