import { join } from "node:path";
import { isPlaceholder, type Period, perMillion, pickRates, type SourceData, type SourceModel } from "./model.ts";
import { fetchSource, sources } from "./sources.ts";

/** Prices of models.dev, dollars per million tokens. */
interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly reasoning?: number;
  readonly input_audio?: number;
  readonly output_audio?: number;
  readonly context_over_200k?: Pick<Cost, "input" | "output" | "cache_read" | "cache_write">;
}
interface Listed {
  readonly cost?: Cost;
  readonly limit?: { readonly context?: number; readonly output?: number };
  readonly reasoning?: boolean;
  readonly tool_call?: boolean;
  readonly temperature?: boolean;
  readonly structured_output?: boolean;
  readonly modalities?: { readonly input?: readonly string[]; readonly output?: readonly string[] };
}
interface ListedProvider {
  readonly models: Readonly<Record<string, Listed>>;
}

/** Our provider to the names that models.dev gives it. */
export const modelsDevNames: Readonly<Record<string, readonly string[]>> = {
  alibaba: ["alibaba"],
  anthropic: ["anthropic"],
  azure: ["azure"],
  baseten: ["baseten"],
  bedrock: ["amazon-bedrock"],
  cerebras: ["cerebras"],
  cohere: ["cohere"],
  deepinfra: ["deepinfra"],
  deepseek: ["deepseek"],
  fireworks: ["fireworks-ai"],
  gemini: ["google"],
  groq: ["groq"],
  minimax: ["minimax"],
  mistral: ["mistral"],
  moonshot: ["moonshotai"],
  novita: ["novita-ai"],
  nvidia: ["nvidia"],
  openai: ["openai"],
  openrouter: ["openrouter"],
  perplexity: ["perplexity"],
  together: ["togetherai"],
  vertex: ["google-vertex", "google-vertex-anthropic"],
  xai: ["xai"],
  zai: ["zai"],
};

/** models.dev files every long-context price under 200k; OpenAI's begin above 272k, Alibaba's above 256k. */
const longContext: Readonly<Record<string, number>> = { openai: 272, azure: 272, alibaba: 256 };

/** Reads the typed copy of models.dev: prices and context sizes. */
export async function readModelsDev(): Promise<SourceData> {
  const folder = join(fetchSource(sources.modelsdev), "dist/providers");
  return await readLists("modelsdev", async (name) => {
    const { provider } = (await import(join(folder, `${name}.js`))) as { provider: ListedProvider };
    return provider;
  });
}

/** Reads the older copy of models.dev, which still has modalities and largest outputs. */
export async function readTokenlens(): Promise<SourceData> {
  const folder = join(fetchSource(sources.tokenlens), "dist/providers");
  return await readLists("tokenlens", async (name) => {
    const list = await import(join(folder, `${name}.js`)).catch(() => ({}));
    return Object.values(list as Record<string, ListedProvider>)[0];
  });
}

async function readLists(
  key: "modelsdev" | "tokenlens",
  load: (name: string) => Promise<ListedProvider | undefined>,
): Promise<SourceData> {
  const models: SourceModel[] = [];
  for (const [provider, names] of Object.entries(modelsDevNames))
    for (const name of names) {
      const listed = await load(name);
      for (const [model, facts] of Object.entries(listed?.models ?? {})) models.push(toModel(provider, model, facts));
    }
  return { key, models, dropped: new Map() };
}

function toModel(provider: string, name: string, listed: Listed): SourceModel {
  const { context, output } = listed.limit ?? {};
  const rates = toRates(listed.cost, longContext[provider] ?? 200);
  const flags = {
    tools: listed.tool_call,
    reasoning: listed.reasoning,
    temperature: listed.temperature,
    response_format: listed.structured_output,
  };
  return {
    provider,
    name,
    aliases: [],
    ...(context ? { contextLength: context } : {}),
    ...(output ? { maxOutputTokens: output } : {}),
    inputs: (listed.modalities?.input ?? []).map((each) => (each === "pdf" ? "file" : each)),
    outputs: listed.modalities?.output ?? [],
    parameters: Object.entries(flags).flatMap(([parameter, isHonoured]) => (isHonoured ? [parameter] : [])),
    periods: isPlaceholder(name, rates) ? [] : [{ rates }],
  };
}

function toRates(cost: Cost | undefined, thousands: number): Period["rates"] {
  if (!cost) return {};
  const dollars = (price: number | undefined) => (price === undefined ? undefined : perMillion(price));
  const above = cost.context_over_200k;
  // A cache for nothing is a list's way of saying that it knows no price.
  const cacheDollars = (price: number | undefined) => dollars(price === 0 ? undefined : price);
  return pickRates({
    input_cost_per_token: dollars(cost.input),
    output_cost_per_token: dollars(cost.output),
    cache_read_input_token_cost: cacheDollars(cost.cache_read),
    cache_creation_input_token_cost: cacheDollars(cost.cache_write),
    output_cost_per_reasoning_token: dollars(cost.reasoning === cost.output ? undefined : cost.reasoning),
    input_cost_per_audio_token: dollars(cost.input_audio),
    output_cost_per_audio_token: dollars(cost.output_audio),
    [`input_cost_per_token_above_${thousands}k_tokens`]: dollars(above?.input),
    [`output_cost_per_token_above_${thousands}k_tokens`]: dollars(above?.output),
    [`cache_read_input_token_cost_above_${thousands}k_tokens`]: cacheDollars(above?.cache_read),
    [`cache_creation_input_token_cost_above_${thousands}k_tokens`]: cacheDollars(above?.cache_write),
  });
}
