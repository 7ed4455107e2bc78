import { ModelPrice, SearchRates } from "../../../engine/api/rates.ts";
import { plainName } from "../../../engine/metering/lines.ts";
import { findSimilar } from "../../../engine/runtime/did-you-mean.ts";
import { misconfigured } from "../../config/references.ts";

type PriceFields = Readonly<Record<string, unknown>>;

const known = Object.keys(ModelPrice.shape);
const sizes = Object.keys(SearchRates.shape);

/** A rate holds for a number of prompt tokens and for a service tier, whichever they are. */
const knownBases: ReadonlySet<string> = new Set(known.map(plainName));

/**
 * Refuses names of rates and sizes that are misspelled: they would be left aside, and bills be wrong. The common map format has
 * many fields that no bill knows, and gets new ones; of an entry that is written in it (it says `litellm_provider`), only a name is refused
 * that is a known one but for two letters. Throws `invalid_configuration` naming the model, the field and what was probably meant.
 */
export function checkPriceNames(prices: PriceFields): void {
  for (const [model, value] of Object.entries(prices)) {
    if (model === "sample_spec") continue;
    for (const entry of Array.isArray(value) ? value : [value]) if (isFields(entry)) checkEntry(model, entry);
  }
}

function isFields(value: unknown): value is PriceFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function checkEntry(model: string, entry: PriceFields): void {
  const isCommon = entry.litellm_provider !== undefined;
  for (const name of Object.keys(entry)) {
    if (knownBases.has(plainName(name))) continue;
    checkName(name, known, { path: `prices.${model}.${name}`, isCommon });
  }
  const fee = entry.search_context_cost_per_query;
  for (const name of isFields(fee) ? Object.keys(fee) : []) {
    if (sizes.includes(name)) continue;
    checkName(name, sizes, { path: `prices.${model}.search_context_cost_per_query.${name}`, isCommon });
  }
}

interface NamedPrice {
  readonly path: string;
  readonly isCommon: boolean;
}

function checkName(name: string, names: readonly string[], { path, isCommon }: NamedPrice): void {
  const mustBeKnown = !isCommon && /cost|price/i.test(name);
  const similar = findSimilar(name, names, mustBeKnown ? Infinity : 2);
  if (similar !== undefined) throw misconfigured(path, `is not known; did you mean \`${similar}\`?`);
  if (mustBeKnown) throw misconfigured(path, "is not a rate; `tollgate price openai/gpt-5` shows the names of rates");
}
