import { Pool } from "undici";
import { GatewayError } from "../../../src/errors.ts";
import type { Transport } from "../../../src/ports/transport.ts";
import { undiciTransport } from "./dispatch/undici.ts";
import { fetchTransport } from "./fetch.ts";

/** A class of undici, or of what a runtime has in its place. */
interface PoolClass {
  readonly prototype: { readonly dispatch?: unknown };
}

/** False on Bun, which loads a module of its own in place of undici: its classes have no `dispatch` and ignore what they are made with. */
export function canDispatch(pool: PoolClass = Pool): boolean {
  return typeof pool.prototype.dispatch === "function";
}

/** The transport of this runtime: undici, or the runtime's `fetch` where undici cannot dispatch. */
export function usualTransport(pool?: PoolClass): Transport {
  return canDispatch(pool) ? undiciTransport() : fetchTransport(untimedFetch);
}

/** Bun's `fetch` gives up after five minutes of silence by itself; the deadlines here are the transport's. */
const untimedFetch: typeof fetch = (input, init) => fetch(input, { ...init, ...{ timeout: false } });

/** Throws `invalid_configuration` where settings of connections would be ignored in silence. */
export function requireDispatch(of: string): void {
  if (canDispatch()) return;
  const message = `\`${of}\` needs the package undici, in whose place this runtime (Bun) loads a module of its own.`;
  throw new GatewayError("invalid_configuration", message);
}
