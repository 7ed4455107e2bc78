import { type EngineOptions, readBounds } from "../../../engine/options.ts";
import type { FaultTestPolicy } from "../scenarios/scenario.ts";

/** Limits small enough for a run of all scenarios in seconds: options for the engine that is to be tried. */
export const quickOptions = {
  timeouts: { connect: 1_000, firstContent: 500, firstContentMax: 1_500, gap: 300, whole: 4_000 },
  retry: { retries: 2, baseMs: 80, maxMs: 400 },
  circuit: { openMs: 1_000, maxOpenMs: 2_300 },
} as const satisfies Partial<EngineOptions>;

/** The same for an engine that asks two at once; patient, so that it shows who was hung up on because another one answered. */
export const hedgingOptions = {
  ...quickOptions,
  timeouts: { ...quickOptions.timeouts, firstContent: 3_000 },
  hedge: { after_ms: 300 },
} as const satisfies Partial<EngineOptions>;

/** The policy of an engine with {@link quickOptions}, one credential for each provider, and nobody who continues a text. */
export const quickPolicy: FaultTestPolicy = policyOf({ ...quickOptions, providers: [] });

/** What of an engine's options the fault server judges by. */
export type JudgedOptions = Pick<EngineOptions, "timeouts" | "retry" | "circuit" | "recovery" | "hedge" | "providers">;

/**
 * The policy of an engine with these options. Of its providers the number of credentials is taken (the least, at least 1), and which
 * can continue a text by `continues`, since a provider's dialect does not show.
 */
export function policyOf(options: JudgedOptions, continues: FaultTestPolicy["prefill"] = []): FaultTestPolicy {
  const { timeouts, retry, circuit, hedge } = readBounds(options);
  const { firstContent, firstContentMax = Infinity, gap, whole } = timeouts;
  const { consecutive, openMs, maxOpenMs } = circuit;
  const credentials = options.providers.map((provider) => provider.credentials?.length ?? 1);
  return {
    firstContent,
    firstContentMax,
    gap,
    whole,
    retry,
    credentials: credentials.length === 0 ? 1 : Math.min(...credentials),
    prefill: continues,
    recovers: options.recovery !== "error",
    circuit: { consecutive, openMs, maxOpenMs },
    hedge,
  };
}
