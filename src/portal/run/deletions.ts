import type { RowInput, RowKey } from "../../operations/portal/table.ts";
import { refuseOrPurge } from "../purge/before-delete.ts";
import { removeProjectRecords } from "./after-delete.ts";
import type { DeletionHooks } from "./deletion-hooks.ts";

/** Nothing depends on what the operation deletes, or its own method takes care of it. */
const none = undefined;

/** Every operation with the method DELETE: a row that is missing, or that the operations table does not have, does not compile. */
export const deletions = {
  "ai.deleteKey": none,
  "ai.deleteProject": none,
  "ai.forgetAnswer": none,
  "ai.forgetAnswers": none,
  "ai.removeCredential": none,
  "ai.removeUsers": none,
  "alerts.deleteChannel": none,
  "alerts.deleteRule": none,
  "backups.deletePolicy": none,
  "backups.unassign": none,
  "clusters.deleteProject": none,
  "clusters.deleteSecret": none,
  "clusters.deleteSecretBinding": none,
  "clusters.deleteShoot": none,
  "clusters.deleteWorkerGroup": none,
  "iaas.deleteCredential": none,
  "iaas.deleteLoadBalancer": none,
  "iaas.deleteServer": none,
  "iaas.deleteVolume": none,
  "iaas.deleteProject": { before: refuseOrPurge, after: removeProjectRecords },
  "me.disableTotp": none,
  "me.endOtherSessions": none,
  "me.endSession": none,
  "me.revokeToken": none,
  "objectstore.deleteVersions": none,
  "objectstore.unshareBucket": none,
  "properties.remove": none,
  "profiles.unassign": none,
  "profiles.delete": none,
  "tasks.delete": none,
  "tasks.unschedule": none,
  "tenants.delete": none,
  "users.delete": none,
  "users.disableTotp": none,
  "users.deleteRole": none,
  "users.unassignRole": none,
  "users.revokeToken": none,
} satisfies Deletions;

/** One entry for each operation that deletes. */
export type Deletions = { readonly [Key in RowKey<"DELETE">]: DeletionHooks<RowInput<Key>> | undefined };

/** The hooks of an operation; none for one that does not delete. */
export function deletionHooks(key: RowKey): DeletionHooks<never> {
  const all: Readonly<Partial<Record<RowKey, DeletionHooks<never> | undefined>>> = deletions;
  return all[key] ?? {};
}
