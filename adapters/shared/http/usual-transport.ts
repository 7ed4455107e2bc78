import type { Transport } from "../../../src/engine/ports/transport.ts";
import type { PoolClass } from "./dispatch/can-dispatch.ts";
import { fetchTransport } from "./fetch.ts";

/** Loads undici, which a start does not wait for; the transport over it, or over `fetch` where it cannot dispatch. */
async function openTransport(pool?: PoolClass): Promise<Transport> {
  const { canDispatch } = await import("./dispatch/can-dispatch.ts");
  if (!canDispatch(pool)) return fetchTransport(untimedFetch);
  return (await import("./dispatch/undici.ts")).undiciTransport();
}

/** The transport of this runtime, opened by the first call: undici, or the runtime's `fetch` where undici cannot dispatch. */
export function usualTransport(pool?: PoolClass): Transport {
  let opened: Transport | undefined;
  let opening: Promise<Transport> | undefined;
  async function open(): Promise<Transport> {
    opening ??= openTransport(pool).catch((thrown) => {
      opening = undefined; // the next call tries again, and there is nothing to close
      throw thrown;
    });
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
