import type { AnswerCache } from "../../ports/answers.ts";
import type { Counters } from "../../ports/counters.ts";
import { needPackage } from "../installed.ts";
import { readAddress, unusable } from "./address.ts";

/** Counts that all gateways with this address share. */
export async function redisCountersAt(address: string): Promise<Counters> {
  const client = await connect(address, "counters");
  const { redisCounters } = await import("tollgate/counters/redis");
  return { ...redisCounters({ client }), close: () => letGo(client) };
}

/** Answers that all gateways with this address share. */
export async function redisAnswersAt(address: string): Promise<AnswerCache> {
  const client = await connect(address, "cache.answers");
  const { redisCache } = await import("tollgate/caches/redis");
  return { ...redisCache({ client }), close: () => letGo(client) };
}

type Client = Awaited<ReturnType<typeof connect>>;

/** Milliseconds in which a server must have answered at the start; later it is waited for, and the calls that need it are told. */
const patienceMs = 5_000;

/** Connects, or throws `invalid_configuration` naming the setting and what the server, or the way to it, said. */
async function connect(address: string, setting: string) {
  needPackage("@redis/client", setting);
  const { createClient } = await import("@redis/client");
  const client = createClient({ url: address });
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    client.on("error", reject); // stays: an error that nobody hears would end the process
    timer = setTimeout(() => reject(new Error(unanswered(address))), patienceMs);
  });
  const connecting = client.connect();
  try {
    await Promise.race([connecting, failed]);
    return client;
  } catch (thrown) {
    connecting.catch(() => {});
    client.destroy();
    throw unusable(setting, readAddress(address).shown, thrown);
  } finally {
    clearTimeout(timer);
  }
}

function unanswered(address: string): string {
  const tls = /^rediss:/i.test(address) ? " over TLS; of a server without it, the address begins with `redis://`" : "";
  return `no answer within ${patienceMs / 1_000} s${tls}`;
}

/** Whoever has no connection has nothing left to send. */
async function letGo(client: Client): Promise<void> {
  if (client.isReady) await client.close();
  else client.destroy();
}
