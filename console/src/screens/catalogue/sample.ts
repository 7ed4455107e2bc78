import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";

/** A model of the price list with its rates in US dollars per unit. */
export type ModelPrice = AnswerOf<Areas["ai"]["modelPrices"]>[number];

/** Tokens of a request whose price is compared; cached ones are part of the prompt. */
export interface Sample {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

type RateName = "input_cost_per_token" | "output_cost_per_token" | "cache_read_input_token_cost";

/** Prompts longer than this many tokens may have rates of their own, the largest first. */
const tiers = [
  [272_000, "_above_272k_tokens"],
  [200_000, "_above_200k_tokens"],
  [128_000, "_above_128k_tokens"],
] as const;

/** The rate that holds for a prompt of that length. */
function rateFor(model: ModelPrice, name: RateName, prompt: number): number | undefined {
  const rates = model as unknown as Readonly<Record<string, number | undefined>>; // seam: a rate by a name that is put together
  for (const [above, ending] of tiers) {
    const rate = prompt > above ? rates[`${name}${ending}`] : undefined;
    if (rate !== undefined) return rate;
  }
  return model[name];
}

/** What a request of that size costs in US dollars; undefined where the model has no rate per token. */
export function priceOf(model: ModelPrice, { prompt, cached, completion }: Sample): number | undefined {
  const input = rateFor(model, "input_cost_per_token", prompt);
  if (input === undefined) return undefined;
  const output = rateFor(model, "output_cost_per_token", prompt) ?? 0;
  const read = rateFor(model, "cache_read_input_token_cost", prompt) ?? input;
  const fromCache = Math.min(cached, prompt);
  return (prompt - fromCache) * input + fromCache * read + completion * output;
}

/** What a list of models is narrowed to; an empty text or zero leaves it as it is. */
export interface ModelFilter {
  readonly q: string;
  readonly provider: string;
  readonly mode: string;
  /** Tokens that the context must hold. */
  readonly context: number;
  readonly isPricedOnly: boolean;
}

/** The models that match, the cheapest for the sample first; those without a price last. */
export function findModels(models: readonly ModelPrice[], filter: ModelFilter, sample: Sample): readonly ModelPrice[] {
  const { q, provider, mode, context, isPricedOnly } = filter;
  const wanted = q.trim().toLowerCase();
  const found = models.filter(
    (model) =>
      (wanted === "" || model.id.toLowerCase().includes(wanted)) &&
      (provider === "" || model.provider === provider) &&
      (mode === "" || model.mode === mode) &&
      (context === 0 || (model.context_length ?? model.max_input_tokens ?? 0) >= context) &&
      (!isPricedOnly || model.is_priced),
  );
  const cost = new Map(found.map((model) => [model.id, priceOf(model, sample) ?? Number.POSITIVE_INFINITY]));
  const rank = ({ id }: ModelPrice) => cost.get(id) ?? Number.POSITIVE_INFINITY;
  return found.sort((one, other) => {
    const [first, second] = [rank(one), rank(other)];
    return first === second ? one.id.localeCompare(other.id) : first - second;
  });
}
