import type { Model } from "../../api/models.ts";
import type { ModelFacts } from "../../ports/prices.ts";

/** The catalogue's facts of a model, in the fields of the model list; prices are US dollars per unit as decimal text. */
export function describeFacts(facts: ModelFacts): Partial<Model> {
  const { context_length, max_input_tokens, max_output_tokens, input_modalities, output_modalities } = facts;
  const known: Partial<Model> = {
    context_length,
    max_input_tokens,
    max_output_tokens,
    supported_parameters: facts.supported_parameters && [...facts.supported_parameters],
    architecture: architectureOf(input_modalities, output_modalities),
    pricing: facts.rates && pricingOf(facts.rates),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function architectureOf(
  input: readonly string[] | undefined,
  output: readonly string[] | undefined,
): Model["architecture"] {
  if (!input && !output) return undefined;
  return { input_modalities: [...(input ?? [])], output_modalities: [...(output ?? [])] };
}

function pricingOf(rates: NonNullable<ModelFacts["rates"]>): Model["pricing"] {
  const pricing = {
    prompt: rates.input_cost_per_token,
    completion: rates.output_cost_per_token,
    request: rates.input_cost_per_request,
    image: rates.input_cost_per_image,
    internal_reasoning: rates.output_cost_per_reasoning_token,
    input_cache_read: rates.cache_read_input_token_cost,
    input_cache_write: rates.cache_creation_input_token_cost,
  };
  const known = Object.entries(pricing).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known.map(([name, rate]) => [name, toDecimal(rate)]));
}

/** A rate without exponent: `0.0000025`. */
function toDecimal(rate: number): string {
  return rate.toFixed(15).replace(/\.?0+$/, "");
}
