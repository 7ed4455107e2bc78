import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlaceholder, type Period, perMillion, pickRates, type SourceData, type SourceModel } from "./model.ts";
import { fetchSource, sources } from "./sources.ts";

/** Dollars per million tokens; 0 for a cache that is not offered. */
interface Cost {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly tiers?: readonly (Cost & { readonly inputTokensAbove: number })[];
}
interface Listed {
  readonly type?: string;
  readonly id: string;
  readonly reasoning?: boolean;
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly cost?: Cost;
  readonly contextWindow?: number;
  readonly maxTokens?: number;
}

/** Our provider to the file that holds its models. */
export const piFiles: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  azure: "azure",
  baseten: "baseten",
  bedrock: "amazon-bedrock",
  cerebras: "cerebras",
  deepseek: "deepseek",
  fireworks: "fireworks",
  gemini: "google",
  groq: "groq",
  minimax: "minimax",
  mistral: "mistral",
  moonshot: "moonshotai",
  nvidia: "nvidia",
  openai: "openai",
  openrouter: "openrouter",
  together: "together",
  vertex: "google-vertex",
  xai: "xai",
  zai: "zai",
};

/** Reads the chat models of the agent library: the newest list, with largest outputs. */
export function readPi(): SourceData {
  const folder = join(fetchSource(sources.pi), "dist/providers/data");
  const models: SourceModel[] = [];
  for (const [provider, file] of Object.entries(piFiles)) {
    const lists = JSON.parse(readFileSync(join(folder, `${file}.json`), "utf8")) as Record<
      string,
      Record<string, Listed>
    >;
    const chat = Object.values(lists)
      .flatMap((list) => Object.values(list))
      .filter((listed) => listed.type === "chat");
    for (const listed of new Map(chat.map((each) => [each.id, each])).values()) models.push(toModel(provider, listed));
  }
  return { key: "pi", models, dropped: new Map() };
}

function toModel(provider: string, listed: Listed): SourceModel {
  const rates = toRates(listed.cost);
  // A window that ends where the dearer tier begins is the library's choice, not the model's limit.
  const isCut = listed.cost?.tiers?.some(({ inputTokensAbove }) => inputTokensAbove === listed.contextWindow);
  return {
    provider,
    name: listed.id,
    aliases: [],
    mode: "chat",
    ...(listed.contextWindow && !isCut ? { contextLength: listed.contextWindow } : {}),
    ...(listed.maxTokens ? { maxOutputTokens: listed.maxTokens } : {}),
    inputs: listed.input ?? [],
    outputs: listed.output ?? [],
    // The library lists only models that call tools.
    parameters: ["tools", ...(listed.reasoning ? ["reasoning"] : [])],
    periods: isPlaceholder(listed.id, rates) ? [] : [{ rates }],
  };
}

function toRates(cost: Cost | undefined): Period["rates"] {
  if (!cost) return {};
  const rates: Record<string, number | undefined> = ratesOf(cost, "");
  for (const tier of cost.tiers ?? [])
    Object.assign(rates, ratesOf(tier, `_above_${Math.round(tier.inputTokensAbove / 1_000)}k_tokens`));
  return pickRates(rates);
}

function ratesOf(cost: Cost, tier: string): Record<string, number | undefined> {
  return {
    [`input_cost_per_token${tier}`]: perMillion(cost.input),
    [`output_cost_per_token${tier}`]: perMillion(cost.output),
    [`cache_read_input_token_cost${tier}`]: cost.cacheRead ? perMillion(cost.cacheRead) : undefined,
    [`cache_creation_input_token_cost${tier}`]: cost.cacheWrite ? perMillion(cost.cacheWrite) : undefined,
  };
}
