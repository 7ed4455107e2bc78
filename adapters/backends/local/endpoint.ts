import type { Queue } from "../../../src/portal/queue.ts";
import type { Secrets } from "../../../src/portal/secrets.ts";
import type { Clock, Entropy } from "../../../src/ports.ts";
import type { Inventory, Thing } from "./inventory.ts";

/** A request to one of the embedded cloud's services, in the words of the real one. */
export interface WireRequest {
  readonly method: string;
  /** The path's segments behind the service's address. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly body: Thing;
}

/** An answer as the real service gives it. */
export interface WireAnswer {
  readonly status: number;
  readonly body?: unknown;
}

/** What the services work with. */
export interface Ground {
  readonly inventory: Inventory;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly secrets: Secrets;
  /** A queue of this cloud by name, for all processes over its store. */
  turn(name: string): Queue;
}

/** A service of the cloud. */
export type Endpoint = (request: WireRequest, ground: Ground) => Promise<WireAnswer>;

/** An id in the form of Keystone's: 32 hexadecimal digits. */
export function newHexId({ entropy }: Pick<Ground, "entropy">): string {
  return Buffer.from(entropy(16)).toString("hex");
}

/** An id in the form of all other services: a version 4 UUID. */
export function newUuid({ entropy }: Pick<Ground, "entropy">): string {
  const bytes = Buffer.from(entropy(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The time in RFC 3339. */
export function nowOf({ clock }: Pick<Ground, "clock">): string {
  return new Date(clock.now()).toISOString();
}

/** The object of a request's body under a key. */
export function wishOf(body: Thing, key: string): Thing {
  const wish = body[key];
  return typeof wish === "object" && wish !== null ? (wish as Thing) : {};
}
