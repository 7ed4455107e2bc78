import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import { type HostNames, isAddress, plainAddress } from "./names.ts";

/** Longest wait of a call for a name to be resolved anew; then it goes where the ones before it went. */
const longestWait = 250;

/** Keeps the connections to one host at the addresses that its name has now. */
export interface FollowedName {
  /** A connection was made: where to, and which addresses were tried before. */
  connected(socket: Pick<Socket, "remoteAddress" | "autoSelectFamilyAttemptedAddresses">): void;
  /** No address accepted a connection. */
  failed(): void;
  /** To be called before each call: `undefined` where the connections may be used, else when they may be. */
  settle(connections: Connections): Promise<void> | undefined;
}

/**
 * Follows the name of a host. When the lifetime of its addresses is over, the next call has them resolved anew. Where a connection goes to an
 * address that the name no longer has, all are replaced: calls under way end on the old ones.
 */
export function followName(names: HostNames, host: string): FollowedName {
  const used = new Set<string>();
  let version = 0;

  function leave(connections: Connections): void {
    const known = names.known(host);
    if (known === undefined) return;
    version = known.version;
    const current = new Set(known.addresses.map(({ address }) => address));
    if ([...used].every((address) => current.has(address))) return;
    used.clear();
    connections.renew(connections.dispatcher);
  }

  return {
    connected({ remoteAddress, autoSelectFamilyAttemptedAddresses: attempted = [] }) {
      if (remoteAddress !== undefined) used.add(plainAddress(remoteAddress));
      for (const tried of attempted.slice(0, -1)) names.demote(host, tried.replace(/:\d+$/, ""));
    },
    failed: () => names.forget(host),
    settle(connections) {
      if (isAddress(host)) return undefined;
      const known = names.known(host);
      if (known === undefined) return undefined; // the first connection resolves it
      if (names.now() < known.expiresAt) {
        if (known.version !== version) leave(connections);
        return undefined;
      }
      return atMost(names.renew(host), longestWait).then(() => leave(connections));
    },
  };
}

function atMost(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
