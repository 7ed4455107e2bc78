import type { RateLimits } from "../../engine/engine.ts";

/** Every header that {@link addRateHeaders} can add. */
export const rateHeaderNames = ["requests", "tokens"].flatMap((unit) =>
  ["limit", "remaining", "reset"].map((fact) => `x-ratelimit-${fact}-${unit}`),
);

/** Adds where the caller stands in its tightest windows; `reset` is in seconds from now, like `retry-after`. */
export function addRateHeaders(headers: Record<string, string>, { at, requests, tokens }: RateLimits): void {
  // Names written out: they are added to every answer, and names that are put together are looked up one by one. What differs from
  // answer to answer is not written by `String`, which would keep it (docs/performance.md).
  if (requests) {
    headers["x-ratelimit-limit-requests"] = String(requests.limit);
    headers["x-ratelimit-remaining-requests"] = requests.remaining.toFixed(0);
    headers["x-ratelimit-reset-requests"] = secondsUntil(requests.resetsAt, at);
  }
  if (tokens) {
    headers["x-ratelimit-limit-tokens"] = String(tokens.limit);
    headers["x-ratelimit-remaining-tokens"] = tokens.remaining.toFixed(0);
    headers["x-ratelimit-reset-tokens"] = secondsUntil(tokens.resetsAt, at);
  }
}

function secondsUntil(instant: number, at: number): string {
  return String(Math.max(0, Math.ceil((instant - at) / 1_000)));
}
