import { hkdfSync, randomBytes } from "node:crypto";
import { createSecrets } from "../../../src/portal/call/secrets.ts";
import { createLease } from "../../../src/portal/locks/lease.ts";
import { checkedOptions } from "../../shared/options.ts";
import { systemClock } from "../../system.ts";
import type { ServiceContext } from "./endpoint.ts";
import { openInventory } from "./inventory.ts";
import { clusterEndpointOf, endpointOf, type LocalCloudOptions, localChecks } from "./options.ts";
import { defaultSeed, plantOnce, readSeed } from "./seed.ts";

/** What all parts of an embedded cloud work with. */
export interface LocalContext extends ServiceContext {
  /** Resolves once the seed is in the inventory. */
  opened(): Promise<void>;
  /** Signs addresses and tokens. */
  readonly signingKey: Uint8Array;
  /** Without a slash at its end. */
  endpoint(): string;
  /** Where the APIs of clusters are reached, without a slash at its end. */
  clusterEndpoint(): string;
}

/** Settles the options. Throws `invalid_configuration`. */
export function contextOf(options: LocalCloudOptions): LocalContext {
  checkedOptions(options, localChecks, { of: "the embedded cloud", needs: ["records", "region", "folder", "secret"] });
  const { records, region, folder, secret, previousSecrets, clock = systemClock, entropy = randomBytes } = options;
  const inventory = openInventory(records, region, clock);
  const turn = (name: string) => createLease({ records, clock }, `local/${region}/${name}`);
  const secrets = createSecrets(secret, entropy, previousSecrets);
  const context = { region, inventory, folder, clock, entropy, secrets, turn };
  const seed = readSeed(options.seed ?? defaultSeed);
  return {
    ...context,
    opened: onlyOnce(() => plantOnce(seed, { ...context, records })),
    signingKey: new Uint8Array(hkdfSync("sha256", secret, region, "tollgate: embedded cloud", 32)),
    endpoint: endpointOf(options),
    clusterEndpoint: clusterEndpointOf(options),
  };
}

/** Runs once for all callers; a failure is tried again. */
function onlyOnce(deadline: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= deadline().catch((thrown: unknown) => {
      running = undefined;
      throw thrown;
    });
    return running;
  };
}
