import type { Rates } from "../engine.ts";

type Fact = "limit" | "remaining" | "reset";

const names = { requests: namesOf("requests"), tokens: namesOf("tokens") };

function namesOf(unit: "requests" | "tokens"): Readonly<Record<Fact, string>> {
  return {
    limit: `x-ratelimit-limit-${unit}`,
    remaining: `x-ratelimit-remaining-${unit}`,
    reset: `x-ratelimit-reset-${unit}`,
  };
}

/** Every header that {@link addRateHeaders} can add. */
export const rateHeaderNames = Object.values(names).flatMap((ofUnit) => Object.values(ofUnit));

/** Adds where the caller stands in its tightest windows; `reset` is in seconds from now, like `retry-after`. */
export function addRateHeaders(headers: Record<string, string>, { at, requests, tokens }: Rates): void {
  if (requests) addStanding(headers, names.requests, { ...requests, at });
  if (tokens) addStanding(headers, names.tokens, { ...tokens, at });
}

function addStanding(
  headers: Record<string, string>,
  name: Readonly<Record<Fact, string>>,
  { at, limit, remaining, resetsAt }: NonNullable<Rates["requests"]> & Pick<Rates, "at">,
): void {
  headers[name.limit] = String(limit);
  headers[name.remaining] = String(remaining);
  headers[name.reset] = String(Math.max(0, Math.ceil((resetsAt - at) / 1_000)));
}
