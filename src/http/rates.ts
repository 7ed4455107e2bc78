import type { Rates } from "../engine.ts";

/** Every header that {@link rateHeaders} can give. */
export const rateHeaderNames = (["limit", "remaining", "reset"] as const).flatMap((fact) =>
  (["requests", "tokens"] as const).map((unit) => `x-ratelimit-${fact}-${unit}`),
);

/** Where the caller stands in its tightest windows; `reset` is in seconds from now, like `retry-after`. */
export function rateHeaders({ at, requests, tokens }: Rates): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [unit, standing] of Object.entries({ requests, tokens })) {
    if (!standing) continue;
    headers[`x-ratelimit-limit-${unit}`] = String(standing.limit);
    headers[`x-ratelimit-remaining-${unit}`] = String(standing.remaining);
    headers[`x-ratelimit-reset-${unit}`] = String(Math.max(0, Math.ceil((standing.resetsAt - at) / 1_000)));
  }
  return headers;
}
