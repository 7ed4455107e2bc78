import { optional } from "./entry.ts";

type ModelsDevFields = Readonly<Record<string, unknown>>;

/** Where the provider's name in models.dev is not ours. */
const providerNames: Readonly<Record<string, string>> = {
  "amazon-bedrock": "bedrock",
  "fireworks-ai": "fireworks",
  google: "gemini",
  "google-vertex": "vertex",
  "google-vertex-anthropic": "vertex",
  moonshotai: "moonshot",
  "novita-ai": "novita",
  togetherai: "together",
};

/** Their price, dollars per million tokens, to the name of our rate. */
const rateNames: Readonly<Record<string, string>> = {
  input: "input_cost_per_token",
  output: "output_cost_per_token",
  cache_read: "cache_read_input_token_cost",
  cache_write: "cache_creation_input_token_cost",
  reasoning: "output_cost_per_reasoning_token",
  input_audio: "input_cost_per_audio_token",
  output_audio: "output_cost_per_audio_token",
};

/** True of a file in the format of models.dev: models and their costs by provider. */
export function isModelsDev(file: Readonly<Record<string, unknown>>): boolean {
  const providers = Object.values(file);
  return providers.length > 0 && providers.every((provider) => isFields(provider) && isFields(provider.models));
}

/** The same prices as entries of a common price map under `provider/model`; models without a price are left out. */
export function fromModelsDev(file: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(file).flatMap(([name, provider]) =>
    Object.entries((provider as { models: ModelsDevFields }).models).flatMap(([model, facts]) => {
      if (!isFields(facts) || !isFields(facts.cost)) return [];
      return [
        [`${providerNames[name] ?? name}/${model}`, toPrice(facts.cost, isFields(facts.limit) ? facts.limit : {})],
      ];
    }),
  );
  return Object.fromEntries(entries);
}

function toPrice(cost: ModelsDevFields, limit: ModelsDevFields): ModelsDevFields {
  const above = isFields(cost.context_over_200k) ? ratesOf(cost.context_over_200k, "_above_200k_tokens") : {};
  return {
    ...ratesOf(cost, ""),
    ...above,
    ...optional("max_input_tokens", limit.input ?? limit.context),
    ...optional("max_output_tokens", limit.output || undefined),
  };
}

/** Rates per token; what is no number is left as it is, for the check of the price to name. */
function ratesOf(cost: ModelsDevFields, tier: string): ModelsDevFields {
  const rates = Object.entries(rateNames).flatMap(([theirs, ours]) => {
    const dollars = cost[theirs];
    if (dollars === undefined) return [];
    // A decimal exponent, not a division: the result is the double nearest to the decimal.
    const perToken = typeof dollars === "number" ? Number(`${Number(dollars.toFixed(6))}e-6`) : dollars;
    return [[ours + tier, perToken] as const];
  });
  return Object.fromEntries(rates);
}

function isFields(value: unknown): value is ModelsDevFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
