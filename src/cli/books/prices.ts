import { type Catalogue, catalogue } from "tollgate/prices/catalogue";
import { GatewayError } from "../../errors.ts";
import { readConfigFile } from "../config/file.ts";
import type { GatewayConfig } from "../config/shape.ts";

/** What prices are made of. */
export interface PriceTerms {
  /** `prices` of the configuration. */
  readonly prices: GatewayConfig["prices"];
  readonly folder: string;
  /** Providers that sell at the prices of a known one. */
  readonly like: Readonly<Record<string, string>>;
}

/** The built-in prices with those of the configuration over them; throws `invalid_configuration` naming file or model. */
export async function openPrices({ prices, folder, like }: PriceTerms): Promise<Catalogue> {
  return catalogue({ overrides: await readOverrides(prices, folder), like });
}

async function readOverrides(prices: GatewayConfig["prices"], folder: string) {
  if (typeof prices !== "string") return prices;
  const value = (await readConfigFile(folder, prices))?.value;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new GatewayError("invalid_configuration", `${prices} holds no prices by model.`, { param: "prices" });
}
