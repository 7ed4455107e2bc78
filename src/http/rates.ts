import type { Rates } from "../engine.ts";
import type { RateStanding } from "../policy/reservation.ts";

/** Every header that tells of a window. */
export const rateHeaderNames = ["requests", "tokens"].flatMap((unit) =>
  ["limit", "remaining", "reset"].map((fact) => `x-ratelimit-${fact}-${unit}`),
);

/** Adds where the caller stands in its tightest windows; `reset` is in seconds from now, like `retry-after`. */
export function addRateHeaders(headers: Record<string, string>, rates: Rates): void {
  for (const line of rateLines(rates).split("\r\n")) {
    const [name, value] = line.split(": ");
    if (name && value !== undefined) headers[name] = value;
  }
}

/** The same as lines of a head, each with its end: names of ours, and digits. */
export function rateLines({ at, requests, tokens }: Rates): string {
  return (requests ? linesOf("requests", requests, at) : "") + (tokens ? linesOf("tokens", tokens, at) : "");
}

// What differs from answer to answer is not written as a template writes it, which would keep it (docs/performance.md).
function linesOf(unit: "requests" | "tokens", { limit, remaining, resetsAt }: RateStanding, at: number): string {
  const seconds = Math.max(0, Math.ceil((resetsAt - at) / 1_000));
  return (
    `x-ratelimit-limit-${unit}: ${limit}\r\nx-ratelimit-remaining-${unit}: ${remaining.toFixed(0)}\r\n` +
    `x-ratelimit-reset-${unit}: ${seconds}\r\n`
  );
}
