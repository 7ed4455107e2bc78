import type { Records } from "../../engine/ports/records.ts";
import { createOwnPrices, type OwnPriceList } from "./own-prices.ts";
import type { PriceSource } from "./price-source.ts";
import { readTariff, type Tariff, type TariffOptions } from "./tariff.ts";

/** What keys are created from, and what calls cost. */
interface OpenedTariff {
  readonly tariff: Tariff;
  readonly ownPrices: OwnPriceList;
  readonly priceSource: PriceSource | undefined;
}

/** Reads the tiers and uplifts of the options, and opens the prices that are set in the portal. */
export function openTariff(
  options: TariffOptions & { readonly priceSource?: PriceSource | undefined },
  records: Records,
): OpenedTariff {
  const { priceSource } = options;
  return { tariff: readTariff(options), ownPrices: createOwnPrices(records, priceSource), priceSource };
}
