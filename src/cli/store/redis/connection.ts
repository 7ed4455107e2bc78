import type { RedisCacheClient } from "tollgate/caches/redis";
import { needPackages } from "../../program/needed-packages.ts";
import { type ConfiguredServer, throwUnusable } from "../unusable.ts";

/** A client that goes on through a lost connection, and who closes it. */
export interface RedisConnection {
  readonly client: RedisCacheClient;
  /** The memory section of the server's INFO; empty if the server does not provide it. */
  memory(): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds within which a server must answer at startup. Later failures go to the calls that need the server. */
const timeoutMs = 5_000;

/** Milliseconds between two looks at a connection, and those in which it must answer: what is dead without a word is left within twice as many. */
const lookMs = 5_000;

/** Milliseconds that a close waits for what was sent: a server that is gone answers none of it, and a client would wait for ever. */
const closeMs = 2_000;

/** Connects; where it cannot, see {@link throwUnusable}. */
export async function connectRedis(server: ConfiguredServer, everyMs = lookMs): Promise<RedisConnection> {
  const { address, setting } = server;
  needPackages(setting, "@redis/client");
  const { createClient } = await import("@redis/client");
  const open = () => {
    const opened = createClient({ url: address });
    opened.on("error", () => {}); // an error that nobody hears would end the process
    const connected = opened.connect();
    connected.catch(() => {}); // goes on until there is a connection, or nobody wants one any more
    return { opened, connected };
  };
  const first = open();
  let client = first.opened;
  await untilConnected(server, client, first.connected);
  const leave = () => {
    const dead = client;
    client = open().opened;
    dead.destroy(); // fails pending commands; their callers retry
  };
  const watch = watchOver(() => client, leave, everyMs);
  const isWritable = leaveReplicas(() => client, leave, everyMs);
  return {
    client: {
      get: (key) => client.get(key),
      eval: (script, call) => isWritable(client.eval(script, call)),
      evalSha: (sha1, call) => isWritable(client.evalSha(sha1, call)),
    },
    memory: () => client.info("memory").catch(() => ""), // a login may lack the right
    async close() {
      clearInterval(watch);
      await closeWithin(client, closeMs);
    },
  };
}

/** Waits for the answers to what was sent, and no longer than so many milliseconds. */
async function closeWithin(client: Client, ms: number): Promise<void> {
  if (!client.isReady) return client.destroy(); // without a connection, nothing is left to send
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, ms, "late");
  });
  const outcome = await Promise.race([client.close().catch(() => "late"), late]);
  clearTimeout(timer);
  if (outcome === "late") client.destroy();
}

/** What is used of a client here. */
interface Client {
  readonly isReady: boolean;
  ping(): Promise<unknown>;
  close(): Promise<unknown>;
  destroy(): void;
  on(event: "error", onError: (thrown: unknown) => void): unknown;
}

async function untilConnected(server: ConfiguredServer, client: Client, connected: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    client.on("error", reject);
    timer = setTimeout(() => reject(unanswered(server.address)), timeoutMs);
  });
  try {
    await Promise.race([connected, failed]).catch((thrown) => throwUnusable(server, thrown));
  } catch (thrown) {
    client.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

function unanswered(address: string): Error {
  const tls = /^rediss:/i.test(address) ? " over TLS; of a server without it, the address begins with `redis://`" : "";
  return Object.assign(new Error(`no answer within ${timeoutMs / 1_000} s${tls}`), { code: "ETIMEDOUT" });
}

/**
 * Leaves a server that has become a replica while connections to it stayed open, as in a fail-over: the address may lead to the new primary
 * by now. A ping does not tell. At most once in `everyMs`, since an address may lead to a replica for good.
 */
function leaveReplicas(current: () => Client, leave: () => void, everyMs: number) {
  let isResting = false;
  return async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const asked = current();
    try {
      return await answer;
    } catch (thrown) {
      if (!isReadOnly(thrown) || isResting || asked !== current()) throw thrown;
      isResting = true;
      setTimeout(() => {
        isResting = false;
      }, everyMs).unref();
      leave();
      throw thrown;
    }
  };
}

function isReadOnly(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith("READONLY ");
}

/**
 * Pings the server regularly, since a silently lost connection looks healthy for a quarter of an hour. A connection without an answer by
 * the next ping is closed.
 */
function watchOver(current: () => Client, leave: () => void, everyMs: number): NodeJS.Timeout {
  let requested: Client | undefined;
  const look = () => {
    const client = current();
    if (requested === client) return leave();
    if (!client.isReady) return;
    requested = client;
    const onError = () => {
      if (requested === client) requested = undefined;
    };
    client.ping().then(onError, onError);
  };
  return setInterval(look, everyMs).unref();
}
