import type { ModelPrice } from "../../engine/api/rates.ts";
import type { AiPriceSource, AiPriceSync } from "../../operations/portal/tenancy/ai/prices.ts";

/** What is known of the prices that an engine bills with. */
export interface PriceState {
  /** The lists in order, the one that wins last. */
  readonly sources: readonly AiPriceSource[];
  /** What the price list ignores of its sources. */
  readonly warnings: readonly string[];
  /** When the source was last read without a failure, in milliseconds since the epoch. */
  readonly synced_at: number;
  /** Why the last reading failed; absent once one succeeds. */
  readonly failure?: { readonly at: number; readonly message: string } | undefined;
}

/** The prices that are set in a portal, by `provider/model`, each with the days from which on they hold. */
export type OwnPrices = Readonly<Record<string, readonly ModelPrice[]>>;

/** Where the prices of an engine come from, for its portal. */
export interface PriceSource {
  state(): PriceState;
  /**
   * Reads the source now and takes its prices in this process. Resolves with what changed; throws `invalid_configuration` when the list cannot
   * be used: the former prices stay. Absent where no source can be read again.
   */
  readonly sync?: (() => Promise<AiPriceSync>) | undefined;
  /**
   * Checks the portal's own prices, all of them; throws `invalid_configuration` for those that cannot be used. The returned function has
   * calls billed with them from then on, over every other list. Absent where the portal can set none.
   */
  readonly prepareOwn?: ((own: OwnPrices) => Promise<() => void>) | undefined;
}
