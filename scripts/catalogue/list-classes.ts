import { isNear, isSamePrice, type ListDifference, type PlainPrice } from "./plain-price.ts";

interface Class {
  readonly reason: string;
  readonly holds: (difference: ListDifference) => boolean;
}

const isPlainSame = (a: PlainPrice | undefined, b: PlainPrice) =>
  a !== undefined && isNear(a[0], b[0]) && isNear(a[1], b[1]);
const of = (provider: string, model: RegExp) => (difference: ListDifference) =>
  difference.listed.provider === provider && model.test(difference.listed.model);
const anyOf =
  (...tests: ((difference: ListDifference) => boolean)[]) =>
  (difference: ListDifference) =>
    tests.some((test) => test(difference));

/** Why a list's price is not the catalogue's; the first that holds. */
const classes: readonly Class[] = [
  {
    reason:
      "one list only: no source of the catalogue has the model at this seller; its calls are unpriced until overridden",
    holds: ({ ours }) => ours === undefined,
  },
  {
    reason: "OpenRouter: its prices follow the cheapest endpoint of the day, and the lists are of different days",
    holds: ({ listed }) => listed.provider === "openrouter",
  },
  {
    reason: "no text: the list counts no tokens of answers that are images, speech or vectors",
    holds: ({ theirs, mode, ours }) => theirs[1] === 0 && mode !== "chat" && isNear(ours?.[0], theirs[0]),
  },
  {
    reason: "cached reads that one list alone states: the catalogue bills them as input, never less",
    holds: ({ ours, theirs }) => isPlainSame(ours, theirs) && ours?.[2] === undefined,
  },
  {
    reason: "another time: theirs is the catalogue's price of another day or hour (announced changes, peak hours)",
    holds: ({ otherTimes, theirs, ours }) =>
      !isPlainSame(ours, theirs) && otherTimes.some((price) => isPlainSame(price, theirs)),
  },
  {
    reason: "two against one: the price map of November 2026 or the other list has the catalogue's price",
    holds: ({ ours, witnesses }) => ours !== undefined && witnesses.some((price) => isSamePrice(price, ours)),
  },
  {
    reason: "two sellers against one: others sell the model at the catalogue's price, cached reads included",
    holds: ({ ours, otherSellers }) =>
      ours !== undefined &&
      otherSellers.some((price) => isSamePrice(price, ours) && (ours[2] === undefined || price[2] !== undefined)),
  },
  {
    reason: "another seller: theirs is what somebody else takes for the model, by the catalogue",
    holds: ({ otherSellers, theirs }) => otherSellers.some((price) => isPlainSame(price, theirs)),
  },
  {
    reason: "one discount for all: llm-zoo states a share of the input price, rounded or the same for a whole family",
    holds: ({ listed, ours, theirs }) => listed.list === "llm-zoo" && isPlainSame(ours, theirs),
  },
  {
    reason:
      "a quarter, not a tenth: cached reads of Gemini before 2.5's release; the list has the discount of later models",
    holds: of("gemini", /^gemini-(?:1\.5|2\.5-pro-preview)/),
  },
  {
    reason:
      "vendor's page: DeepSeek's prices and hours are read from it; the lists repeat those of earlier models under the same names",
    holds: of("deepseek", /^deepseek-(?:chat|reasoner|v4-pro)$/),
  },
  {
    reason: "plain variant: the list has the price of Grok 3 under the name of its fast variant",
    holds: of("xai", /^grok-3(?:-mini)?-fast/),
  },
  {
    reason: "retired: the vendor sells the model no more, and the lists keep different last prices",
    holds: anyOf(
      ({ isRetired }) => isRetired,
      of("deepseek", /^deepseek-(?:v3|r1)/),
      of("cohere", /^command-r(?:-plus)?-0[34]-2024$/),
      of("gemini", /^gemini-2\.5-flash-preview$/),
      of("groq", /llama-4-maverick/),
      of("anthropic", /^claude-sonnet-4-20250514$/),
      of("moonshot", /^kimi-thinking-preview$/),
    ),
  },
  {
    reason: "moving name: the list has the price of the model that it takes the name for",
    holds: of("mistral", /^mistral-large$/),
  },
  {
    reason:
      "another day: one list against the sources of the catalogue, and no third one; the sellers' prices have changed since one of them was written",
    holds: anyOf(
      of("mistral", /^(?:mistral-small-3\.1-24b-instruct|pixtral-12b-2409|mistral-nemo)$/),
      of("together", /^(?:deepseek-ai\/DeepSeek-V[34]|mistralai\/Mixtral-8x22B)/),
      of("fireworks", /\/deepseek-v3$/),
      of("alibaba", /^qwen(?:3\.[67]-|-max|-vl-(?:max|plus))/),
      of("minimax", /^MiniMax-M2(?:\.[157])?$/),
    ),
  },
];

/** The reason of a difference; `unclassed` until somebody has looked at it. */
export function classifyListed(difference: ListDifference): string {
  return classes.find(({ holds }) => holds(difference))?.reason ?? "unclassed";
}
