import { z } from "zod";
import { op } from "../../../define.ts";
import { documentedAs } from "../../../document/json-schema.ts";
import { flag, text, words } from "../../fields.ts";
import { aiCredentials } from "./credentials.ts";
import { PortalAiCostRates } from "./resources.ts";
import { aiTools } from "./tools.ts";

/** A known model. */
const AiOfferedModel = z.object({
  /** `provider/model`. */
  id: z.string(),
  /** True for one that the caller may use. */
  available: flag,
  provider: z.string(),
  model: z.string(),
  version: z.string().optional(),
  mode: z.string().optional(),
  context_length: z.number().optional(),
  max_input_tokens: z.number().optional(),
  max_output_tokens: z.number().optional(),
  input_modalities: words.optional(),
  output_modalities: words.optional(),
  supported_parameters: words.optional(),
});
export type AiOfferedModel = z.output<typeof AiOfferedModel>;

/** A provider: what it can be asked for, and how many of its models the caller may use. */
const AiOfferedProvider = z.object({ name: z.string(), verbs: words, models: z.int() });

const ratesByModel = z.record(z.string(), PortalAiCostRates);

/** The models and providers that a caller may use, what they cost, and the credentials of providers. */
export const aiOffers = {
  ...aiCredentials,
  ...aiTools,
  rates: op("GET /ai/cost/all", "ai_all_costs-get", "Read the rates of every model", {
    // `model` is for those who know it: with it, the answer is another one. `GET /ai/prices/models` finds the rates of one model too.
    in: { model: documentedAs(text.optional()) },
    out: documentedAs(z.union([ratesByModel, PortalAiCostRates]), ratesByModel),
  }),
  models: op("GET /ai/models", "ai_models-get", "List the models that the caller may use", {
    in: { list_all: flag.optional(), project: text.optional(), providers: words.optional() },
    out: z.object({ all_available: flag, llms: z.array(AiOfferedModel) }),
  }),
  providers: op("GET /ai/providers", "ai_providers-get", "List the providers that the caller may use", {
    out: z.object({ all_available: flag, providers: z.array(AiOfferedProvider) }),
  }),
};
