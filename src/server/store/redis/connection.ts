import { readRedisAddress } from "../../config/redis-address.ts";
import { needPackages } from "../../needed-packages.ts";
import type { ConfiguredServer } from "../unusable.ts";
import { type Client, closeInTime, type RedisConnection, untilConnected } from "./client.ts";
import { snapshotsOf } from "./persistence.ts";
import { connectToSeveral } from "./several.ts";

/** Milliseconds between two looks at a connection, and those in which it must answer: what is dead without a word is left within twice as many. */
const lookMs = 5_000;

/** Connects to one server, to the primary that sentinels name, or to a cluster; where it cannot, see `throwUnusable`. */
export async function connectRedis(server: ConfiguredServer, everyMs = lookMs): Promise<RedisConnection> {
  needPackages(server.setting, "@redis/client");
  const place = readRedisAddress(server.address);
  return place.kind === "server" ? connectToOne(server, everyMs) : connectToSeveral(server, place);
}

async function connectToOne(server: ConfiguredServer, everyMs: number): Promise<RedisConnection> {
  const { address } = server;
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
  const failed = new Promise<never>((_, reject) => client.on("error", reject));
  await untilConnected(server, client, Promise.race([first.connected, failed]));
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
    info: () => client.info().catch(() => ""), // a login may lack the right
    snapshots: () => snapshotsOf(client),
    async close() {
      clearInterval(watch);
      await closeInTime(client);
    },
  };
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
