import type { Clock, Entropy } from "../../../src/engine/ports/clock.ts";
import type { Secrets } from "../../../src/portal/call/secrets.ts";
import type { Mutex } from "../../../src/portal/locks/mutex.ts";
import type { Inventory, Resource } from "./inventory.ts";

/** A request to one of the embedded cloud's services, in the words of the real one. */
export interface ServiceRequest {
  readonly method: string;
  /** The path's segments behind the service's address. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: Resource;
  /** The project that the request's token is for; the administrator's own without one. */
  readonly project?: string | undefined;
}

/** An answer as the real service gives it. */
export interface ServiceAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** What the services work with. */
export interface ServiceContext {
  /** The code of the region. */
  readonly region: string;
  readonly inventory: Inventory;
  /** Where the files of volumes lie. */
  readonly folder: string;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly secrets: Secrets;
  /** A queue of this cloud by name, for all processes over its store. */
  turn(name: string): Mutex;
}

/** A service of the cloud. */
export type CloudApi = (request: ServiceRequest, context: ServiceContext) => Promise<ServiceAnswer>;

/** An id in the form of Keystone's: 32 hexadecimal digits. */
export function newHexId({ entropy }: Pick<ServiceContext, "entropy">): string {
  return Buffer.from(entropy(16)).toString("hex");
}

/** An id in the form of all other services: a version 4 UUID. */
export function newUuid({ entropy }: Pick<ServiceContext, "entropy">): string {
  const bytes = Buffer.from(entropy(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The time in RFC 3339. */
export function nowOf({ clock }: Pick<ServiceContext, "clock">): string {
  return new Date(clock.now()).toISOString();
}

/** The object of a request's body under a key. */
export function requestOf(body: Resource, key: string): Resource {
  const request = body[key];
  return typeof request === "object" && request !== null ? (request as Resource) : {};
}
