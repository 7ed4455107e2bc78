import type { Rates } from "../../api/rates.ts";
import type { ModelFacts, Prices } from "../../ports.ts";
import { priceUsage } from "../../usage/cost.ts";
import { openOwnPrices } from "../books/open.ts";
import { findSimilar } from "../similar.ts";
import type { Terminal } from "../terminal.ts";
import { writePrice } from "./price.ts";

/** Whose price is asked for, and how it is to be shown. */
interface PriceQuestion {
  /** A model, with or without its provider. */
  readonly asked: string;
  /** The configuration file that was named. */
  readonly config: string | undefined;
  readonly isJson: boolean;
}

/** Shows what is known of a model's price; resolves with the exit code. */
export async function showPrice({ asked, config, isJson }: PriceQuestion, terminal: Terminal): Promise<number> {
  const prices = await openOwnPrices(terminal, config);
  const { version } = prices;
  const now = terminal.now();
  const slash = asked.indexOf("/");
  const one = slash > 0 ? prices.find(asked.slice(0, slash), asked.slice(slash + 1), now) : undefined;
  const found = one ? [one] : ofAll(prices, asked, now);
  if (isJson)
    terminal.out(
      `${JSON.stringify(
        found.map((facts) => ({ ...facts, version })),
        null,
        2,
      )}\n`,
    );
  else for (const facts of found) terminal.out(`${writePrice(facts, nameAs(asked, facts.provider), version)}\n`);
  if (found.length === 0) {
    const names = prices.list(now).flatMap(({ provider, model }) => [`${provider}/${model}`, model]);
    const similar = findSimilar(asked, names);
    const hint = similar === undefined ? "" : ` Did you mean ${similar}?`;
    terminal.err(`tollgate: No price of ${asked} is known.${hint}\n`);
  }
  const gaps = found.flatMap((facts) => gapOf(facts) ?? []);
  for (const gap of gaps) terminal.err(`tollgate: ${gap}\n`);
  return found.filter(({ rates }) => rates !== undefined).length > gaps.length ? 0 : 1;
}

/** What a chat model lacks that bills are made with: what it has is told above, but no call of it is billed by that. */
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
 * What a name means at every provider that has it. A price for all models of a provider is left out where the name has a slash: it
 * most likely names another provider, whose models such a price is not of.
 */
function ofAll(prices: Prices, asked: string, now: number): ModelFacts[] {
  const known = prices.list(now);
  const names = new Set(known.map(({ provider, model }) => `${provider}/${model}`));
  const providers = [...new Set(known.map(({ provider }) => provider))];
  const found = providers.flatMap((provider) => prices.find(provider, asked, now) ?? []);
  return asked.includes("/") ? found.filter(({ provider, model }) => names.has(`${provider}/${model}`)) : found;
}

/** The asked name with its provider in front. */
function nameAs(asked: string, provider: string): string {
  return asked.startsWith(`${provider}/`) ? asked : `${provider}/${asked}`;
}
