/**
 * Whose time decides: that of the server, which all processes share, or that of the caller (for tests). Scripts begin with it: `now` is
 * the time, `delta` what the caller's clock lacks of it. A window that the caller would open at its own time is moved with it: a rolling
 * one begins now, and one of the calendar is moved by as many of its lengths as it takes to hold the present.
 */
export type TimeSource = "server" | "caller";

export const timeOfServer = `
local now = tonumber(ARGV[1])
local delta = 0
if ARGV[2] == "server" then
  local time = redis.call("TIME")
  local present = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  delta = present - now
  now = present
end

local function whole(number) return string.format("%.0f", number) end

-- The window to open, by what the caller would open at its own time.
local function moved(start, ends)
  local first, last = tonumber(start), tonumber(ends)
  if delta == 0 then return start, ends end
  local length = last - first
  if first == now - delta then return whole(now), whole(now + length) end
  local steps = math.floor((now - first) / length)
  return whole(first + steps * length), whole(last + steps * length)
end
`;
