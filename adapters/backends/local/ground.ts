import { hkdfSync, randomBytes } from "node:crypto";
import { createSecrets } from "../../../src/portal/secrets.ts";
import { createTurn } from "../../../src/portal/turn.ts";
import { given } from "../../shared/options.ts";
import { systemClock } from "../../system.ts";
import type { Ground } from "./endpoint.ts";
import { openInventory } from "./inventory.ts";
import { endpointOf, type LocalOptions, localChecks } from "./options.ts";
import { defaultSeed, plantOnce, readSeed } from "./seed.ts";

/** What all parts of an embedded cloud work with. */
export interface LocalGround extends Ground {
  /** Resolves once the seed is in the inventory. */
  opened(): Promise<void>;
  /** Signs addresses and tokens. */
  readonly signingKey: Uint8Array;
  /** Without a slash at its end. */
  endpoint(): string;
}

/** Settles the options. Throws `invalid_configuration`. */
export function groundOf(options: LocalOptions): LocalGround {
  given(options, localChecks, { of: "the embedded cloud", needs: ["records", "region", "folder", "secret"] });
  const { records, region, secret, clock = systemClock, entropy = randomBytes } = options;
  const inventory = openInventory(records, region, clock);
  const turn = (name: string) => createTurn({ records, clock }, `local/${region}/${name}`);
  const ground = { inventory, clock, entropy, secrets: createSecrets(secret, entropy), turn };
  const seed = readSeed(options.seed ?? defaultSeed);
  return {
    ...ground,
    opened: onlyOnce(() => plantOnce(seed, { ...ground, records, region })),
    signingKey: new Uint8Array(hkdfSync("sha256", secret, region, "tollgate: embedded cloud", 32)),
    endpoint: endpointOf(options),
  };
}

/** Runs once for all callers; a failure is tried again. */
function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().catch((thrown: unknown) => {
      running = undefined;
      throw thrown;
    });
    return running;
  };
}
