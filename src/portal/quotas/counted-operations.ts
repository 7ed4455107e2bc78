import type { RowInput, RowKey } from "../../operations/portal/table.ts";
import type { CountedQuota, countedQuotas } from "./usage.ts";

/** How the input of an operation names the owner of what the operation creates. An absent level is the caller's own. */
export interface Owner {
  /** The user or the AI project that it belongs to; the project decides where both are named. */
  readonly user_id?: string | undefined;
  readonly project_id?: string | undefined;
  readonly reseller?: string | undefined;
  readonly client_id?: string | undefined;
}

/** An operation that creates something a quota counts, or moves it to where it did not count before. */
export interface CountedOperation<Input> {
  readonly quota: CountedQuota;
  readonly ownerOf: (input: Input) => Owner;
  /** The id of the virtual key that the operation moves: it already counts where it is. */
  readonly movedKeyOf?: (input: Input) => string;
}

/** The operation adds nothing to a quota. */
const none = undefined;

/**
 * Every operation that may create or move something in an area with counted quotas: a row that is missing, or that the operations table
 * does not have, does not compile.
 */
export const countedOperations = {
  "ai.createKey": { quota: "ai_keys", ownerOf: ({ project_id }) => ({ project_id }) },
  "ai.assignKey": {
    quota: "ai_keys",
    ownerOf: ({ project_id, user_id }) => ({ project_id, user_id }),
    movedKeyOf: ({ key_id }) => key_id,
  },
  "ai.changeCustomer": none,
  "ai.changeKey": none,
  "ai.plan": none,
  "ai.resetLimits": none,
  "ai.syncPrices": none,
  "ai.playground": none,
  "ai.rotateKey": none,
  "ai.setOwnPrice": none,
  "ai.addCredential": none,
  "ai.changeCredential": none,
  "ai.testCredential": none,
  "ai.approveTools": none,
  "ai.createProject": { quota: "ai_projects", ownerOf: () => ({}) },
  "ai.changeProject": none,
  "ai.toggleProject": none,
  "ai.addUsers": none,
  "iaas.createProject": { quota: "projects", ownerOf: ({ reseller, client }) => ({ reseller, client_id: client }) },
  "iaas.enableProject": none,
  "iaas.disableProject": none,
  "iaas.setProjectQuota": none,
  "iaas.createCredential": none,
  "iaas.createDomain": none,
  "iaas.createServer": none,
  "iaas.startServer": none,
  "iaas.stopServer": none,
  "iaas.createVolume": none,
  "iaas.createLoadBalancer": none,
  "iaas.attachVolume": none,
  "iaas.detachVolume": none,
  "profiles.create": {
    quota: "profiles",
    ownerOf: ({ reseller_name, client_id }) => ({ reseller: reseller_name, client_id }),
  },
  "profiles.change": none,
  "profiles.assign": none,
  "profiles.reassign": none,
  "users.create": { quota: "users", ownerOf: ({ reseller, client_id }) => ({ reseller, client_id }) },
  "users.change": none,
  "users.invite": none,
  "users.resetPassword": none,
  "users.enable": none,
  "users.disable": none,
  "users.createRole": none,
  "users.changeRole": none,
  "users.assignRole": none,
  "users.createToken": { quota: "tokens", ownerOf: ({ user_id }) => ({ user_id }) },
  "users.setPassword": none,
  "users.setPermissions": none,
} satisfies CountedOperations;

/** One entry for each operation that writes, other than by deleting, in an area with counted quotas. */
export type CountedOperations = {
  readonly [Key in RowKey<"POST" | "PUT" | "PATCH", CountedArea>]: CountedOperation<RowInput<Key>> | undefined;
};

type CountedArea = (typeof countedQuotas)[CountedQuota]["area"];

/** The quota that an operation is checked against; undefined for an operation that adds nothing to one. */
export function countedOperation(key: RowKey): CountedOperation<never> | undefined {
  const all: Readonly<Partial<Record<RowKey, CountedOperation<never> | undefined>>> = countedOperations;
  return all[key];
}
