import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlaceholder, type Period, perMillion, pickRates, type SourceData, type SourceModel } from "./model.ts";
import { fetchSource, sources } from "./sources.ts";

/** Dollars per million tokens; `null` where there is none. */
interface Prices {
  readonly input: number | null;
  readonly output: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
}
interface Listed extends Prices {
  readonly provider: string;
  readonly context: number | null;
  readonly maxOutput: number | null;
  readonly caps?: readonly string[];
  readonly longContext?: Prices & { readonly threshold: number };
}

/** Where their name of a provider is not ours. */
const ownProviders = new Set([
  "openai",
  "anthropic",
  "perplexity",
  "mistral",
  "cohere",
  "deepseek",
  "gemini",
  "groq",
  "xai",
  "moonshot",
]);
const inputOf: Readonly<Record<string, string>> = { vision: "image", pdf: "file", audio: "audio" };
const parameterOf: Readonly<Record<string, string>> = { tools: "tools", reasoning: "reasoning" };

/** Reads the extract of the LiteLLM price map. */
export function readLitellm(): SourceData {
  const file = join(fetchSource(sources.litellm), "data/prices.json");
  const { models } = JSON.parse(readFileSync(file, "utf8")) as { models: Record<string, Listed> };
  const kinds = Object.entries(models).filter(
    ([name, listed]) => ownProviders.has(listed.provider) && !name.startsWith("vertex_ai/"),
  );
  return { key: "litellm", models: kinds.map(([name, listed]) => toModel(name, listed)), dropped: new Map() };
}

function toModel(name: string, listed: Listed): SourceModel {
  const rates = toRates(listed);
  const caps = listed.caps ?? [];
  return {
    provider: listed.provider,
    name,
    aliases: [],
    ...(listed.context ? { contextLength: listed.context } : {}),
    ...(listed.maxOutput ? { maxOutputTokens: listed.maxOutput } : {}),
    inputs: caps.flatMap((cap) => inputOf[cap] ?? []),
    outputs: [],
    parameters: caps.flatMap((cap) => parameterOf[cap] ?? []),
    periods: isPlaceholder(name, rates) ? [] : [{ rates }],
  };
}

function toRates(listed: Listed): Period["rates"] {
  const above = listed.longContext;
  return pickRates({
    ...ratesOf(listed, ""),
    ...(above ? ratesOf(above, `_above_${Math.round(above.threshold / 1_000)}k_tokens`) : {}),
  });
}

function ratesOf(prices: Prices, tier: string): Record<string, number | undefined> {
  const dollars = (price: number | null) => (price === null ? undefined : perMillion(price));
  return {
    [`input_cost_per_token${tier}`]: dollars(prices.input),
    [`output_cost_per_token${tier}`]: dollars(prices.output),
    [`cache_read_input_token_cost${tier}`]: dollars(prices.cacheRead),
    [`cache_creation_input_token_cost${tier}`]: dollars(prices.cacheWrite),
  };
}
