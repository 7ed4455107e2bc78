import { type Catalogue, catalogue, isModelsDev } from "tollgate/prices/catalogue";
import type { GatewayConfig } from "../../config/shape.ts";
import { GatewayError } from "../../errors.ts";
import { readConfigFile } from "../config/file.ts";
import { namingFile } from "../config/origin.ts";
import { checkPriceNames } from "./price-names.ts";

/** The sources of prices. */
export interface PriceSettings {
  /** `prices` of the configuration. */
  readonly prices: GatewayConfig["prices"];
  /** The configuration file, if there is one. */
  readonly file: string | undefined;
  readonly folder: string;
  /** Providers that sell at the prices of a known one. */
  readonly like: Readonly<Record<string, string>>;
}

/** The built-in prices with those of the configuration over them; throws `invalid_configuration` naming their file, and the model. */
export async function openPrices({ prices, file, folder, like }: PriceSettings): Promise<Catalogue> {
  const overrides = await readOverrides(prices, folder);
  const origin = { config: { prices }, file: typeof prices === "string" ? prices : file };
  return namingFile(origin, () => {
    if (overrides && !isModelsDev(overrides)) checkPriceNames(overrides);
    return catalogue({ overrides, like });
  });
}

async function readOverrides(prices: GatewayConfig["prices"], folder: string) {
  if (typeof prices !== "string") return prices;
  const value = (await readConfigFile(folder, prices, { mayRepeat: true }))?.value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new GatewayError("invalid_configuration", `${prices} holds no prices by model.`, { param: "prices" });
}
