import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import type { Store } from "../../../../src/engine/ports/store.ts";
import { createEngine } from "../../../../src/index.ts";
import { operator } from "../../../../src/portal/call/operator.ts";
import { createPortal, type PortalOptions } from "../../../../src/portal/index.ts";
import { type FakeClock, fakeClock } from "../../../../src/testing/clock.ts";
import { afterFile } from "../../../after-file.ts";
import { officePrices, providerOf } from "../areas/ai/office.ts";
import { noon } from "../rig.ts";

/** One webhook as a receiver got it. */
export interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A receiver of webhooks on this machine; it answers with the next of `statuses`, then with 204. */
export async function openReceiver() {
  const received: Received[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({ path: request.url, headers: request.headers, body: Buffer.concat(parts).toString("utf8") });
    response.writeHead(statuses.shift() ?? 204, { location: "http://127.0.0.1:1/" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => new Promise((resolve) => server.close(resolve)));
  return { received, statuses, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

/** What several gateways have in common, and the providers of one. */
interface SharedParts {
  readonly clock?: FakeClock;
  readonly store?: Store;
  readonly providers?: readonly Provider[];
}

/** A gateway whose portal sends messages, at noon, with the calls of a client. */
export async function openAlerting(parts: Partial<PortalOptions>, shared: SharedParts = {}) {
  const { clock = fakeClock({ startAt: noon }), store = memoryStore(), providers = [providerOf("one")] } = shared;
  const engine = createEngine({ providers, store, clock, prices: officePrices() });
  const secret = "a secret of the tests";
  const portal = createPortal({
    engine,
    store,
    regions: { "eu-1": {} },
    clock,
    entropy: randomBytes,
    secret,
    ...parts,
  });
  await portal.startFirst();
  const client = { ...operator, scope: { reseller: "acme", client_id: "c-1" } };
  const failures: unknown[] = [];
  const stop = portal.start((error) => failures.push(error));
  afterFile(() => stop());
  /** Lets the jobs run whose time has come, and waits for what they send. */
  const pass = async (ms: number, until: () => boolean | Promise<boolean> = () => true) => {
    await clock.advance(ms);
    for (let turns = 0; turns < 2_000 && !(await until()); turns++)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return { clock, store, engine, portal, client, calls: portal.as(client), failures, pass };
}
