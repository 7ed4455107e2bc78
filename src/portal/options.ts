import type { AuditEntry } from "../api/portal/users.ts";
import type { CoreEngine } from "../engine.ts";
import type { Clock, Entropy } from "../ports/clock.ts";
import type { Store } from "../ports/store.ts";
import { anything, type Checks, callable, having, list, object } from "../runtime/checks.ts";
import type { BackupPolicySettings } from "./backups/planning/policy.ts";
import type { Regions } from "./regions.ts";
import type { PortalRetention } from "./retention.ts";
import type { TariffOptions } from "./tariff/tariff.ts";

/** The options of a portal. `engine` and `store` are required; `store` is the engine's own. */
export interface PortalOptions {
  readonly engine: CoreEngine;
  readonly store: Store;
  /** The back ends of each region by its code. Default: one region, `local`, without back ends. */
  readonly regions?: Regions | undefined;
  /** The secret that encrypts secrets in the store, at least 16 characters. Without it, none can be stored. */
  readonly secret?: string | undefined;
  /** Secrets of before a rotation: they open what was sealed with them, and seal nothing. */
  readonly previousSecrets?: readonly string[] | undefined;
  /** The tiers from which keys and projects are created, by name. Default: `standard`, which allows every model. */
  readonly tiers?: TariffOptions["tiers"];
  /** The uplifts on the cost of resellers, in percent: `{ acme: [{ provider: "openai", percent: 10 }, { percent: 5 }] }`. */
  readonly uplift?: TariffOptions["uplift"];
  /** The backup policies by id. Default: `daily` and `weekly`. */
  readonly backupPolicies?: Readonly<Record<string, BackupPolicySettings>> | undefined;
  /** How long the audit log and tasks are kept. */
  readonly retention?: Partial<PortalRetention> | undefined;
  /** Receives the entry of the audit log for every secret that was read or made: a key's value, a key pair, a kubeconfig. For logs. */
  readonly onSecret?: ((entry: AuditEntry) => void) | undefined;
  /** Default: the engine's. */
  readonly clock?: Clock | undefined;
  /** Default: the engine's. */
  readonly entropy?: Entropy | undefined;
}

/** `secret`, `previousSecrets`, `tiers`, `uplift` and `backupPolicies` are checked where they are read. */
export const portalChecks: Checks<PortalOptions> = {
  engine: having("newEventId", "an engine of `createEngine`"),
  store: having("records", "the store of that engine"),
  regions: object,
  secret: anything,
  previousSecrets: list,
  tiers: anything,
  uplift: anything,
  backupPolicies: anything,
  retention: object,
  onSecret: callable,
  clock: object,
  entropy: callable,
};
