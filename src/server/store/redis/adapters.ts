import type { AnswerCache } from "../../../engine/ports/answers.ts";
import type { Counters } from "../../../engine/ports/counters.ts";
import type { CountersSettings } from "../../config/connections.ts";
import type { ConfiguredServer } from "../unusable.ts";
import { connectRedis } from "./connection.ts";
import { noticeOfSnapshots, refuseUnpersisted } from "./persistence.ts";

/** Milliseconds that settlements get to come through when a process ends while the server is away. */
const lastMs = 5_000;

/** Counts that all gateways with this address share. */
export async function redisCountersAt(
  { address, hardLapse }: CountersSettings,
  notify?: ConfiguredServer["notify"],
): Promise<Counters> {
  const server = { address, setting: "counters" };
  const { client, info, snapshots, close } = await connectRedis(server);
  try {
    const about = await info();
    refuseUnpersisted(server, about);
    const notice = notify && noticeOfSnapshots(server, about, await snapshots());
    if (notice !== undefined) notify?.(notice);
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

/** Answers that all gateways with this address share. An unreachable server is reported, and reconnection continues. */
export async function redisAnswersAt(address: string, notify: ConfiguredServer["notify"]): Promise<AnswerCache> {
  const { client, close } = await connectRedis({ address, setting: "cache.answers", notify });
  const { redisCache } = await import("tollgate/caches/redis");
  return { ...redisCache({ client }), close };
}
