import type { RedisCacheClient } from "tollgate/caches/redis";
import { needPackages } from "../installed.ts";
import { giveUp, type Wanted } from "./unusable.ts";

/** A client that goes on through a lost connection, and who closes it. */
export interface RedisConnection {
  readonly client: RedisCacheClient;
  /** What the server says of its memory; nothing where it does not tell. */
  memory(): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds in which a server must have answered at the start; later it is waited for, and the calls that need it are told. */
const patienceMs = 5_000;

/** Milliseconds between two looks at a connection, and those in which it must answer: what is dead without a word is left within twice as many. */
const lookMs = 5_000;

/** Connects; where it cannot, see {@link giveUp}. */
export async function connectRedis(wanted: Wanted, everyMs = lookMs): Promise<RedisConnection> {
  const { address, setting } = wanted;
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
  await untilConnected(wanted, client, first.connected);
  const leave = () => {
    const dead = client;
    client = open().opened;
    dead.destroy(); // tells whoever waits, who sends again
  };
  const watch = watchOver(() => client, leave, everyMs);
  return {
    client: {
      get: (key) => client.get(key),
      eval: (script, call) => client.eval(script, call),
      evalSha: (sha1, call) => client.evalSha(sha1, call),
    },
    memory: () => client.info("memory").catch(() => ""), // a login may lack the right
    async close() {
      clearInterval(watch);
      if (client.isReady) await client.close();
      else client.destroy(); // whoever has no connection has nothing left to send
    },
  };
}

/** What is used of a client here. */
interface Client {
  readonly isReady: boolean;
  ping(): Promise<unknown>;
  destroy(): void;
  on(event: "error", hear: (thrown: unknown) => void): unknown;
}

async function untilConnected(wanted: Wanted, client: Client, connected: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    client.on("error", reject);
    timer = setTimeout(() => reject(unanswered(wanted.address)), patienceMs);
  });
  try {
    await Promise.race([connected, failed]).catch((thrown) => giveUp(wanted, thrown));
  } catch (thrown) {
    client.destroy();
    throw thrown;
  } finally {
    clearTimeout(timer);
  }
}

function unanswered(address: string): Error {
  const tls = /^rediss:/i.test(address) ? " over TLS; of a server without it, the address begins with `redis://`" : "";
  return Object.assign(new Error(`no answer within ${patienceMs / 1_000} s${tls}`), { code: "ETIMEDOUT" });
}

/**
 * Asks now and then whether anybody is there, since a connection whose other end is gone without a word looks well for a quarter of an
 * hour; one that has not answered at the next look is left.
 */
function watchOver(current: () => Client, leave: () => void, everyMs: number): NodeJS.Timeout {
  let asked: Client | undefined;
  const look = () => {
    const client = current();
    if (asked === client) return leave();
    if (!client.isReady) return;
    asked = client;
    const hear = () => {
      if (asked === client) asked = undefined;
    };
    client.ping().then(hear, hear);
  };
  return setInterval(look, everyMs).unref();
}
