import type { Slots } from "../../../src/engine/ports/slots.ts";
import { inWords } from "../../shared/redis/fault.ts";
import type { RetryingRunner } from "../../shared/redis/retrying-runner.ts";
import { scriptOf } from "../../shared/redis/runner.ts";
import { type TimeSource, timeOfServer } from "./clock.ts";

/**
 * A counter of calls under way is a sorted set of leases by their expiry. Keys: the counters. Arguments: now, whose time, expiry, lease, then each
 * limit. Answers the position of the first that is full, from 1, or 0. Sent again, it finds its own lease and takes no more.
 */
const acquireScript = scriptOf(`${timeOfServer}
local expiry, lease = whole(tonumber(ARGV[3]) + delta), ARGV[4]
for i = 1, #KEYS do
  redis.call("ZREMRANGEBYSCORE", KEYS[i], "-inf", whole(now))
  if not redis.call("ZSCORE", KEYS[i], lease) and redis.call("ZCARD", KEYS[i]) >= tonumber(ARGV[4 + i]) then return i end
end
for i = 1, #KEYS do
  redis.call("ZADD", KEYS[i], expiry, lease)
  redis.call("PEXPIRE", KEYS[i], whole(math.max(1, tonumber(expiry) - now) + 3600000))
end
return 0
`);

/** Keys: the counters. Arguments: the lease. */
const freeScript = scriptOf(`
for i = 1, #KEYS do redis.call("ZREM", KEYS[i], ARGV[1]) end
return 1
`);

/** Counts calls under way in a Redis server. */
export function redisSlots(
  { run }: Pick<RetryingRunner, "run">,
  { prefix, what, time }: { readonly prefix: string; readonly what: string; readonly time: TimeSource },
): Slots {
  const keysOf = (limits: readonly { readonly counter: string }[]) => limits.map(({ counter }) => prefix + counter);
  return {
    acquire({ id, limits }, now, expiresAt) {
      return inWords(what, async () => {
        const bounds = limits.map(({ limit }) => limit);
        const { answer } = await run(acquireScript, keysOf(limits), [now, time, expiresAt, id, ...bounds]);
        return answer === 0 ? undefined : Number(answer) - 1;
      });
    },
    free: ({ id, limits }) => inWords(what, async () => void (await run(freeScript, keysOf(limits), [id]))),
  };
}
