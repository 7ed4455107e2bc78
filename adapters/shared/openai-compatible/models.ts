import type { Model } from "../../../src/engine/api/models.ts";
import { isRecord, optionalText, sizeOf, textsOf } from "../../../src/engine/dialects/wire-values.ts";
import { invalidAnswer } from "./response/answer.ts";

type ModelFields = Record<string, unknown>;

/** Vendors' names for the same number, ours first. */
const contextNames = ["context_length", "context_window", "max_context_length", "max_model_len", "n_ctx_train"];
const outputNames = ["max_output_tokens", "max_completion_tokens", "max_output_length"];

/** An answer of `GET /models` in our form: a list, or an object whose `data` is one; ids as the vendor writes them. */
export function readModels(raw: unknown, provider: string): Model[] {
  if (isRecord(raw) && typeof raw.model_id === "string") return [readServed(raw, raw.model_id)];
  const list = isRecord(raw) ? raw.data : raw;
  if (!Array.isArray(list)) throw invalidAnswer(provider, "has no list of models");
  return list
    .filter((entry) => isRecord(entry) && typeof entry.id === "string")
    .map((entry: ModelFields) => readModel(entry));
}

/** The one model of a Hugging Face server, from `GET /info`. */
function readServed({ max_input_length: most }: ModelFields, id: string): Model {
  const size = wholeOf(most);
  return { id, ...(size === undefined ? {} : { max_input_tokens: size }) };
}

/** The whole part of a number, where that is a size. */
function wholeOf(raw: unknown): number | undefined {
  return typeof raw === "number" ? sizeOf(Math.floor(raw)) : undefined;
}

/** Only what has the form that our own schema asks for: vendors' lists differ, and null is common in them. */
function readModel(raw: ModelFields): Model {
  const nested = [raw, raw.meta, raw.metadata, raw.top_provider].filter(isRecord);
  const model: ModelFields = {
    id: raw.id,
    name: optionalText(raw.name) ?? optionalText(raw.display_name),
    canonical_slug: optionalText(raw.canonical_slug),
    created: wholeOf(raw.created),
    owned_by: optionalText(raw.owned_by) ?? optionalText(raw.organization),
    description:
      optionalText(raw.description) ?? optionalText(nested.find((each) => optionalText(each.description))?.description),
    context_length: firstInteger(nested, contextNames),
    max_output_tokens: firstInteger(nested, outputNames),
    architecture: readArchitecture(raw.architecture),
    pricing: readPricing(raw.pricing),
    top_provider: pick(raw.top_provider, topProviderFields),
    per_request_limits: pick(raw.per_request_limits, { prompt_tokens: sizeOf, completion_tokens: sizeOf }),
    default_parameters: pick(raw.default_parameters, defaultFields),
    supported_parameters: textsOf(raw.supported_parameters),
    supported_methods: textsOf(raw.supported_methods),
    model_hub_id: optionalText(raw.hugging_face_id) ?? optionalText(raw.model_hub_id),
    knowledge_cutoff: optionalText(raw.knowledge_cutoff),
  };
  return Object.fromEntries(Object.entries(model).filter(([, value]) => value !== undefined)) as Model;
}

type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

const finite = (value: unknown) => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const topProviderFields: Readers = {
  context_length: sizeOf,
  max_completion_tokens: sizeOf,
  is_moderated: (value) => (typeof value === "boolean" ? value : undefined),
};
const defaultFields: Readers = { temperature: finite, top_p: finite, frequency_penalty: finite };

/** The fields of an object that have the form that our schema asks for; `undefined` where there is none. */
function pick(raw: unknown, readers: Readers): ModelFields | undefined {
  if (!isRecord(raw)) return undefined;
  const fields = Object.entries(readers).flatMap(([name, read]) => {
    const value = read(raw[name]);
    return value === undefined ? [] : [[name, value] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

function firstInteger(records: readonly ModelFields[], names: readonly string[]): number | undefined {
  for (const record of records) {
    for (const name of names) {
      const value = sizeOf(record[name]);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** The texts, some of which are null, and the lists of texts that it consists of. */
function readArchitecture(raw: unknown): unknown {
  if (!isRecord(raw)) return undefined;
  const fields = Object.entries(raw).map(([field, value]) => {
    if (field.endsWith("_modalities")) return [field, textsOf(value)];
    return [field, value === null ? null : optionalText(value)];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Prices in our form are decimal text per unit; some vendors state numbers per million, which are left out. */
function readPricing(raw: unknown): unknown {
  if (!isRecord(raw)) return undefined;
  const prices = Object.entries(raw).filter(([, price]) => typeof price === "string");
  return prices.length > 0 ? Object.fromEntries(prices) : undefined;
}
