import { GatewayError } from "../../../src/engine/errors.ts";
import type { Clock, Entropy } from "../../../src/engine/ports/clock.ts";
import type { Records } from "../../../src/engine/ports/records.ts";
import { anything, type Checks, callable, list, object, text } from "../../shared/options.ts";
import type { ShootDefaults } from "../shared/clusters/shoot-spec.ts";
import type { QuotaProfiles } from "../shared/quota-profile.ts";
import type { Seed } from "./seed.ts";

/** What an embedded cloud is kept in, and what it begins with. */
export interface LocalCloudOptions {
  /** The store's records, all of them: the cloud itself knows no tenants. */
  readonly records: Records;
  /** The code of the region; several clouds may be kept in one store. */
  readonly region: string;
  /** The folder of what is no record: bytes of volumes, images, objects and backups. Made when it is first written to. */
  readonly folder: string;
  /** What secrets are sealed and addresses are signed with, 16 characters at least; the portal's own. */
  readonly secret: string;
  /** Secrets of before, which open what was sealed with them; the portal's own. */
  readonly previousSecrets?: readonly string[] | undefined;
  /** What it holds when it is opened for the first time; a domain, flavors, a volume type and a cloud profile unless given. */
  readonly seed?: Seed | undefined;
  /**
   * Where the gateway serves shared objects, as its callers reach it; `http://127.0.0.1:8080/objects` unless given. A function is asked
   * at every use: which port it is may be known only when the gateway listens.
   */
  readonly endpoint?: string | (() => string) | undefined;
  /** Where the gateway serves the APIs of clusters, as `endpoint` is read; `http://127.0.0.1:8080/kube` unless given. */
  readonly clusterEndpoint?: string | (() => string) | undefined;
  /** Quota profiles by name. `default`, the cloud's own limits, is always there. */
  readonly quotaProfiles?: QuotaProfiles | undefined;
  /** What clusters are made with beside what the caller says. */
  readonly shoots?: ShootDefaults | undefined;
  /** Called as each phase of a backup or of a restore begins; for logs. */
  readonly onPhase?: ((phase: BackupPhase, id: string) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly entropy?: Entropy | undefined;
}

/** Phases of the work on backups. */
export type BackupPhase = "noted" | "reading" | "written" | "checked" | "restoring" | "writing" | "restored";

export const localChecks: Checks<LocalCloudOptions> = {
  records: object,
  region: text,
  folder: text,
  secret: text,
  previousSecrets: list,
  seed: anything,
  endpoint: anything,
  clusterEndpoint: anything,
  quotaProfiles: object,
  shoots: object,
  onPhase: callable,
  clock: object,
  entropy: callable,
};

/** Where shared objects are reached, without a slash at its end; one that is known is looked at at once. */
export function endpointOf({ endpoint = "http://127.0.0.1:8080/objects" }: LocalCloudOptions): () => string {
  return addressOf("endpoint", endpoint);
}

/** Where the APIs of clusters are reached, as {@link endpointOf} says it of objects. */
export function clusterEndpointOf({ clusterEndpoint = "http://127.0.0.1:8080/kube" }: LocalCloudOptions): () => string {
  return addressOf("clusterEndpoint", clusterEndpoint);
}

function addressOf(param: string, address: string | (() => string)): () => string {
  if (typeof address === "function") return () => readEndpoint(param, address());
  const known = readEndpoint(param, address);
  return () => known;
}

function readEndpoint(param: string, address: string): string {
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  const message = `\`${param}\` of the embedded cloud must be an absolute http or https URL.`;
  throw new GatewayError("invalid_configuration", message, { param });
}
