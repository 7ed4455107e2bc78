import { GatewayError } from "../../../src/errors.ts";
import type { Transport } from "../../../src/ports/transport.ts";
import { fetchTransport } from "./fetch.ts";

/** A class of undici, or of what a runtime has in its place. */
interface PoolClass {
  readonly prototype: { readonly dispatch?: unknown };
}

/** False on Bun, which loads a module of its own in place of undici: its classes have no `dispatch` and ignore what they are made with. */
export function canDispatch(pool: PoolClass): boolean {
  return typeof pool.prototype.dispatch === "function";
}

/** Loads undici, which a start does not wait for; the transport over it, or over `fetch` where it cannot dispatch. */
async function openTransport(pool?: PoolClass): Promise<Transport> {
  const { Pool } = await import("undici");
  if (!canDispatch(pool ?? Pool)) return fetchTransport(untimedFetch);
  return (await import("./dispatch/undici.ts")).undiciTransport();
}

/** The transport of this runtime, opened by the first call: undici, or the runtime's `fetch` where undici cannot dispatch. */
export function usualTransport(pool?: PoolClass): Transport {
  let opened: Transport | undefined;
  let opening: Promise<Transport> | undefined;
  async function open(): Promise<Transport> {
    opening ??= openTransport(pool);
    opened = await opening;
    return opened;
  }
  return {
    whole: (request) => opened?.whole(request) ?? open().then((transport) => transport.whole(request)),
    stream: (request) => opened?.stream(request) ?? open().then((transport) => transport.stream(request)),
    async close() {
      await (await opening)?.close();
    },
  };
}

/** Bun's `fetch` gives up after five minutes of silence by itself; the deadlines here are the transport's. */
const untimedFetch: typeof fetch = (input, init) => fetch(input, { ...init, ...{ timeout: false } });

/** Throws `invalid_configuration` where the settings that a user's connections have would be ignored in silence. */
export function requireDispatch(pool: PoolClass, of: string): void {
  if (canDispatch(pool)) return;
  const message = `\`${of}\` needs the package undici, in whose place this runtime (Bun) loads a module of its own.`;
  throw new GatewayError("invalid_configuration", message);
}
