import { join } from "node:path";
import { type Period, perMillion, perThousand, pickRates, type SourceData, type SourceModel } from "./model.ts";
import { fetchSource, sources } from "./sources.ts";

interface Match {
  readonly or?: readonly Match[];
  readonly and?: readonly Match[];
  readonly equals?: string;
  readonly starts_with?: string;
  readonly contains?: string;
}
interface Tiered {
  readonly base: number;
  readonly tiers: readonly { readonly start: number; readonly price: number }[];
}
type ModelPrice = Readonly<Record<string, number | Tiered>>;
interface Conditional {
  readonly constraint?: {
    readonly type: string;
    readonly start_date?: string;
    readonly start_time?: string;
    readonly end_time?: string;
  };
  readonly prices: ModelPrice;
}
interface ModelInfo {
  readonly id: string;
  readonly match: Match;
  readonly context_window?: number;
  readonly prices: ModelPrice | readonly Conditional[];
}
interface Library {
  findProvider(options: { providerId: string }): { readonly models: readonly ModelInfo[] } | undefined;
}

/** Their provider to ours. Google's list serves the Gemini API and Vertex AI alike; Claude is on the latter only. */
const providers: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["anthropic"],
  aws: ["bedrock"],
  azure: ["azure"],
  baseten: ["baseten"],
  cerebras: ["cerebras"],
  cohere: ["cohere"],
  deepseek: ["deepseek"],
  fireworks: ["fireworks"],
  google: ["gemini", "vertex"],
  groq: ["groq"],
  minimax: ["minimax"],
  mistral: ["mistral"],
  moonshotai: ["moonshot"],
  novita: ["novita"],
  openai: ["openai"],
  openrouter: ["openrouter"],
  perplexity: ["perplexity"],
  together: ["together"],
  voyageai: ["voyage"],
  "x-ai": ["xai"],
  zai: ["zai"],
};

/** Their unit to the name of our rate, and how many of it their price is for. */
const rateNames: Readonly<Record<string, readonly [name: string, per: "million" | "thousand"]>> = {
  input_mtok: ["input_cost_per_token", "million"],
  output_mtok: ["output_cost_per_token", "million"],
  cache_read_mtok: ["cache_read_input_token_cost", "million"],
  cache_write_mtok: ["cache_creation_input_token_cost", "million"],
  cache_write_1h_mtok: ["cache_creation_input_token_cost_above_1hr", "million"],
  input_audio_mtok: ["input_cost_per_audio_token", "million"],
  output_audio_mtok: ["output_cost_per_audio_token", "million"],
  input_image_mtok: ["input_cost_per_image_token", "million"],
  output_image_mtok: ["output_cost_per_image_token", "million"],
  cache_image_read_mtok: ["cache_read_input_image_token_cost", "million"],
  cache_audio_read_mtok: ["cache_read_input_audio_token_cost", "million"],
  input_video_mtok: ["input_cost_per_video_token", "million"],
  output_video_mtok: ["output_cost_per_video_token", "million"],
  input_document_kpages: ["ocr_cost_per_page", "thousand"],
  input_annotated_document_kpages: ["annotation_cost_per_page", "thousand"],
  output_reasoning_mtok: ["output_cost_per_reasoning_token", "million"],
  output_citation_mtok: ["citation_cost_per_token", "million"],
  web_searches_kcount: ["search_context_cost_per_query", "thousand"],
  requests_kcount: ["input_cost_per_request", "thousand"],
};

/** Reads the models of the curated price list. */
export async function readGenai(): Promise<SourceData> {
  const library = (await import(join(fetchSource(sources.genai), "dist/index.js"))) as Library;
  const dropped = new Map<string, number>();
  const models: SourceModel[] = [];
  for (const [theirs, ours] of Object.entries(providers)) {
    const listed = library.findProvider({ providerId: theirs });
    if (!listed) throw new Error(`${theirs} is no provider of ${sources.genai.name} any more`);
    const isSold = (provider: string, { id }: ModelInfo) => provider !== "gemini" || !id.includes("claude");
    for (const provider of ours)
      models.push(
        ...listed.models.filter((info) => isSold(provider, info)).map((info) => toModel(provider, info, dropped)),
      );
  }
  return { key: "genai", models, dropped };
}

function toModel(provider: string, info: ModelInfo, dropped: Map<string, number>): SourceModel {
  const listed = Array.isArray(info.prices)
    ? (info.prices as readonly Conditional[])
    : [{ prices: info.prices as ModelPrice }];
  const periods = listed.map(({ constraint, prices }) => ({
    ...toCondition(constraint),
    rates: toRates(prices, dropped),
  }));
  return {
    provider,
    name: info.id,
    aliases: [...new Set(namesOf(info.match))].filter((name) => name !== info.id),
    ...(info.context_window === undefined ? {} : { contextLength: info.context_window }),
    inputs: [],
    outputs: [],
    parameters: [],
    periods: periods.filter(({ rates }) => Object.keys(rates).length > 0),
  };
}

/** The whole names that a matcher spells out; patterns are left to the look-up's own rules for dated names. */
function namesOf(match: Match): string[] {
  const own = [match.equals, match.starts_with, match.contains].filter((name) => name !== undefined);
  return [...own, ...[...(match.or ?? []), ...(match.and ?? [])].flatMap(namesOf)].map((name) =>
    name.replace(/[-@:]$/, ""),
  );
}

function toCondition(constraint: Conditional["constraint"]): Omit<Period, "rates"> {
  if (constraint?.start_date) return { from: constraint.start_date };
  if (!constraint?.start_time || !constraint.end_time) return {};
  return { window: { start: toMinutes(constraint.start_time), end: toMinutes(constraint.end_time), days: [] } };
}

function toMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map((part) => Number.parseInt(part, 10));
  return hours * 60 + minutes;
}

function toRates(prices: ModelPrice, dropped: Map<string, number>): Period["rates"] {
  const rates: Record<string, number> = {};
  for (const [unit, price] of Object.entries(prices)) {
    const known = rateNames[unit];
    if (!known) {
      dropped.set(unit, (dropped.get(unit) ?? 0) + 1);
      continue;
    }
    const [name, per] = known;
    const convert = per === "million" ? perMillion : perThousand;
    rates[name] = convert(typeof price === "number" ? price : price.base);
    if (typeof price === "number") continue;
    for (const { start, price: above } of price.tiers)
      rates[`${name}_above_${Math.round(start / 1_000)}k_tokens`] = convert(above);
  }
  return pickRates(rates);
}
