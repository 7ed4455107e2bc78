import type { Rates } from "../../engine/api/rates.ts";
import { priceUsage } from "../../engine/metering/cost.ts";
import type { ModelFacts, Prices } from "../../engine/ports/prices.ts";
import { findSimilar } from "../../engine/runtime/did-you-mean.ts";
import { openOwnPrices } from "../../server/store/open.ts";
import type { Terminal } from "../../server/terminal/terminal.ts";
import { writePrice } from "./write-price.ts";

/** The model whose price to show, and the output format. */
interface PriceQuery {
  /** A model, with or without its provider. */
  readonly model: string;
  /** The configuration file that was named. */
  readonly config: string | undefined;
  readonly isJson: boolean;
}

/** Shows what is known of a model's price; resolves with the exit code. */
export async function showPrice({ model, config, isJson }: PriceQuery, terminal: Terminal): Promise<number> {
  const prices = await openOwnPrices(terminal, config);
  const { version } = prices;
  const now = terminal.now();
  const slash = model.indexOf("/");
  const one = slash > 0 ? prices.find(model.slice(0, slash), model.slice(slash + 1), now) : undefined;
  const found = one ? [one] : ofAll(prices, model, now);
  if (isJson)
    terminal.out(
      `${JSON.stringify(
        found.map((facts) => ({ ...facts, version })),
        null,
        2,
      )}\n`,
    );
  else for (const facts of found) terminal.out(`${writePrice(facts, nameAs(model, facts.provider), version)}\n`);
  if (found.length === 0) {
    const names = prices.list(now).flatMap(({ provider, model }) => [`${provider}/${model}`, model]);
    const similar = findSimilar(model, names);
    const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
    terminal.err(`tollgate: No price of ${model} is known.${hint}\n`);
  }
  const gaps = found.flatMap((facts) => gapOf(facts) ?? []);
  for (const gap of gaps) terminal.err(`tollgate: ${gap}\n`);
  return found.filter(({ rates }) => rates !== undefined).length > gaps.length ? 0 : 1;
}

/** Describes the rates that a chat model lacks; without them its calls are unpriced. */
function gapOf({ provider, model, mode, rates }: ModelFacts): string | undefined {
  if (mode !== "chat" || !rates || Object.keys(rates).length === 0 || isPriced(rates, 1, 1)) return undefined;
  const missing = [
    ...(isPriced(rates, 1, 0) ? [] : ["input_cost_per_token"]),
    ...(isPriced(rates, 0, 1) ? [] : ["output_cost_per_token"]),
  ];
  return `${provider}/${model} has no ${missing.join(" and no ")}: chats of it are unpriced, and no budget counts them. A rate of 0 is a price.`;
}

function isPriced(rates: Rates, prompt_tokens: number, completion_tokens: number): boolean {
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  return priceUsage({ usage }, rates) !== undefined;
}

/**
 * Finds a model name at every provider that offers it. For a name with a slash it skips prices that cover all models of a provider, since
 * the name most likely belongs to another provider.
 */
function ofAll(prices: Prices, model: string, now: number): ModelFacts[] {
  const known = prices.list(now);
  const names = new Set(known.map(({ provider, model }) => `${provider}/${model}`));
  const providers = [...new Set(known.map(({ provider }) => provider))];
  const found = providers.flatMap((provider) => prices.find(provider, model, now) ?? []);
  return model.includes("/") ? found.filter(({ provider, model }) => names.has(`${provider}/${model}`)) : found;
}

/** The requested name with its provider as prefix. */
function nameAs(model: string, provider: string): string {
  return model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
}
