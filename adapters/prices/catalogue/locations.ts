import type { Rates } from "../../../src/engine/api/rates.ts";
import { locationPrefixes } from "../../../src/engine/routing/model-spelling.ts";
import { multiplyRate } from "./format.ts";

/** By how much a price differs where a model is served; `undefined` models stand for all. The first rule that fits holds. */
interface LocationRule {
  readonly location: RegExp;
  readonly model?: RegExp;
  readonly factor: number;
}

const recentClaude = /claude-(?:(?:opus|sonnet|haiku)-(?:4-[5-9]|[5-9])|fable-|mythos-\d)/;

/** Models of Bedrock that have a `global.` profile for less than what a region or a geography costs. */
const bedrockGlobal =
  /^(?:anthropic\.claude-(?:(?:opus|sonnet|haiku)-(?:4-[5-9]|[5-9])|fable-|mythos-\d)|amazon\.nova-2-lite|openai\.gpt-(?!oss)|xai\.grok-4\.[6-9]|zai\.glm-5\.3|moonshotai\.kimi-k3)/;

/**
 * The listed price is that of the global service. The factors of Bedrock (10 % more in a region and in a geography, 20 % in GovCloud) and
 * of Azure's data zones are those that the LiteLLM price map of November 2026 lists for each model; Claude on Vertex AI outside the
 * global endpoint, Anthropic's `inference_geo` and OpenAI's regional processing (10 % more) are the vendors' and in no list.
 */
const locationRules: Readonly<Record<string, readonly LocationRule[]>> = {
  bedrock: [
    { location: /^us-gov/, factor: 1.2 },
    { location: /^global$/, factor: 1 },
    { location: /^/, model: bedrockGlobal, factor: 1.1 },
    { location: /^/, factor: 1 },
  ],
  azure: [
    { location: /^(?:global|$)/, factor: 1 },
    { location: /^/, model: /embedding/, factor: 1 },
    { location: /^(?:eu|apac)$/, model: /^gpt-6/, factor: 1.2 },
    { location: /^/, factor: 1.1 },
  ],
  vertex: [
    { location: /^(?:global|$)/, factor: 1 },
    { location: /^/, model: recentClaude, factor: 1.1 },
    { location: /^/, factor: 1 },
  ],
  anthropic: [
    { location: /^us$/, model: /^claude-(?:(?:opus|sonnet|haiku)-(?:4-[6-9]|[5-9])|fable-|mythos-\d)/, factor: 1.1 },
    { location: /^/, factor: 1 },
  ],
  openai: [
    { location: /^[a-z]{2}$/, model: /^gpt-(?:5\.[4-9]|[6-9])/, factor: 1.1 },
    { location: /^/, factor: 1 },
  ],
};

/** A model's name without its location. */
export interface LocatedName {
  /** `eu`, `us-east-1`, `global`. */
  readonly location: string;
  /** The location as it is written: `eu.`, `us-east-1/`. */
  readonly prefix: string;
  readonly name: string;
}

/** The location in front of a model's name in lower case, if there is one: `eu.anthropic.…`, `us-east-1/anthropic.…`, `eu/gpt-5`. */
export function splitLocation(provider: string, name: string): LocatedName | undefined {
  const found = locationPrefixes[provider]?.exec(name);
  if (!found) return undefined;
  const [prefix, first, second] = found;
  return { location: first ?? second ?? "", prefix, name: name.slice(prefix.length) };
}

/** How many times its listed price a model costs in a location; an empty one is the region or deployment that the name leaves open. */
export function locationFactor(provider: string, location: string, model: string): number {
  const rule = locationRules[provider]?.find(
    (each) => each.location.test(location) && (each.model?.test(model) ?? true),
  );
  return rule?.factor ?? 1;
}

/** Rates times a factor; fees by the search, the request or the session are the same everywhere. */
export function multiplyRates(rates: Rates, factor: number): Rates {
  const multiply = ([name, rate]: [string, unknown]) =>
    typeof rate === "number" && !/_per_(?:query|request|session)/.test(name)
      ? [name, multiplyRate(rate, factor)]
      : [name, rate];
  return Object.fromEntries(Object.entries(rates).map(multiply)) as Rates;
}
