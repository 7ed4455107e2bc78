import type { Model } from "../../../src/api/models.ts";
import { asideOf, sizeOf, textsOf } from "../chat/odd.ts";
import { isRecord } from "../http/fault.ts";
import { invalidAnswer } from "./answer.ts";

type Fields = Record<string, unknown>;

/** Names by which vendors tell the same number, ours first. */
const contextNames = ["context_length", "context_window", "max_context_length", "max_model_len", "n_ctx_train"];
const outputNames = ["max_output_tokens", "max_completion_tokens", "max_output_length"];

/** An answer of `GET /models` in our form: a list, or an object whose `data` is one; ids as the vendor writes them. */
export function readModels(told: unknown, provider: string): Model[] {
  if (isRecord(told) && typeof told.model_id === "string") return [readServed(told, told.model_id)];
  const list = isRecord(told) ? told.data : told;
  if (!Array.isArray(list)) throw invalidAnswer(provider, "has no list of models");
  return list
    .filter((entry) => isRecord(entry) && typeof entry.id === "string")
    .map((entry: Fields) => readModel(entry));
}

/** The one model of a server of Hugging Face, as `GET /info` tells it. */
function readServed({ max_input_length: most }: Fields, id: string): Model {
  const size = wholeOf(most);
  return { id, ...(size === undefined ? {} : { max_input_tokens: size }) };
}

/** The whole part of a number, where that is a size. */
function wholeOf(told: unknown): number | undefined {
  return typeof told === "number" ? sizeOf(Math.floor(told)) : undefined;
}

/** Only what has the form that our own schema asks for: vendors' lists differ, and null is common in them. */
function readModel(told: Fields): Model {
  const nested = [told, told.meta, told.metadata, told.top_provider].filter(isRecord);
  const model: Fields = {
    id: told.id,
    name: asideOf(told.name) ?? asideOf(told.display_name),
    canonical_slug: asideOf(told.canonical_slug),
    created: wholeOf(told.created),
    owned_by: asideOf(told.owned_by) ?? asideOf(told.organization),
    description: asideOf(told.description) ?? asideOf(nested.find((each) => asideOf(each.description))?.description),
    context_length: firstInteger(nested, contextNames),
    max_output_tokens: firstInteger(nested, outputNames),
    architecture: readArchitecture(told.architecture),
    pricing: readPricing(told.pricing),
    supported_parameters: textsOf(told.supported_parameters),
  };
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined)) as Model;
}

function firstInteger(records: readonly Fields[], names: readonly string[]): number | undefined {
  for (const record of records) {
    for (const name of names) {
      const value = sizeOf(record[name]);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** The texts, some of which are null, and the lists of texts that it consists of. */
function readArchitecture(told: unknown): unknown {
  if (!isRecord(told)) return undefined;
  const kept = Object.entries(told).map(([field, value]) => {
    if (field.endsWith("_modalities")) return [field, textsOf(value)];
    return [field, value === null ? null : asideOf(value)];
  });
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}

/** Prices in our form are decimal text per unit; numbers per million, which some vendors tell, are not. */
function readPricing(told: unknown): unknown {
  if (!isRecord(told)) return undefined;
  const prices = Object.entries(told).filter(([, price]) => typeof price === "string");
  return prices.length > 0 ? Object.fromEntries(prices) : undefined;
}
