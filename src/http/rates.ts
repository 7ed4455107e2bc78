import type { Rates } from "../engine.ts";

/** Every header that {@link addRateHeaders} can add. */
export const rateHeaderNames = ["requests", "tokens"].flatMap((unit) =>
  ["limit", "remaining", "reset"].map((fact) => `x-ratelimit-${fact}-${unit}`),
);

/** Adds where the caller stands in its tightest windows; `reset` is in seconds from now, like `retry-after`. */
export function addRateHeaders(headers: Record<string, string>, { at, requests, tokens }: Rates): void {
  // Names written out: they are added to every answer, and names that are put together are looked up one by one.
  if (requests) {
    headers["x-ratelimit-limit-requests"] = String(requests.limit);
    headers["x-ratelimit-remaining-requests"] = unlikeTheLast(requests.remaining);
    headers["x-ratelimit-reset-requests"] = secondsUntil(requests.resetsAt, at);
  }
  if (tokens) {
    headers["x-ratelimit-limit-tokens"] = String(tokens.limit);
    headers["x-ratelimit-remaining-tokens"] = unlikeTheLast(tokens.remaining);
    headers["x-ratelimit-reset-tokens"] = secondsUntil(tokens.resetsAt, at);
  }
}

/** A whole number that differs from answer to answer: `String` would keep it, in the old generation, for whoever asks for the same. */
function unlikeTheLast(count: number): string {
  return count.toFixed(0);
}

function secondsUntil(instant: number, at: number): string {
  return String(Math.max(0, Math.ceil((instant - at) / 1_000)));
}
