import type { Rates } from "../../src/engine/api/rates.ts";
import { type Period, perMillion, perThousand } from "./model.ts";

/** Dollars per million input, output, and cached-read tokens. */
function perMillionTokens(input: number, output: number, cachedRead: number): Rates {
  return {
    input_cost_per_token: perMillion(input),
    output_cost_per_token: perMillion(output),
    cache_read_input_token_cost: perMillion(cachedRead),
  };
}

const weekdays = [1, 2, 3, 4, 5];
const peakHours = [
  { start: 60, end: 240 },
  { start: 360, end: 600 },
];

/** A day on which peak and off-peak rates begin. */
function peakAndOffPeak(
  from: string,
  { offPeak, peak }: { offPeak: Rates; peak: Rates },
  days: readonly number[] = [],
): Period[] {
  const windows = peakHours.map((hours) => ({ from, window: { ...hours, days }, rates: peak }));
  return [{ from, rates: offPeak }, ...windows];
}

const flashOfAugust = { offPeak: perMillionTokens(0.22, 0.66, 0.007), peak: perMillionTokens(0.44, 1.32, 0.014) };
const flashOfSeptember = { offPeak: perMillionTokens(0.15, 0.6, 0.003), peak: perMillionTokens(0.3, 1.2, 0.006) };
const proOfAugust = { offPeak: perMillionTokens(0.66, 1.98, 0.022), peak: perMillionTokens(1.32, 3.96, 0.044) };

const deepseekFlash = [
  ...peakAndOffPeak("2026-08-17", flashOfAugust),
  ...peakAndOffPeak("2026-08-23", flashOfAugust, weekdays),
  ...peakAndOffPeak("2026-09-10", flashOfSeptember, weekdays),
];
const deepseekLegacy = [
  { rates: perMillionTokens(0.56, 1.68, 0.07) },
  { from: "2025-09-29", rates: perMillionTokens(0.28, 0.42, 0.028) },
];

/**
 * Prices read from the vendor's own page where every source is out of date or cannot say them; they replace what the sources have.
 * DeepSeek: https://api-docs.deepseek.com/quick_start/pricing, read on 2026-11-15 (days in UTC, peak hours on weekdays only).
 */
export const corrections: Readonly<Record<string, { readonly why: string; readonly periods: readonly Period[] }>> = {
  "deepseek/deepseek-flash": { why: "peak and off-peak hours", periods: deepseekFlash },
  "deepseek/deepseek-v4-flash": {
    why: "served and billed as deepseek-flash since 2026-09-10",
    periods: [{ rates: perMillionTokens(0.14, 0.28, 0.0028) }, ...deepseekFlash],
  },
  "deepseek/deepseek-v4-pro": {
    why: "peak and off-peak hours, on weekdays since 2026-08-23",
    periods: [
      { rates: perMillionTokens(0.435, 0.87, 0.003625) },
      ...peakAndOffPeak("2026-08-17", proOfAugust),
      ...peakAndOffPeak("2026-08-23", proOfAugust, weekdays),
    ],
  },
  "deepseek/deepseek-chat": { why: "off-peak discounts ended on 2025-09-05", periods: deepseekLegacy },
  "deepseek/deepseek-reasoner": { why: "off-peak discounts ended on 2025-09-05", periods: deepseekLegacy },
};

/** A fee by how much context a search brings, dollars per thousand requests. */
function searchFee(low: number, medium: number, high: number): Rates {
  return {
    search_context_cost_per_query: {
      search_context_size_low: perThousand(low),
      search_context_size_medium: perThousand(medium),
      search_context_size_high: perThousand(high),
    },
  };
}

const openaiPage = "https://platform.openai.com/docs/pricing";

/** Dollars per million tokens of sound, heard and spoken. */
const audioPrices: readonly (readonly [model: RegExp, input: number, output: number])[] = [
  [/^gpt-audio(-1\.5)?$/, 32, 64],
  [/^gpt-audio-mini$/, 10, 20],
  [/^gpt-4o-audio-preview/, 40, 80],
  [/^gpt-4o-mini-audio-preview/, 10, 20],
];

/** Rates that no source has, laid over those of the model; a rate named in `without` is taken away. */
export const additions: readonly {
  readonly provider: string;
  readonly model: RegExp;
  readonly rates: Rates;
  readonly without?: readonly string[];
  readonly source: string;
}[] = [
  {
    provider: "perplexity",
    model: /^sonar(-reasoning)?$/,
    rates: searchFee(5, 8, 12),
    without: ["input_cost_per_request"],
    source: "https://docs.perplexity.ai/getting-started/pricing",
  },
  {
    provider: "perplexity",
    model: /^sonar(-reasoning)?-pro$/,
    rates: searchFee(6, 10, 14),
    without: ["input_cost_per_request"],
    source: "https://docs.perplexity.ai/getting-started/pricing",
  },
  ...audioPrices.map(([model, input, output]) => ({
    provider: "openai",
    model,
    rates: { input_cost_per_audio_token: perMillion(input), output_cost_per_audio_token: perMillion(output) },
    source: openaiPage,
  })),
  {
    provider: "openai",
    model: /^gpt-4o(-mini)?-search-preview/,
    rates: { search_context_cost_per_query: perThousand(25), search_cost_per_request: perThousand(25) },
    source: openaiPage,
  },
  {
    provider: "openai",
    model: /^gpt-5-search-api/,
    rates: { search_context_cost_per_query: perThousand(10), search_cost_per_request: perThousand(10) },
    source: openaiPage,
  },
];

