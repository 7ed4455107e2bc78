import { z } from "zod";
import { AiCostRates } from "../../../../engine/api/rates.ts";
import { op } from "../../../define.ts";
import { flag, instant, text } from "../../fields.ts";
import { PortalAiCostRates } from "./resources.ts";

/** One list of prices. */
export const AiPriceSource = z.object({
  /** `built-in`; a path; an address without its password and parameters; `prices` of the configuration; or `portal`. */
  name: z.string(),
  kind: z.enum(["built-in", "file", "address", "configuration", "portal"]),
  /** True where the list is read again while the gateway runs. */
  is_rereadable: flag,
  /** Seconds between two readings; absent where it is read on request only. */
  interval: z.number().optional(),
});
export type AiPriceSource = z.output<typeof AiPriceSource>;

/** The prices that calls are billed with now, in the process that answers. */
export const AiPrices = z.object({
  /** Of all lists together; ledger rows name it. */
  version: z.string(),
  sources: z.array(AiPriceSource),
  models: z.int(),
  /** Models that are known without a price. */
  unpriced_models: z.int(),
  /** When the source was last read without a failure. */
  synced_at: instant.optional(),
  /** Of the last reading; absent once one succeeds. */
  failure: z.object({ at: instant, message: z.string() }).optional(),
  /** What the lists contain that is ignored. */
  warnings: z.array(z.string()),
});
export type AiPrices = z.output<typeof AiPrices>;

/** What a reading of the source changed. Rates are in US dollars per unit; an absent one is not in that list. */
export const AiPriceSync = z.object({
  version: z.string(),
  is_changed: flag,
  /** By `provider/model`. */
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(
    z.object({ model: z.string(), rate: z.string(), before: z.number().optional(), after: z.number().optional() }),
  ),
});
export type AiPriceSync = z.output<typeof AiPriceSync>;

/** A known model and its rates in US dollars per unit; a model without a price has none. */
export const AiModelPrice = PortalAiCostRates.extend({
  /** `provider/model`. */
  id: z.string(),
  provider: z.string(),
  model: z.string(),
  /** `chat`, `embedding`, `rerank`, …; absent where it is not known. */
  mode: z.string().optional(),
  /** Tokens of prompt and answer together. */
  context_length: z.number().optional(),
  max_input_tokens: z.number().optional(),
  max_output_tokens: z.number().optional(),
  is_priced: flag,
});
export type AiModelPrice = z.output<typeof AiModelPrice>;

/** `provider/model`; a star at the end stands for any ending. */
const modelName = z
  .string()
  .trim()
  .max(256)
  .regex(/^[a-z0-9][a-z0-9._-]*\/[^\s*]*\*?$/i, "must be `provider/model`, `provider/*` or `provider/prefix*`")
  .refine((name) => !name.endsWith("/"), "must name a model behind the provider");

/** The rates of a model, at least one. Both `input_cost_per_token` and `output_cost_per_token` are a whole price; others are laid over the known ones. */
const AiOwnRates = z
  .strictObject(AiCostRates.shape)
  .refine((rates) => Object.keys(rates).length > 0, "must have at least one rate")
  .meta({ minProperties: 1, examples: [{ input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }] });

/** A price of one model, or of all whose names begin so, that the provider has set. */
export const AiOwnPrice = z.object({
  /** `provider/model`, `provider/*` or `provider/prefix*`, in lower case. */
  model: z.string(),
  /** The first day (UTC) on which it holds; always, when absent. */
  effective_from: z.iso.date().optional(),
  rates: PortalAiCostRates,
  set_at: instant,
  /** The id of the user who set it. */
  set_by: z.string(),
});
export type AiOwnPrice = z.output<typeof AiOwnPrice>;

const isExtension = true;

/** The price lists: what they say, where they come from, and the prices that win over them (decisions 48 and 109). */
export const aiPrices = {
  prices: op("GET /ai/prices", "ai_prices-get", "Read where prices come from, their version and the last reading", {
    out: AiPrices,
    isExtension,
  }),
  modelPrices: op(
    "GET /ai/prices/models",
    "ai_price_models-get",
    "List the models of the price list with their rates",
    {
      in: { provider: text.optional(), mode: text.optional(), is_priced: flag.optional() },
      out: z.array(AiModelPrice),
      isExtension,
    },
  ),
  ownPrices: op("GET /ai/prices/own", "ai_own_prices-get", "List the prices that the provider has set", {
    out: z.array(AiOwnPrice),
    isExtension,
  }),
  setOwnPrice: op(
    "PATCH /ai/prices",
    "ai_prices-patch",
    "Set the price of a model, which wins over every list; `rates: null` removes it",
    {
      in: { model: modelName, effective_from: z.iso.date().optional(), rates: AiOwnRates.nullable() },
      out: z.array(AiOwnPrice),
      isExtension,
      rules: ["`model` must name a model behind its provider, `provider/model`."],
    },
  ),
  syncPrices: op("POST /ai/prices/sync", "ai_prices_sync-post", "Read the configured price list again, now", {
    out: AiPriceSync,
    isExtension,
  }),
};
