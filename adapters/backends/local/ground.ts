import { hkdfSync, randomBytes } from "node:crypto";
import { GatewayError } from "../../../src/errors.ts";
import { createSecrets } from "../../../src/portal/secrets.ts";
import { given } from "../../shared/options.ts";
import { systemClock } from "../../system.ts";
import type { Ground } from "./endpoint.ts";
import { openInventory } from "./inventory.ts";
import { type LocalOptions, localChecks } from "./options.ts";
import { defaultSeed, plant, readSeed } from "./seed.ts";

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
  const ground = { inventory, clock, entropy, secrets: createSecrets(secret, entropy) };
  const seed = readSeed(options.seed ?? defaultSeed);
  return {
    ...ground,
    opened: onlyOnce(() => plant(seed, { ...ground, records, region })),
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

/** One that is known is looked at at once. */
function endpointOf({ endpoint = "http://127.0.0.1:8080/objects" }: LocalOptions): () => string {
  if (typeof endpoint === "function") return () => readEndpoint(endpoint());
  const known = readEndpoint(endpoint);
  return () => known;
}

function readEndpoint(endpoint: string): string {
  const url = URL.parse(endpoint);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  const message = "`endpoint` of the embedded cloud must be an absolute http or https URL.";
  throw new GatewayError("invalid_configuration", message, { param: "endpoint" });
}