/** Rates that are a multiple of the plain input rate: https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pricing. */
export const multiples: readonly {
  readonly provider: string;
  readonly model: RegExp;
  readonly name: string;
  readonly factor: number;
}[] = ["anthropic", "vertex", "bedrock"].map((provider) => ({
  provider,
  model: /claude-(?:opus|sonnet|haiku|fable|mythos)-[4-9]/,
  name: "cache_creation_input_token_cost_above_1hr",
  factor: 2,
}));

/** Models that no source lists. */
export const extraModels: readonly {
  readonly provider: string;
  readonly name: string;
  readonly rates: Rates;
  readonly source: string;
}[] = [
  ...["rerank-v3.5", "rerank-english-v3.0", "rerank-multilingual-v3.0"].map((name) => ({
    provider: "cohere",
    name,
    rates: { input_cost_per_query: perThousand(2) },
    source: "https://cohere.com/pricing",
  })),
  ...[
    ["rerank-2.5", 0.05],
    ["rerank-2.5-lite", 0.02],
    ["rerank-2", 0.05],
    ["rerank-2-lite", 0.02],
  ].map(([name, dollars]) => ({
    provider: "voyage",
    name: String(name),
    rates: { input_cost_per_token: perMillion(Number(dollars)) },
    source: "https://docs.voyageai.com/docs/pricing",
  })),
];

/** How a service tier changes the plain input and output rates: to stated ones, or by a factor. */
export interface ServiceTier {
  readonly provider: string;
  readonly model: RegExp;
  readonly tier: "priority" | "flex" | "batches";
  readonly factor?: number;
  readonly rates?: Rates;
}

const openaiPriority: Readonly<
  Record<string, readonly [input: number, cachedRead: number | undefined, output: number]>
> = {
  "gpt-5\\.5": [12.5, 1.25, 75],
  "gpt-5\\.4-mini": [1.5, 0.15, 9],
  "gpt-5\\.4": [5, 0.5, 30],
  "gpt-5\\.2": [3.5, 0.35, 28],
  "gpt-5\\.1(-codex)?": [2.5, 0.25, 20],
  "gpt-5(-codex)?": [2.5, 0.25, 20],
  "gpt-5-mini": [0.45, 0.045, 3.6],
  "gpt-4\\.1": [3.5, 0.875, 14],
  "gpt-4\\.1-mini": [0.7, 0.175, 2.8],
  "gpt-4\\.1-nano": [0.2, 0.05, 0.8],
  "gpt-4o(-2024-08-06|-2024-11-20)?": [4.25, 2.125, 17],
  "gpt-4o-2024-05-13": [8.75, undefined, 26.25],
  "gpt-4o-mini": [0.25, 0.125, 1],
  o3: [3.5, 0.875, 14],
  "o4-mini": [2, 0.5, 8],
};

/** Models of Gemini that are served in flex and priority. */
const geminiOnline = /^gemini-(2\.5-(pro|flash)|[3-9])(?!.*(live|tts|native|image|transcribe|computer|robotics))/;

/**
 * OpenAI's priority prices: https://openai.com/api-priority-processing/ (standard context) and https://platform.openai.com/docs/pricing.
 * Flex costs what batches do, and a batch costs half; Anthropic's batches cost half as well. The factors of gpt-5.6 and gpt-6 are
 * those of @oh-my-pi/pi-catalog 18.2.11 (MIT). Gemini: https://ai.google.dev/gemini-api/docs/optimization (flex and batches half) and
 * the notes of genai-prices (priority 1.8 times).
 */
export const serviceTiers: readonly ServiceTier[] = [
  ...Object.entries(openaiPriority).map(
    ([name, [input, cachedRead, output]]): ServiceTier => ({
      provider: "openai",
      model: new RegExp(`^${name}$`),
      tier: "priority",
      rates: {
        input_cost_per_token_priority: perMillion(input),
        output_cost_per_token_priority: perMillion(output),
        ...(cachedRead === undefined ? {} : { cache_read_input_token_cost_priority: perMillion(cachedRead) }),
      },
    }),
  ),
  { provider: "openai", model: /^gpt-(5\.6|6)-(sol|terra|luna)/, tier: "priority", factor: 2 },
  { provider: "openai", model: /^gpt-6-astra/, tier: "priority", factor: 2.5 },
  {
    provider: "openai",
    model: /^(gpt-[56]|o3$|o3-2|o4-mini)(?!.*(chat|codex|search|pro|deep))/,
    tier: "flex",
    factor: 0.5,
  },
  {
    provider: "openai",
    model: /^(gpt-[3-9]|o\d|text-embedding)(?!.*(audio|realtime|search|tts|transcribe))/,
    tier: "batches",
    factor: 0.5,
  },
  { provider: "anthropic", model: /^claude-/, tier: "batches", factor: 0.5 },
  { provider: "gemini", model: /^gemini-(2\.5|[3-9])(?!.*(live|tts|native))/, tier: "batches", factor: 0.5 },
  { provider: "vertex", model: /^gemini-(2\.5|[3-9])(?!.*(live|tts|native))/, tier: "batches", factor: 0.5 },
  ...["gemini", "vertex"].flatMap((provider): ServiceTier[] => [
    { provider, model: geminiOnline, tier: "flex", factor: 0.5 },
    { provider, model: geminiOnline, tier: "priority", factor: 1.8 },
  ]),
];
