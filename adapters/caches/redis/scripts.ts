import { scriptOf } from "../../shared/redis/runner.ts";

/**
 * An answer is a key of its own, which Redis drops when its time is over, and beside it each scope has an index of its ids by the instant
 * from which they are gone. Keys: the answer and the index. Arguments: the answer, milliseconds, id, that instant, and now.
 */
export const putScript = scriptOf(`
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", ARGV[5])
redis.call("ZADD", KEYS[2], ARGV[4], ARGV[3])
if redis.call("PTTL", KEYS[2]) < tonumber(ARGV[2]) then redis.call("PEXPIRE", KEYS[2], ARGV[2]) end
return 1
`);

/** Keys: the answer and the index. Argument: the id. */
export const deleteScript = scriptOf(`
redis.call("ZREM", KEYS[2], ARGV[1])
return redis.call("DEL", KEYS[1])
`);

/** Ids that one run of {@link clearScript} forgets at most: nobody else is served by the server meanwhile. */
export const clearedAtOnce = 1_000;

/** Key: the index. Arguments: what the keys of its answers begin with, and how many to forget. Gives how many it looked at and forgot. */
export const clearScript = scriptOf(`
local ids = redis.call("ZRANGE", KEYS[1], 0, tonumber(ARGV[2]) - 1)
local forgotten = 0
for _, id in ipairs(ids) do
  forgotten = forgotten + redis.call("DEL", ARGV[1] .. id)
  redis.call("ZREM", KEYS[1], id)
end
return { #ids, forgotten }
`);

/** Ids that one run of {@link listScript} looks at most. */
export const listedAtOnce = 500;

/**
 * Key: the index. Arguments: what the keys of its answers begin with, the least score, how many of that score and above to leave out, and how
 * many to look at. Gives how many it looked at, and of each answer that is still there its id, its first line and its length.
 */
export const listScript = scriptOf(`
local ids = redis.call("ZRANGEBYSCORE", KEYS[1], ARGV[2], "+inf", "LIMIT", ARGV[3], ARGV[4])
local found = {}
for _, id in ipairs(ids) do
  local value = redis.call("GET", ARGV[1] .. id)
  if value then
    local line = string.find(value, "\\n", 1, true)
    found[#found + 1] = { id, string.sub(value, 1, line or 1), #value }
  end
end
return { #ids, found }
`);
