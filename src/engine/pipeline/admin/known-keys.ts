import { isGatewayError } from "../../errors.ts";
import type { KeyPermissions } from "../../policy/access.ts";
import { createBoundedCache } from "../../runtime/bounded-cache.ts";
import type { PortTimeout } from "../runtime/port-timeout.ts";

/** Keys that are remembered for the time in which the store is away. */
const mostKnown = 10_000;

/** Milliseconds after an unanswered question in which the store is not asked about known keys. */
const restMs = 1_000;

/** For how long keys are good without their store, and how long the store may take to answer. */
export interface KnownKeysRule {
  /** Milliseconds since the access of a key was last read, or known to be current. */
  readonly knownMs: number;
  readonly timeouts: PortTimeout;
}

/** What keys gave access to when their store was last there. */
export interface KnownKeys {
  /** The access was current at `now`. */
  confirm(name: string, access: KeyPermissions, now: number): void;
  /** What `read` gives; where the store does not answer, what the key last gave access to, if that is recent enough. */
  readOrKnown(name: string, now: number, read: ReadAccess): Promise<KeyPermissions | undefined>;
}

/** Reads the access of a key in the store; `undefined` where there is no such key. */
type ReadAccess = () => Promise<KeyPermissions | undefined>;

/** Remembers what keys give access to; with `undefined` nothing, and every question goes to the store. */
export function createKnownKeys(rule: KnownKeysRule | undefined): KnownKeys {
  if (!rule) return { confirm() {}, readOrKnown: (_name, _now, read) => read() };
  const { knownMs, timeouts } = rule;
  const known = createBoundedCache<{ readonly access: KeyPermissions; readonly at: number }>(mostKnown);
  let restsFrom = Number.NEGATIVE_INFINITY;
  const confirm: KnownKeys["confirm"] = (name, access, at) => void known.set(name, { access, at });
  const readAndNote = async (name: string, now: number, read: ReadAccess) => {
    const access = await read();
    if (access) confirm(name, access, now);
    else known.delete(name);
    return access;
  };
  return {
    confirm,
    async readOrKnown(name, now, read) {
      const last = known.get(name);
      if (!last || Math.abs(now - last.at) > knownMs) return readAndNote(name, now, read);
      if (Math.abs(now - restsFrom) < restMs) return last.access;
      try {
        return await timeouts.wait(readAndNote(name, now, read), "store");
      } catch (thrown) {
        if (!isGatewayError(thrown) || thrown.code !== "store_unavailable") throw thrown;
        restsFrom = now;
        return last.access;
      }
    },
  };
}
