import { allPricing } from "ai-sdk-cost-calculator";
import { MODEL_CONFIGS } from "llm-zoo";

/** A price in a public list that people keep by hand and that is no source of the catalogue. Dollars per million tokens. */
export interface ListedPrice {
  readonly list: PublicList;
  /** Ours. */
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly cachedRead: number | undefined;
}

/** The lists: packages of which only figures are read, by tests and reports. */
export const publicLists = {
  "ai-sdk-cost-calculator": { version: "7.1.14", licence: "MIT" },
  "llm-zoo": { version: "1.37.0", licence: "MIT" },
} as const;

type PublicList = keyof typeof publicLists;

/** Where a list's name of a provider is not ours. */
const providerNames: Readonly<Record<string, string>> = { google: "gemini", glm: "zai" };

/** Names under which a list repeats a provider. */
const repeated: ReadonlySet<string> = new Set(["zhipu", "z-ai", "togetherai", "moonshotai", "qwen", "dashscope"]);

/** Prices per token of both lists, at providers that the catalogue knows. */
export function readPublicLists(): ListedPrice[] {
  return [...readCalculator(), ...readZoo()];
}

function readCalculator(): ListedPrice[] {
  return Object.entries(allPricing).flatMap(([provider, models]) =>
    repeated.has(provider)
      ? []
      : Object.entries(models).flatMap(([model, price]) =>
          price.inputPer1MTokens || price.outputPer1MTokens
            ? [
                {
                  list: "ai-sdk-cost-calculator" as const,
                  provider: providerNames[provider] ?? provider,
                  model,
                  input: price.inputPer1MTokens,
                  output: price.outputPer1MTokens,
                  cachedRead: price.cacheReadPer1MTokens,
                },
              ]
            : [],
        ),
  );
}

/** Vendors of this list that the catalogue has no provider for, and one whose seats are sold by the month. */
const otherVendors: ReadonlySet<string> = new Set(["copilot", "others", "meta"]);

function readZoo(): ListedPrice[] {
  return Object.values(MODEL_CONFIGS).flatMap((model) => {
    const { provider, inputPrice, outputPrice, capabilities } = model;
    if (otherVendors.has(provider) || model.openRouterOnly || (inputPrice === 0 && outputPrice === 0)) return [];
    const isCached = capabilities.supportsPromptCaching || capabilities.supportsAutoPromptCaching;
    return [
      {
        list: "llm-zoo" as const,
        provider: provider === "dashscope" ? "alibaba" : (providerNames[provider] ?? provider),
        model: model.fullName,
        input: inputPrice,
        output: outputPrice,
        // The list states a share of the input price.
        cachedRead: isCached ? Number((inputPrice * capabilities.cacheDiscountFactor).toFixed(9)) : undefined,
      },
    ];
  });
}
