import { rateCodes } from "../../adapters/prices/catalogue/format.ts";
import { readMapName } from "../../adapters/prices/catalogue/overrides.ts";
import type { Rates } from "../../src/engine/api/rates.ts";
import { plainName } from "../../src/engine/metering/lines.ts";
import { toRate } from "../../src/engine/metering/money.ts";
import { encodeModel } from "./encode.ts";
import { isPlaceholder, type SourceModel } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The providers whose own lists the map is a source of. */
export const mapProviders: ReadonlySet<string> = new Set([
  "anthropic",
  "azure",
  "bedrock",
  "cohere",
  "gemini",
  "mistral",
  "moonshot",
  "openai",
  "vertex",
  "voyage",
  "xai",
]);

/** Entries of the map that are no model that a request can name, by what they are instead. */
const notModels: readonly (readonly [name: RegExp, reason: string])[] = [
  [/-month-commitment\//, "prices of provisioned throughput"],
  [/\*/, "patterns"],
  [/guardrails|vector_store/, "prices of other services"],
];

/** Endpoints that sell models besides the one by which the vendor is meant: theirs come second. */
const secondEndpoints = /^(?:azure_ai\/(?:gpt|o\d|text-)|azure\/mistral|azure_text|bedrock_mantle|text-completion-)/;

const knownRates = new Set<string>(Object.values(rateCodes).map(({ name }) => name));

/** The lines of the extract, sorted by name, and how many entries are left out for which reason. */
export function extractPriceMap(map: Readonly<Record<string, Fields>>) {
  const leftOut = new Map<string, number>();
  const found: { id: string; rank: number; line: string }[] = [];
  for (const [model, fields] of Object.entries(map)) {
    if (typeof fields.litellm_provider !== "string") continue;
    const { provider, name } = readMapName(model, fields.litellm_provider);
    // Decision models are taken whoever sells them: no other source lists them.
    if (!mapProviders.has(provider) && fields.mode !== "evaluation") continue;
    const reason = notModels.find(([pattern]) => pattern.test(model))?.[1];
    if (reason !== undefined) leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
    else {
      const rank = secondEndpoints.test(`${fields.litellm_provider}/${name}`) ? 1 : 0;
      found.push({ id: `${provider}/${name}`, rank, line: encodeLine({ provider, name }, fields) });
    }
  }
  const sorted = found.sort((a, b) => (a.id === b.id ? a.rank - b.rank : a.id < b.id ? -1 : 1));
  return { lines: [...new Set(sorted.map(({ line }) => line))], leftOut };
}

function encodeLine({ provider, name }: { provider: string; name: string }, fields: Fields): string {
  const costs = Object.entries(fields).filter(([field]) => /_cost|^cost_per_/.test(field));
  const rates = Object.fromEntries(costs.filter(([field]) => knownRates.has(plainName(field)))) as Rates;
  const unknown = costs.filter(([field]) => !knownRates.has(plainName(field))).map(([field]) => field);
  const line = encodeModel({
    provider,
    name: `${provider}/${name}`,
    aliases: [],
    ...sizesOf(fields),
    ...modeOf(fields),
    inputs: abilities(fields, inputFields, "supported_modalities"),
    outputs: abilities(fields, outputFields, "supported_output_modalities"),
    parameters: abilities(fields, parameterFields),
    periods: isPlaceholder(name, rates) ? [] : [{ rates: roundRates(rates) }],
  });
  const retires = fields.deprecation_date === undefined ? "" : `|D${fields.deprecation_date}`;
  return `${line}${retires}${unknown.length > 0 ? `|X${unknown.join(" ")}` : ""}`;
}

/** Rates to the step that bills keep. */
function roundRates(rates: Rates): Rates {
  const round = (rate: unknown): unknown => {
    if (typeof rate === "number") return Number(`${toRate(rate)}e-12`);
    return Object.fromEntries(Object.entries(rate as Fields).map(([size, each]) => [size, round(each)]));
  };
  return Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, round(rate)])) as Rates;
}

function sizesOf(fields: Fields): Pick<SourceModel, "contextLength" | "maxOutputTokens"> {
  const { max_input_tokens: input, max_output_tokens: output } = fields;
  return {
    ...(typeof input === "number" && input > 0 ? { contextLength: input } : {}),
    ...(typeof output === "number" && output > 0 ? { maxOutputTokens: output } : {}),
  };
}

/** Models that answer over another endpoint are chat models to us. */
function modeOf({ mode }: Fields): Pick<SourceModel, "mode"> {
  if (typeof mode !== "string") return {};
  return { mode: mode === "responses" || mode === "completion" ? "chat" : mode };
}

const inputFields: Fields = {
  supports_vision: "image",
  supports_pdf_input: "file",
  supports_audio_input: "audio",
  supports_video_input: "video",
};
const outputFields: Fields = { supports_audio_output: "audio" };
const parameterFields: Fields = {
  supports_function_calling: "tools",
  supports_reasoning: "reasoning",
  supports_response_schema: "response_format",
};

function abilities(fields: Fields, flags: Fields, list?: string): string[] {
  const flagged = Object.entries(flags).flatMap(([flag, ability]) => (fields[flag] === true ? [String(ability)] : []));
  const listed = list === undefined ? [] : ((fields[list] as readonly string[] | undefined) ?? []);
  return [...new Set([...flagged, ...listed])];
}
