import type { Rates } from "../../../src/engine/api/rates.ts";

/**
 * The snapshot's format: a text per provider, a model per line, fields separated by `|`. The first field is the name; the others
 * begin with a letter and are left out when nothing is known:
 *
 *     gpt-4o|=gpt-4o-2024-08-06 chat-x|Mchat|c128000|m16384|Itif|Ot|Ptw|$i2.5 o10 r1.25 i4.25p;@20261201:i2 o8
 *
 * `=` other names, `M` mode, `c` context, `m` largest output, `I` and `O` modalities, `P` parameters, `$` prices: periods separated
 * by `;`, each optionally begun by `@<first day>` and `~<from>-<to minute of the UTC day>/<weekdays>` and a colon. A price is a code of
 * {@link rateCodes}, dollars (per million for tokens), `>200` for above 200k prompt tokens, and a letter of {@link serviceCodes} for a
 * service tier. `ior*.5b` gives the rates `i`, `o` and `r`, in every tier that the line states, half the price in batches.
 */
export const rateCodes = {
  i: { name: "input_cost_per_token", per: "million" },
  o: { name: "output_cost_per_token", per: "million" },
  r: { name: "cache_read_input_token_cost", per: "million" },
  w: { name: "cache_creation_input_token_cost", per: "million" },
  h: { name: "cache_creation_input_token_cost_above_1hr", per: "million" },
  a: { name: "input_cost_per_audio_token", per: "million" },
  A: { name: "output_cost_per_audio_token", per: "million" },
  g: { name: "input_cost_per_image_token", per: "million" },
  G: { name: "output_cost_per_image_token", per: "million" },
  n: { name: "cache_read_input_image_token_cost", per: "million" },
  u: { name: "cache_read_input_audio_token_cost", per: "million" },
  U: { name: "cache_creation_input_audio_token_cost", per: "million" },
  v: { name: "input_cost_per_video_token", per: "million" },
  V: { name: "output_cost_per_video_token", per: "million" },
  R: { name: "output_cost_per_reasoning_token", per: "million" },
  C: { name: "citation_cost_per_token", per: "million" },
  s: { name: "search_context_cost_per_query", per: "one" },
  q: { name: "input_cost_per_query", per: "one" },
  Q: { name: "input_cost_per_request", per: "one" },
  sr: { name: "search_cost_per_request", per: "one" },
  mq: { name: "google_maps_grounding_cost_per_query", per: "one" },
  ci: { name: "code_interpreter_cost_per_session", per: "one" },
  pg: { name: "ocr_cost_per_page", per: "one" },
  an: { name: "annotation_cost_per_page", per: "one" },
  im: { name: "input_cost_per_image", per: "one" },
  Im: { name: "output_cost_per_image", per: "one" },
  px: { name: "input_cost_per_pixel", per: "one" },
  Px: { name: "output_cost_per_pixel", per: "one" },
  ch: { name: "input_cost_per_character", per: "one" },
  Ch: { name: "output_cost_per_character", per: "one" },
  se: { name: "input_cost_per_second", per: "one" },
  Se: { name: "output_cost_per_second", per: "one" },
  Sl: { name: "output_cost_per_second_480p", per: "one" },
  Sm: { name: "output_cost_per_second_720p", per: "one" },
  Sh: { name: "output_cost_per_second_1080p", per: "one" },
  Sx: { name: "output_cost_per_second_4k", per: "one" },
  as: { name: "input_cost_per_audio_per_second", per: "one" },
  vs: { name: "input_cost_per_video_per_second", per: "one" },
  Vs: { name: "output_cost_per_video_per_second", per: "one" },
} as const;

/** Codes of a search fee that depends on the size of the context. */
export const searchCodes = {
  sl: "search_context_size_low",
  sm: "search_context_size_medium",
  sh: "search_context_size_high",
} as const;

/** Letters of service tiers, and the suffixes of rates' names. */
export const serviceCodes = { p: "_priority", f: "_flex", b: "_batches", d: "_decisions", u: "_ultrafast" } as const;

/** Letters of modalities. */
export const modalityCodes = { t: "text", i: "image", a: "audio", v: "video", f: "file" } as const;

/** Letters of request parameters. */
export const parameterCodes = { t: "tools", r: "reasoning", e: "temperature", f: "response_format" } as const;

