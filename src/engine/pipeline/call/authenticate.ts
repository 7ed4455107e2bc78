import { GatewayError } from "../../errors.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import { refuseCaller } from "../../policy/decide.ts";
import { toRefusalError } from "../../policy/refusal.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { callPort } from "../runtime/port-call.ts";
import type { KeyAccess, Ports } from "../runtime/ports.ts";
import { applyTimeouts, type Call } from "./call.ts";
import { withinDeadline } from "./within-deadline.ts";

/**
 * Identifies the caller and sets the access of the call. Throws the refusal of an unknown, missing, inactive or expired key. An
 * unresponsive store holds no call beyond its deadline.
 */
export async function authenticate(call: Call, key: string | undefined): Promise<void> {
  const { isKeyRequired } = call.ports.accounting;
  const hasKey = key !== undefined || call.options.keyId !== undefined;
  const access = hasKey ? await findAccess(call, key) : undefined;
  const refusal = refuseCaller({ hasKey, access, isKeyRequired, now: call.startedAt });
  call.access = access; // of a blocked key too: the row of its refusal names it
  if (refusal) throw toRefusalError(refusal);
  if (hasKey) refuseWithoutLedger(call);
  if (access?.timeouts) applyTimeouts(call, access.timeouts);
}

/** A call is begun only where its entry can be written, or wait. */
function refuseWithoutLedger({ ports }: Call): void {
  const backlog = ports.accounting.ledger?.backlog?.();
  if (!backlog?.isFull) return;
  const message = `The ledger cannot be written, and ${backlog.waiting} requests wait to be. Calls begin again once its store takes them.`;
  throw new GatewayError("store_unavailable", message);
}

/** Synchronous where the key is cached and the counters are recovered. Without its value the key is found by its id. */
function findAccess(call: Call, key: string | undefined): MaybePromise<KeyPermissions | undefined> {
  const keys = keyAccessOf(call.ports);
  const found = key === undefined ? keys.ofKey(call.options.keyId ?? "") : keys.find(key, call.startedAt);
  const { recovered } = call.ports.accounting;
  if (recovered) return withinDeadline(call, Promise.all([found, recovered()])).then(([access]) => access);
  return found instanceof Promise ? withinDeadline(call, found) : found;
}

/** The present access of a key, `undefined` for the trusted caller; throws as {@link authenticate} does. */
export async function accessOf(ports: Ports, key: string | undefined): Promise<KeyPermissions | undefined> {
  const { isKeyRequired } = ports.accounting;
  const now = ports.clock.now();
  const access = key === undefined ? undefined : await findKey(ports, key, now);
  const refusal = refuseCaller({ hasKey: key !== undefined, access, isKeyRequired, now });
  if (refusal) throw toRefusalError(refusal);
  return access;
}

/** The same for a key by its id. */
export async function accessOfId(ports: Ports, id: string): Promise<KeyPermissions | undefined> {
  const { isKeyRequired, timeouts } = ports.accounting;
  const access = await callPort("store", () => keyAccessOf(ports).ofKey(id), timeouts.long);
  const refusal = refuseCaller({ hasKey: true, access, isKeyRequired, now: ports.clock.now() });
  if (refusal) throw toRefusalError(refusal);
  return access;
}

/** The access of a key, no later than a store may take; synchronous where it is cached. */
export function findKey(ports: Ports, key: string, now: number): MaybePromise<KeyPermissions | undefined> {
  const found = keyAccessOf(ports).find(key, now);
  return found instanceof Promise ? callPort("store", () => found, ports.accounting.timeouts.long) : found;
}

function keyAccessOf({ accounting }: Ports): KeyAccess {
  if (accounting.keys) return accounting.keys;
  throw new GatewayError("virtual_key_not_found", "The virtual key is unknown: this engine has no `store` of keys.");
}
