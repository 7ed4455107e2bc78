import { scriptOf } from "../../shared/redis/runner.ts";

/**
 * A counter is a hash (`start`, `end`, `used`, `reserved`) and beside it, at `:soft`, the reservations that lapse, by the instant at
 * which they do: all soft ones, and hard ones where they lapse at all. A ticket is a key of its own for as long as it is open. Redis
 * keeps whole numbers to 63 bits; Lua's are exact to 53, which is why amounts are added by Redis and leave a script as numbers: as
 * texts Lua would write them with 14 digits.
 */
const look = `
local now = tonumber(ARGV[1])

-- A counter in the window that is open, what has lapsed given back; nil where none is open.
local function look(counter, soft)
  local found = redis.call("HMGET", counter, "start", "end", "used", "reserved")
  if not found[2] or now >= tonumber(found[2]) then return nil end
  if found[4] ~= "0" then
    for _, member in ipairs(redis.call("ZRANGEBYSCORE", soft, "-inf", ARGV[1])) do
      found[4] = redis.call("HINCRBY", counter, "reserved", "-" .. string.match(member, "^%d+"))
      redis.call("ZREM", soft, member)
    end
  end
  return { start = found[1], ends = found[2], used = tonumber(found[3]), reserved = tonumber(found[4]) }
end

local function open(counter, soft, start, ends, grace)
  redis.call("DEL", soft)
  redis.call("HSET", counter, "start", start, "end", ends, "used", 0, "reserved", 0)
  redis.call("PEXPIRE", counter, tonumber(ends) - now + grace)
  return { start = start, ends = ends, used = 0, reserved = 0 }
end
`;

/**
 * Keys: the ticket, then each counter and its holds that lapse. Arguments: now, expiry, grace, then five for each hold: amount, limit,
 * start and end of the window, and the instant at which it lapses, if it does. A ticket holds the windows that it reserves in: a call that
 * is sent again, because its answer was lost, finds what it has and takes no more.
 */
export const reserveScript = scriptOf(`${look}
local expiry, grace = tonumber(ARGV[2]), tonumber(ARGV[3])
local counts, answer, windows, last = {}, { 1 }, {}, expiry
local held = redis.call("GET", KEYS[1])
if held then
  for start, ends, i in string.gmatch(held, "(%d+) (%d+) (%d+)") do
    local count = look(KEYS[2 * i], KEYS[2 * i + 1])
    local left = tonumber(ARGV[5 * i])
    if count then left = left - count.used - count.reserved end
    answer[#answer + 1] = tonumber(start)
    answer[#answer + 1] = tonumber(ends)
    answer[#answer + 1] = math.max(0, left)
  end
  return answer
end
for i = 1, (#KEYS - 1) / 2 do
  local at = 5 * i - 1
  local amount, limit = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local count = look(KEYS[2 * i], KEYS[2 * i + 1])
  local left = limit
  if count then left = limit - count.used - count.reserved end
  if amount > left then
    return { 0, i - 1, math.max(0, left), tonumber(count and count.ends or ARGV[at + 3]) }
  end
  counts[i] = count or false
end
for i = 1, #counts do
  local at, counter, soft = 5 * i - 1, KEYS[2 * i], KEYS[2 * i + 1]
  local amount, limit = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local count = counts[i] or open(counter, soft, ARGV[at + 2], ARGV[at + 3], grace)
  local ends = tonumber(count.ends)
  last = math.max(last, ends)
  if amount > 0 then redis.call("HINCRBY", counter, "reserved", ARGV[at]) end
  if amount > 0 and ARGV[at + 4] ~= "" then
    redis.call("ZADD", soft, ARGV[at + 4], ARGV[at] .. " " .. KEYS[1])
    redis.call("PEXPIRE", soft, ends - now + grace)
  end
  windows[i] = count.start .. " " .. count.ends .. " " .. i
  answer[#answer + 1] = tonumber(count.start)
  answer[#answer + 1] = ends
  answer[#answer + 1] = limit - count.used - count.reserved - amount
end
redis.call("SET", KEYS[1], table.concat(windows, " "), "PX", last - now + grace)
return answer
`);

/**
 * Keys as above. Arguments: amount, whether it lapses (0 or 1), start and end of the window and the real amount for each hold. What has
 * lapsed of other calls is given back when somebody looks; of this one it is not there any more. What is added to a window that is over
 * nobody sees.
 */
export const endScript = scriptOf(`
if redis.call("DEL", KEYS[1]) == 0 then return 0 end
for i = 1, (#KEYS - 1) / 2 do
  local at, counter, soft = 5 * i - 4, KEYS[2 * i], KEYS[2 * i + 1]
  local found = redis.call("HMGET", counter, "start", "end")
  if found[1] == ARGV[at + 2] and found[2] == ARGV[at + 3] then
    local isHeld = ARGV[at + 1] == "0" or redis.call("ZREM", soft, ARGV[at] .. " " .. KEYS[1]) == 1
    if isHeld and ARGV[at] ~= "0" then redis.call("HINCRBY", counter, "reserved", "-" .. ARGV[at]) end
    if ARGV[at + 4] ~= "0" then redis.call("HINCRBY", counter, "used", ARGV[at + 4]) end
  end
end
return 1
`);

/** Keys: each counter and its holds that lapse. Arguments: now. */
export const readScript = scriptOf(`${look}
local readings = {}
for i = 1, #KEYS / 2 do
  local count = look(KEYS[2 * i - 1], KEYS[2 * i])
  readings[i] = count and { tonumber(count.start), tonumber(count.ends), count.used, count.reserved } or false
end
return readings
`);
