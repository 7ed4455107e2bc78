import type { AnswerCache } from "../../ports/answers.ts";
import type { Counters } from "../../ports/counters.ts";
import type { CountersSettings } from "../config/shape.ts";
import { connectRedis } from "./redis-connection.ts";
import { refuseForgetful } from "./redis-memory.ts";
import type { Wanted } from "./unusable.ts";

/** Milliseconds that settlements get to come through when a process ends while the server is away. */
const lastMs = 5_000;

/** Counts that all gateways with this address share. */
export async function redisCountersAt({ address, hardLapse }: CountersSettings): Promise<Counters> {
  const wanted = { address, setting: "counters" };
  const { client, memory, close } = await connectRedis(wanted);
  try {
    refuseForgetful(wanted, await memory());
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const { redisCounters } = await import("tollgate/counters/redis");
  const counters = redisCounters({ client, hardLapseMs: hardLapse === undefined ? undefined : hardLapse * 1_000 });
  return {
    ...counters,
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, lastMs);
      });
      await Promise.race([counters.close?.(), enough]);
      clearTimeout(timer);
      await close();
    },
  };
}

/** Answers that all gateways with this address share. A server that is out of reach is told, and looked for on and on. */
export async function redisAnswersAt(address: string, tell: Wanted["tell"]): Promise<AnswerCache> {
  const { client, close } = await connectRedis({ address, setting: "cache.answers", tell });
  const { redisCache } = await import("tollgate/caches/redis");
  return { ...redisCache({ client }), close };
}
