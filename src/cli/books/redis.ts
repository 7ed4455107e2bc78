import type { AnswerCache } from "../../ports/answers.ts";
import type { Counters } from "../../ports/counters.ts";
import { needPackages } from "../installed.ts";
import { giveUp, type Wanted } from "./unusable.ts";

/** Counts that all gateways with this address share. */
export async function redisCountersAt(address: string): Promise<Counters> {
  const client = await connect({ address, setting: "counters" });
  const { redisCounters } = await import("tollgate/counters/redis");
  return { ...redisCounters({ client }), close: () => letGo(client) };
}

/** Answers that all gateways with this address share. A server that is out of reach is told, and looked for on and on. */
export async function redisAnswersAt(address: string, tell: Wanted["tell"]): Promise<AnswerCache> {
  const client = await connect({ address, setting: "cache.answers", tell });
  const { redisCache } = await import("tollgate/caches/redis");
  return { ...redisCache({ client }), close: () => letGo(client) };
}

type Client = Awaited<ReturnType<typeof connect>>;

/** Milliseconds in which a server must have answered at the start; later it is waited for, and the calls that need it are told. */
const patienceMs = 5_000;

/** Connects; where it cannot, see {@link giveUp}. */
async function connect(wanted: Wanted) {
  const { address, setting } = wanted;
  needPackages(setting, "@redis/client");
  const { createClient } = await import("@redis/client");
  const client = createClient({ url: address });
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, reject) => {
    client.on("error", reject); // stays: an error that nobody hears would end the process
    timer = setTimeout(() => reject(unanswered(address)), patienceMs);
  });
  const connecting = client.connect();
  connecting.catch(() => {}); // goes on until there is a connection, or nobody wants one any more
  try {
    await Promise.race([connecting, failed]).catch((thrown) => giveUp(wanted, thrown));
    return client;
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

/** Whoever has no connection has nothing left to send. */
async function letGo(client: Client): Promise<void> {
  if (client.isReady) await client.close();
  else client.destroy();
}
