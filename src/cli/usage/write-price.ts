import type { ModelFacts } from "../../engine/ports/prices.ts";
import { alignColumns } from "../../server/terminal/format.ts";

/** What is known of a model and its price, as lines. */
export function writePrice(facts: ModelFacts, requestedName: string, version: string): string {
  const name = `${facts.provider}/${facts.model}`;
  const about = alignColumns(describe(facts));
  const rates = Object.entries(facts.rates ?? {});
  const price = rates.length === 0 ? "Its price is unknown.\n" : alignColumns(rates.flatMap(describeRate));
  return [
    name === requestedName ? `${name}\n` : `${requestedName} is priced as ${name}\n`,
    about === "" ? "" : `${about}\n`,
    price,
    `Prices: ${version}\n`,
  ].join("");
}

function describe(facts: ModelFacts): string[][] {
  const tokens = (count: number | undefined) =>
    count === undefined ? undefined : `${count.toLocaleString("en-US")} tokens`;
  const rows: [string, string | undefined][] = [
    ["mode", facts.mode],
    ["context", tokens(facts.context_length)],
    ["largest prompt", tokens(facts.max_input_tokens)],
    ["largest answer", tokens(facts.max_output_tokens)],
    ["takes", facts.input_modalities?.join(", ")],
    ["gives", facts.output_modalities?.join(", ")],
    ["honours", facts.supported_parameters?.join(", ")],
  ];
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** Of the smallest step of a rate. */
const decimals = 12;

/** A rate and its unit: per million where tokens are sold, per one for the rest. Fees by size are a line each. */
function describeRate([name, rate]: [string, unknown]): string[][] {
  if (typeof rate === "object" && rate !== null)
    return Object.entries(rate).flatMap(([size, each]) => describeRate([`${name}.${size}`, each]));
  // `_above_128k_tokens` says when it holds, not what it is for.
  const isPerToken = /_per_(?:\w+_)?token|_token_cost/.test(name.replace(/_above_\d+k_tokens/, ""));
  const dollars = Number(rate) * (isPerToken ? 1_000_000 : 1);
  return [[name, `$${dollars.toFixed(decimals).replace(/\.?0+$/, "")}`, isPerToken ? "per million tokens" : "each"]];
}
