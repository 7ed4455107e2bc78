import { type Catalogue, catalogue, isModelsDev } from "tollgate/prices/catalogue";
import { namingFile } from "../../config/origin.ts";
import type { CheckedConfig } from "../../config/shape.ts";
import { nameOfSource, type PriceList, readPriceList } from "./price-list.ts";
import { checkPriceNames } from "./price-names.ts";

/** The sources of prices. */
export interface PriceSettings {
  /** `prices` of the configuration. */
  readonly prices: CheckedConfig["prices"];
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  readonly folder: string;
  /** Providers that sell at the prices of a known one. */
  readonly like: Readonly<Record<string, string>>;
  /** Prices that win over all others: those of the portal. */
  readonly own?: Readonly<Record<string, unknown>> | undefined;
}

/** The prices of the configuration, and what tells a later state of their source from this one. */
export interface OpenedPrices {
  readonly prices: Catalogue;
  /** What the source holds. */
  readonly content: Readonly<Record<string, unknown>> | undefined;
  readonly tag: string | undefined;
}

/** The built-in prices with those of the configuration over them; throws `invalid_configuration` naming their source, and the model. */
export async function openPrices(settings: PriceSettings): Promise<OpenedPrices> {
  const { prices, folder } = settings;
  if (typeof prices !== "string") return { prices: await layOver(settings, prices), content: prices, tag: undefined };
  const { content, tag } = (await readPriceList(prices, { folder })) as PriceList; // without a tag there is always one
  return { prices: await layOver(settings, content), content, tag };
}

/** The same from the present state of their source; `undefined` when that has not changed since the tag. */
export async function reopenPrices(
  settings: PriceSettings,
  tag: string | undefined,
): Promise<OpenedPrices | undefined> {
  const { prices, folder } = settings;
  const list = typeof prices === "string" ? await readPriceList(prices, { folder, tag }) : undefined;
  return list && { prices: await layOver(settings, list.content), content: list.content, tag: list.tag };
}

/** The built-in prices, those of a source over them, and the portal's own over both. */
export function layOver(
  { prices, file, like, own }: PriceSettings,
  overrides: Readonly<Record<string, unknown>> | undefined,
): Promise<Catalogue> {
  const origin = { config: { prices }, file: typeof prices === "string" ? nameOfSource(prices) : file };
  return namingFile(origin, () => {
    if (overrides && !isModelsDev(overrides)) checkPriceNames(overrides);
    return catalogue({ overrides, own, like });
  });
}
