import type { RedisCacheClient } from "tollgate/caches/redis";
import type { RedisPlace } from "../../config/redis-address.ts";
import { onlyPresent } from "../../present-options.ts";
import type { ConfiguredServer } from "../unusable.ts";
import { closeInTime, type RedisConnection, type Startable, untilConnected } from "./client.ts";
import { type SettingsReader, snapshotsOf } from "./persistence.ts";

/** Milliseconds after which a connection is asked whether it lives, and without a byte after which it is given up. */
const pingMs = 5_000;
const silenceMs = 10_000;

/** Milliseconds between two looks of the client at which server is the primary; sentinels tell it of a fail-over at once. */
const scanMs = 2_000;

/** Milliseconds between two attempts to find any of the servers while none answers. */
const retryMs = 1_000;

/** What a client of several servers has. */
interface SeveralClient extends RedisCacheClient, Startable {
  connect(): Promise<unknown>;
  /** Nodes of a cluster are asked one by one, and this is not for one key. */
  configGet?: SettingsReader["configGet"];
}

/**
 * Connects to the primary that sentinels name, or to a cluster. The client follows a fail-over by itself; a command that it meets is
 * refused or lost, and the caller that counts sends it again.
 */
export async function connectToSeveral(server: ConfiguredServer, place: RedisPlace): Promise<RedisConnection> {
  const client = place.kind === "sentinel" ? await sentinelClient(place) : await clusterClient(place);
  client.on("error", () => {}); // an error event without a listener would end the process
  let isClosed = false;
  const first = client.connect().catch((thrown: Error) => {
    throw Object.assign(thrown, { code: "ETIMEDOUT" }); // the client says only that it found none
  });
  const goOn = async () => {
    while (!isClosed) {
      await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      if (await isConnected(client)) return;
    }
  };
  first.catch(goOn);
  try {
    await untilConnected(server, client, first);
  } catch (thrown) {
    isClosed = true;
    throw thrown;
  }
  return {
    client,
    info: () => infoOf(client),
    snapshots: async () =>
      client.configGet ? await snapshotsOf({ configGet: client.configGet.bind(client) }) : undefined,
    async close() {
      isClosed = true;
      await closeInTime(client);
    },
  };
}

/** INFO of the node that keeps the counters; empty where a login may not read it. */
async function infoOf(client: SeveralClient): Promise<string> {
  const call = { keys: ["{tollgate}:"], arguments: [] };
  return client.eval('return redis.call("INFO")', call).then(String, () => "");
}

async function isConnected(client: SeveralClient): Promise<boolean> {
  return client.connect().then(
    () => true,
    () => false,
  );
}

/** Login and socket of every connection to a server that keeps data. */
function settingsOf({ username, password, isTls }: RedisPlace) {
  const socket = { socketTimeout: silenceMs, ...(isTls ? { tls: true as const } : {}) };
  return { ...onlyPresent({ username, password }), pingInterval: pingMs, socket };
}

async function sentinelClient(place: RedisPlace): Promise<SeveralClient> {
  const { createSentinel } = await import("@redis/client");
  const node = settingsOf(place);
  return createSentinel({
    name: place.primary,
    sentinelRootNodes: [...place.nodes],
    nodeClientOptions: { ...node, database: place.database },
    sentinelClientOptions: settingsOf({ ...place, username: undefined, password: place.sentinelPassword }),
    scanInterval: scanMs,
  });
}

async function clusterClient(place: RedisPlace): Promise<SeveralClient> {
  const { createCluster } = await import("@redis/client");
  return createCluster({
    rootNodes: place.nodes.map((socket) => ({ socket })),
    defaults: settingsOf(place),
    topologyRefreshOnReconnectionAttemptStrategy: scanMs,
  });
}
