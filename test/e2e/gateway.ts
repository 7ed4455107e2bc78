import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createListener, type Engine } from "../../src/index.ts";

/** A way to the same engine: where an SDK points, and the `fetch` it uses. */
export interface Way {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** The engine behind a real socket; `stop` closes the listener. */
export async function mount(engine: Engine): Promise<Way & { stop(): Promise<void> }> {
  const server = createServer(createListener({ engine }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, fetch: globalThis.fetch, stop: () => stopServer(server) };
}

/** The engine in this process, without a socket. */
export function inProcess(engine: Engine): Way {
  return { baseUrl: "http://engine", fetch: engine.fetch as typeof fetch };
}

function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