/** When prices hold. */
export interface PricePeriod {
  /** Milliseconds since the epoch. */
  readonly from?: number | undefined;
  /** Minutes of the UTC day, the end excluded, and the weekdays (0 is Sunday); every day when there are none. */
  readonly window?: { readonly start: number; readonly end: number; readonly days: readonly number[] } | undefined;
}

/** A model as the snapshot has it; later periods win. */
export interface DecodedModel {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly mode?: string | undefined;
  readonly context?: number | undefined;
  readonly largestOutput?: number | undefined;
  readonly inputs?: readonly string[] | undefined;
  readonly outputs?: readonly string[] | undefined;
  readonly parameters?: readonly string[] | undefined;
  readonly periods: readonly { readonly span: PricePeriod; readonly rates: Rates }[];
}

/** Reads one line of the snapshot. */
export function decodeModel(line: string): DecodedModel {
  const [name = "", ...rest] = line.split("|");
  const fields = new Map(rest.map((field) => [field.charAt(0), field.slice(1)]));
  const size = (key: string) => (fields.has(key) ? Number(fields.get(key)) : undefined);
  const symbols = (key: string, codes: Readonly<Record<string, string>>) => {
    const field = fields.get(key);
    return field === undefined ? undefined : [...field].map((request) => codes[request] ?? request);
  };
  const prices = fields.get("$");
  return {
    name,
    aliases: fields.get("=")?.split(" ") ?? [],
    mode: fields.get("M"),
    context: size("c"),
    largestOutput: size("m"),
    inputs: symbols("I", modalityCodes),
    outputs: symbols("O", modalityCodes),
    parameters: symbols("P", parameterCodes),
    periods: prices === undefined ? [] : prices.split(";").map(decodePeriod),
  };
}

function decodePeriod(text: string): { span: PricePeriod; rates: Rates } {
  const colon = text.indexOf(":");
  return { span: decodeSpan(text.slice(0, Math.max(0, colon))), rates: decodeRates(text.slice(colon + 1)) };
}

function decodeSpan(text: string): PricePeriod {
  const [, day] = /@(\d{8})/.exec(text) ?? [];
  const [, start, end, days] = /~(\d+)-(\d+)(?:\/(\d+))?/.exec(text) ?? [];
  const from =
    day === undefined ? undefined : Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
  if (start === undefined) return { from };
  return { from, window: { start: Number(start), end: Number(end), days: [...(days ?? "")].map(Number) } };
}

function decodeRates(text: string): Rates {
  const rates: Record<string, number | Record<string, number>> = {};
  const search: Record<string, number> = {};
  for (const price of text.split(" ")) {
    const [, codes, factor, symbol] = /^([a-zA-Z]+)\*([\d.]+)([pfbdu])$/.exec(price) ?? [];
    if (codes !== undefined) scaleRates(rates, { codes, factor: Number(factor), symbol });
    const [, code = "", dollars, thousands, service] = /^([a-zA-Z]+)([\d.]+)(?:>(\d+))?([pfbdu]?)$/.exec(price) ?? [];
    const size = searchCodes[code as keyof typeof searchCodes];
    if (size) search[size] = Number(dollars);
    const rate = rateCodes[code as keyof typeof rateCodes];
    if (!rate) continue;
    const tier = thousands ? `_above_${thousands}k_tokens` : "";
    const suffix = serviceCodes[service as keyof typeof serviceCodes] ?? "";
    // A decimal exponent, not a division: the result is the double nearest to the decimal.
    rates[rate.name + tier + suffix] = Number(rate.per === "million" ? `${dollars}e-6` : dollars);
  }
  if (Object.keys(search).length > 0) rates.search_context_cost_per_query = search;
  return rates as Rates;
}

/** Adds the rates of a service tier that are a multiple of the plain ones read so far. */
function scaleRates(
  rates: Record<string, number | Record<string, number>>,
  { codes, factor, symbol }: { codes: string; factor: number; symbol: string | undefined },
): void {
  const suffix = serviceCodes[symbol as keyof typeof serviceCodes];
  const names = new Set<string>([...codes].map((code) => rateCodes[code as keyof typeof rateCodes].name));
  for (const [name, rate] of Object.entries(rates))
    if (names.has(name.replace(/_above_\d+k_tokens$/, "")) && typeof rate === "number")
      rates[name + suffix] = multiplyRate(rate, factor);
}

/** A rate times a factor, to the step of 10⁻¹² dollars that bills keep. */
export function multiplyRate(rate: number, factor: number): number {
  return Number(`${Math.round(rate * 1e12 * factor)}e-12`);
}
