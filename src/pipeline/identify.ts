import { GatewayError } from "../errors.ts";
import type { Access } from "../policy/access.ts";
import { refuseCaller } from "../policy/decide.ts";
import { toRefusalError } from "../policy/refusal.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import { type Call, takeTimeouts } from "./call.ts";
import { heed } from "./heed.ts";
import type { AccessBook, Ports } from "./ports.ts";
import { untilOver } from "./until-over.ts";

/**
 * Makes out who calls: throws the refusal of an unknown, missing, inactive or expired key, else sets the call's access. A store that does
 * not answer keeps no call beyond its end.
 */
export function identify(call: Call, key: string | undefined): MaybePromise<void> {
  const { isKeyRequired } = call.ports.books;
  const admit = (access: Access | undefined): void => {
    const refusal = refuseCaller({ hasKey: key !== undefined, access, isKeyRequired, now: call.startedAt });
    call.access = access; // of a blocked key too: the row of its refusal names it
    if (refusal) throw toRefusalError(refusal);
    if (access?.timeouts) takeTimeouts(call, access.timeouts);
  };
  if (key === undefined) return admit(undefined);
  const found = bookOf(call.ports).find(key, call.startedAt);
  const { recovered } = call.ports.books;
  if (recovered) return untilOver(call, Promise.all([found, recovered()])).then(([access]) => admit(access));
  return found instanceof Promise ? untilOver(call, found).then(admit) : admit(found);
}

/** What a key gives access to now, `undefined` for the trusted caller; throws as {@link identify} does. */
export async function accessOf(ports: Ports, key: string | undefined): Promise<Access | undefined> {
  const { isKeyRequired, patience } = ports.books;
  const now = ports.clock.now();
  const access = key === undefined ? undefined : await heed("store", () => bookOf(ports).find(key, now), patience.long);
  const refusal = refuseCaller({ hasKey: key !== undefined, access, isKeyRequired, now });
  if (refusal) throw toRefusalError(refusal);
  return access;
}

function bookOf({ books }: Ports): AccessBook {
  if (books.access) return books.access;
  throw new GatewayError("virtual_key_not_found", "The virtual key is unknown: this engine has no `store` of keys.");
}
