import type { Engine } from "../engine.ts";
import { anything, type Checks, callable, having, object } from "../ports/checks.ts";
import type { Store } from "../ports/store.ts";
import type { Clock, Entropy } from "../ports.ts";
import type { TariffOptions } from "./areas/ai/tariff.ts";
import type { BackupPolicySettings } from "./backups/policy.ts";
import type { Regions } from "./regions.ts";

/** What a portal is made of; `engine` and `store` are required, and the store is the engine's own. */
export interface PortalOptions {
  readonly engine: Engine;
  readonly store: Store;
  /** The back ends of each region by its code; one region, `local`, without back ends unless given. */
  readonly regions?: Regions | undefined;
  /** What secrets in the store are encrypted under, 16 characters at least; without it none can be kept. */
  readonly secret?: string | undefined;
  /** The policies that keys and projects are made by, by name; one, `standard`, that allows every model, unless given. */
  readonly tiers?: TariffOptions["tiers"];
  /** What is put on the cost of resellers, in percent: `{ acme: [{ provider: "openai", percent: 10 }, { percent: 5 }] }`. */
  readonly uplift?: TariffOptions["uplift"];
  /** The policies that resources are backed up by, by id; `daily` and `weekly` unless given. */
  readonly backupPolicies?: Readonly<Record<string, BackupPolicySettings>> | undefined;
  /** The engine's unless given. */
  readonly clock?: Clock | undefined;
  /** The engine's unless given. */
  readonly entropy?: Entropy | undefined;
}

/** `secret`, `tiers`, `uplift` and `backupPolicies` are looked into where they are read. */
export const portalChecks: Checks<PortalOptions> = {
  engine: having("newEventId", "an engine of `createEngine`"),
  store: having("records", "the store of that engine"),
  regions: object,
  secret: anything,
  tiers: anything,
  uplift: anything,
  backupPolicies: anything,
  clock: object,
  entropy: callable,
};
