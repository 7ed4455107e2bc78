import { scriptOf } from "../../shared/redis/runner.ts";
import { timeOfServer } from "./clock.ts";

/**
 * A counter is a hash (`start`, `end`, `used`, `reserved`) and next to it, at `:soft`, the reservations by the instant at
 * which they lapse. A ticket is a key of its own for as long as it is open. Redis
 * keeps whole numbers to 63 bits; Lua's are exact to 53, which is why amounts are added by Redis and leave a script as numbers: as
 * texts Lua would write them with 14 digits.
 */
const look = `${timeOfServer}
-- A counter in the window that is open, what has lapsed given back; nil where none is open.
local function look(counter, soft)
  local found = redis.call("HMGET", counter, "start", "end", "used", "reserved")
  if not found[2] or now >= tonumber(found[2]) then return nil end
  if found[4] ~= "0" then
    for _, member in ipairs(redis.call("ZRANGEBYSCORE", soft, "-inf", whole(now))) do
      found[4] = redis.call("HINCRBY", counter, "reserved", "-" .. string.match(member, "^%d+"))
      redis.call("ZREM", soft, member)
    end
  end
  return { start = found[1], ends = found[2], used = tonumber(found[3]), reserved = tonumber(found[4]) }
end

local function open(counter, soft, start, ends, used, grace)
  redis.call("DEL", soft)
  redis.call("HSET", counter, "start", start, "end", ends, "used", used, "reserved", 0)
  redis.call("PEXPIRE", counter, whole(tonumber(ends) - now + grace))
  return { start = start, ends = ends, used = tonumber(used), reserved = 0 }
end
`;

/** Codes of answers that are no ticket and no shortfall. */
export const answers = { begun: 2, wait: 3, unknown: 4, empty: 5 } as const;

/**
 * Keys: the ticket, each counter and its holds, then the beginning of the store, where counters can be rebuilt. Arguments: now, whose time, expiry, grace, the
 * beginning that the caller knows, a name for a new one, whether somebody counted before (`1`, `0`, or empty for who does not know), then five
 * for each hold: amount, limit, start and end of the window, and the instant at which it lapses. A ticket holds the windows
 * that it reserves in: a call that is sent again, because its answer was lost, finds what it has and takes no more.
 *
 * Where the caller can rebuild counters (it names a new beginning), a store without a beginning is empty: it gets one, from a caller that
 * knows whether somebody counted before; others find that out first (5). A caller that knows another beginning is told so (2), and everybody
 * waits (3) for three seconds if somebody had counted: in the first two nothing is rebuilt, so that the ledger has what was spent, and then
 * all register what they have under way. Who has not finished with that keeps the others waiting, for ten seconds at most. A counter that
 * is not there, and may have been counted in before the beginning, is named (4) and not opened.
 */
export const reserveScript = scriptOf(`${look}
local expiry, grace = tonumber(ARGV[3]) + delta, tonumber(ARGV[4])
local counts, answer, windows, last = {}, { 1 }, {}, expiry
local total = math.floor((#KEYS - 1) / 2)
local held = redis.call("GET", KEYS[1])
if held then
  for start, ends, i in string.gmatch(held, "(%d+) (%d+) (%d+)") do
    local count = look(KEYS[2 * i], KEYS[2 * i + 1])
    local left = tonumber(ARGV[5 * i + 4])
    if count then left = left - count.used - count.reserved end
    answer[#answer + 1] = tonumber(start)
    answer[#answer + 1] = tonumber(ends)
    answer[#answer + 1] = math.max(0, left)
  end
  return answer
end
local begun = nil
if ARGV[6] ~= "" then
  local store = KEYS[#KEYS]
  begun = redis.call("HMGET", store, "id", "at", "lost", "registering")
  if not begun[1] then
    if ARGV[7] == "" then return { 5 } end
    begun = { ARGV[6], whole(now), ARGV[7] }
    redis.call("HSET", store, "id", begun[1], "at", begun[2], "lost", begun[3])
  end
  if begun[1] ~= ARGV[5] then return { 2, begun[1], math.max(0, tonumber(begun[2]) + 2000 - now), tonumber(begun[3]) } end
  local rest = tonumber(begun[2]) + 3000 - now
  if begun[3] == "1" and rest > 0 then return { 3, math.ceil(rest) } end
  if rest > -7000 and tonumber(begun[4] or 0) > 0 then return { 3, 20 } end
end
local unknown = { 4 }
for i = 1, total do
  local at = 5 * i + 3
  local amount, limit = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local count = look(KEYS[2 * i], KEYS[2 * i + 1])
  if begun and not count and redis.call("EXISTS", KEYS[2 * i]) == 0 then
    local length = tonumber(ARGV[at + 3]) - tonumber(ARGV[at + 2])
    if tonumber(begun[2]) > now - length then unknown[#unknown + 1] = i - 1 end
  end
  counts[i] = count or false
end
if #unknown > 1 then return unknown end
for i = 1, total do
  local at, count = 5 * i + 3, counts[i]
  local amount, limit = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local left = limit
  if count then left = limit - count.used - count.reserved end
  if amount > left then
    local _, ends = moved(ARGV[at + 2], ARGV[at + 3])
    return { 0, i - 1, math.max(0, left), tonumber(count and count.ends or ends), count and count.reserved or 0 }
  end
end
for i = 1, total do
  local at, counter, soft = 5 * i + 3, KEYS[2 * i], KEYS[2 * i + 1]
  local amount, limit = tonumber(ARGV[at]), tonumber(ARGV[at + 1])
  local start, finish = moved(ARGV[at + 2], ARGV[at + 3])
  local count = counts[i] or open(counter, soft, start, finish, 0, grace)
  local ends = tonumber(count.ends)
  last = math.max(last, ends)
  if amount > 0 then
    redis.call("HINCRBY", counter, "reserved", ARGV[at])
    redis.call("ZADD", soft, whole(tonumber(ARGV[at + 4]) + delta), ARGV[at] .. " " .. KEYS[1])
    redis.call("PEXPIRE", soft, whole(ends - now + grace))
  end
  windows[i] = count.start .. " " .. count.ends .. " " .. i
  answer[#answer + 1] = tonumber(count.start)
  answer[#answer + 1] = ends
  answer[#answer + 1] = limit - count.used - count.reserved - amount
end
redis.call("SET", KEYS[1], table.concat(windows, " "), "PX", whole(last - now + grace))
return answer
`);

