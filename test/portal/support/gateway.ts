import { randomBytes } from "node:crypto";
import { local } from "../../../adapters/providers/local/index.ts";
import type { WebhookSender } from "../../../src/engine/ports/messages/senders.ts";
import type { Store } from "../../../src/engine/ports/store.ts";
import { createHandler, type Handler } from "../../../src/http/server/handler.ts";
import { createEngine, type EngineOptions } from "../../../src/index.ts";
import { createPortal, type Portal } from "../../../src/portal/index.ts";
import type { Regions } from "../../../src/portal/regions.ts";
import { fakeClock } from "../../../src/testing/clock.ts";
import { noon } from "./rig.ts";

/** Prices and credentials that change nothing. */
const sources = {
  priceSource: { state: () => ({ sources: [], warnings: [], synced_at: noon }), prepareOwn: async () => () => {} },
  credentialSource: {
    list: () => [],
    take: async () => {},
    test: async () => ({ outcome: "valid" as const, models: 1 }),
  },
};

/** A gateway with its portal, without a socket, and the token of its first start. */
export interface Gateway {
  readonly portal: Portal;
  readonly token: string;
  readonly clock: ReturnType<typeof fakeClock>;
  ask(asked: Asked): Promise<Answer>;
}

/** One request; the first start's token and the region `eu-1` unless it says otherwise. */
export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Of the peer; unknown by default. */
  readonly address?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined without one. */
  readonly body: unknown;
}

/** Takes every webhook and calls nobody. */
export const webhooks: WebhookSender = { check: () => {}, post: async () => ({ status: 204 }) };

/** Builds a gateway over a store, at noon. */
export async function openGateway(
  store: Store,
  regions: Regions = { "eu-1": {} },
  parts: Partial<EngineOptions> = {},
): Promise<Gateway> {
  const clock = fakeClock({ startAt: noon });
  const engine = createEngine({ providers: [local()], store, clock, ...parts });
  const secret = "a secret of the tests";
  const portal = createPortal({ engine, store, regions, clock, entropy: randomBytes, secret, webhooks, ...sources });
  const first = await portal.startFirst();
  if (!first) throw new Error("the store is not empty");
  const handle = createHandler({ engine, portal });
  return { portal, clock, token: first.token, ask: (asked) => ask(handle, first.token, asked) };
}

async function ask(
  handle: Handler,
  token: string,
  { method, path, headers = {}, body, address }: Asked,
): Promise<Answer> {
  const [bare = "", query = ""] = path.split("?");
  const bytes =
    body === undefined ? Buffer.alloc(0) : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const sent = {
    "auth-token": token,
    region: "eu-1",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  };
  const response = await handle({
    method,
    path: bare,
    query,
    prefix: "",
    address,
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
    isShared: false,
    signal: new AbortController().signal,
    read: async () => ({ kind: "bytes", bytes, encoding: undefined }),
  });
  const text = typeof response.body === "string" ? response.body : "";
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}
