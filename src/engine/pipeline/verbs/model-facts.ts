import type { RequestType } from "../../api/common.ts";
import type { Model } from "../../api/models.ts";
import type { ModelFacts } from "../../ports/prices.ts";
import type { Provider, ProviderVerb } from "../../ports/provider.ts";

/** The catalogue's facts of a model, in the fields of the model list; prices are US dollars per unit as decimal text. */
export function describeFacts(facts: ModelFacts, provider: Provider): Partial<Model> {
  const { context_length, max_input_tokens, max_output_tokens, input_modalities, output_modalities } = facts;
  const known: Partial<Model> = {
    canonical_slug: `${facts.provider}/${facts.model}`,
    context_length,
    max_input_tokens,
    max_output_tokens,
    supported_parameters: parametersOf(facts),
    supported_methods: methodsOf(facts, provider),
    architecture: architectureOf(input_modalities, output_modalities),
    top_provider: topProviderOf(facts),
    pricing: facts.rates && pricingOf(facts.rates),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** What the provider's own list says, and what is known where it is silent; of prices, sizes and modalities one by one. */
export function fillIn(known: Partial<Model>, model: Model): Model {
  const nested = (["architecture", "pricing", "top_provider"] as const).flatMap((field) => {
    const both = { ...known[field], ...model[field] };
    return Object.keys(both).length === 0 ? [] : [[field, both] as const];
  });
  return { ...known, ...model, ...Object.fromEntries(nested) };
}

/** Parameters that come with one that the catalogue keeps: a model that takes `tools` takes `tool_choice`, and so on. */
const together: Readonly<Record<string, readonly string[]>> = {
  tools: ["tools", "tool_choice"],
  reasoning: ["reasoning", "include_reasoning"],
  temperature: ["temperature", "top_p"],
  response_format: ["response_format", "structured_outputs"],
};

/** Every chat model takes a bound of its answer; what else is in the catalogue's own words. */
function parametersOf({ supported_parameters: codes }: ModelFacts): string[] | undefined {
  if (!codes) return undefined;
  const named = codes.flatMap((parameter) => together[parameter] ?? [parameter]);
  return [...new Set(["max_completion_tokens", ...named])].sort();
}

/** What a model of each mode is asked for, and the provider's method for that. */
const methodsByMode: Readonly<Record<string, Partial<Record<ProviderVerb, RequestType>>>> = {
  chat: { chat: "chat_completion", streamChat: "chat_completion_stream" },
  responses: { chat: "chat_completion", streamChat: "chat_completion_stream" },
  embedding: { embed: "embedding" },
  rerank: { rerank: "rerank" },
  evaluation: { decide: "decision" },
};

function methodsOf({ mode = "chat" }: ModelFacts, provider: Provider): string[] | undefined {
  const methods = Object.entries(methodsByMode[mode] ?? {}).flatMap(([verb, method]) =>
    provider[verb as ProviderVerb] ? [method] : [],
  );
  return methods.length === 0 ? undefined : methods;
}

function topProviderOf({ context_length, max_output_tokens }: ModelFacts): Model["top_provider"] {
  if (context_length === undefined && max_output_tokens === undefined) return undefined;
  return {
    ...(context_length === undefined ? {} : { context_length }),
    ...(max_output_tokens === undefined ? {} : { max_completion_tokens: max_output_tokens }),
  };
}

function architectureOf(
  input: readonly string[] | undefined,
  output: readonly string[] | undefined,
): Model["architecture"] {
  if (!input && !output) return undefined;
  const modality = input && output ? { modality: `${input.join("+")}->${output.join("+")}` } : {};
  return { ...modality, input_modalities: [...(input ?? [])], output_modalities: [...(output ?? [])] };
}

function pricingOf(rates: NonNullable<ModelFacts["rates"]>): Model["pricing"] {
  const pricing = {
    prompt: rates.input_cost_per_token,
    completion: rates.output_cost_per_token,
    request: rates.input_cost_per_request,
    image: rates.input_cost_per_image,
    web_search: searchRate(rates),
    internal_reasoning: rates.output_cost_per_reasoning_token,
    input_cache_read: rates.cache_read_input_token_cost,
    input_cache_write: rates.cache_creation_input_token_cost,
  };
  const known = Object.entries(pricing).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return known.length === 0 ? undefined : Object.fromEntries(known.map(([name, rate]) => [name, toDecimal(rate)]));
}

/** The fee of one search; of fees by the size of the context that of the medium one, the vendors' default. */
function searchRate(rates: NonNullable<ModelFacts["rates"]>): number | undefined {
  const fee = rates.search_context_cost_per_query;
  if (typeof fee === "number") return fee;
  return fee?.search_context_size_medium ?? rates.search_cost_per_request;
}

/** A rate without exponent: `0.0000025`. */
function toDecimal(rate: number): string {
  return rate.toFixed(15).replace(/\.?0+$/, "");
}