/**
 * Keys as above, without the beginning. Arguments: amount, start and end of the window and the real amount for
 * each hold. What has lapsed of other calls is given back when somebody looks; of this one it is not there any more. What is added to
 * a window that is over nobody sees.
 */
export const endScript = scriptOf(`
if redis.call("DEL", KEYS[1]) == 0 then return 0 end
for i = 1, (#KEYS - 1) / 2 do
  local at, counter, soft = 4 * i - 3, KEYS[2 * i], KEYS[2 * i + 1]
  local found = redis.call("HMGET", counter, "start", "end")
  if found[1] == ARGV[at + 1] and found[2] == ARGV[at + 2] then
    local isHeld = redis.call("ZREM", soft, ARGV[at] .. " " .. KEYS[1]) == 1
    if isHeld and ARGV[at] ~= "0" then redis.call("HINCRBY", counter, "reserved", "-" .. ARGV[at]) end
    if ARGV[at + 3] ~= "0" then redis.call("HINCRBY", counter, "used", ARGV[at + 3]) end
  end
end
return 1
`);

/**
 * Keys: each counter and its holds, then the beginning. Arguments: now, whose time, grace, the beginning that the caller knows, then
 * start, end and use of each: sets counters that are not there, and leaves those that are to who was faster. What was read of the ledger before
 * the store was lost (again) is too little, and is not set.
 */
export const seedScript = scriptOf(`${look}
local grace = tonumber(ARGV[3])
if redis.call("HGET", KEYS[#KEYS], "id") ~= ARGV[4] then return 0 end
for i = 1, (#KEYS - 1) / 2 do
  local at = 3 * i + 2
  if redis.call("EXISTS", KEYS[2 * i - 1]) == 0 and tonumber(ARGV[at + 1]) > now then
    open(KEYS[2 * i - 1], KEYS[2 * i], ARGV[at], ARGV[at + 1], ARGV[at + 2], grace)
  end
end
return 1
`);

/**
 * Keys as those of the reservation. Arguments: now, whose time, grace, the beginning that the caller knows, then the amount of each hold and the
 * instant at which it lapses: registers a ticket of before the store was lost, whatever the limits say, and answers its windows.
 */
export const adoptScript = scriptOf(`${look}
local grace = tonumber(ARGV[3])
local answer, windows, last = {}, {}, now
if redis.call("EXISTS", KEYS[1]) == 1 or redis.call("HGET", KEYS[#KEYS], "id") ~= ARGV[4] then return answer end
for i = 1, (#KEYS - 2) / 2 do
  local at, counter, soft = 2 * i + 3, KEYS[2 * i], KEYS[2 * i + 1]
  local count = look(counter, soft)
  local start, ends = count and count.start or "0", count and count.ends or "0"
  if count and ARGV[at] ~= "0" then
    redis.call("HINCRBY", counter, "reserved", ARGV[at])
    redis.call("ZADD", soft, whole(tonumber(ARGV[at + 1]) + delta), ARGV[at] .. " " .. KEYS[1])
  end
  last = math.max(last, tonumber(ends))
  windows[i] = start .. " " .. ends .. " " .. i
  answer[#answer + 1] = tonumber(start)
  answer[#answer + 1] = tonumber(ends)
end
redis.call("SET", KEYS[1], table.concat(windows, " "), "PX", whole(last - now + grace))
return answer
`);

/**
 * Key: the beginning of the store. Arguments: now, whose time, the beginning that the caller knows, and 1 or -1: one process more, or one
 * less, has calls under way to register.
 */
export const registeringScript = scriptOf(`
if redis.call("HGET", KEYS[1], "id") == ARGV[3] then redis.call("HINCRBY", KEYS[1], "registering", ARGV[4]) end
return 1
`);

/** Key: the beginning of the store. Arguments: now, whose time. Answers its name and its age in milliseconds, `false` where there is none. */
export const beginningScript = scriptOf(`${timeOfServer}
local begun = redis.call("HMGET", KEYS[1], "id", "at")
return begun[1] and { begun[1], math.max(0, now - tonumber(begun[2])) } or false
`);

/** Keys: each counter and its holds. Arguments: now, whose time. */
export const readScript = scriptOf(`${look}
local readings = {}
for i = 1, #KEYS / 2 do
  local count = look(KEYS[2 * i - 1], KEYS[2 * i])
  readings[i] = count and { tonumber(count.start), tonumber(count.ends), count.used, count.reserved } or false
end
return readings
`);
