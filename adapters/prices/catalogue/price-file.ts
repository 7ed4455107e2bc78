import { rateCodes } from "./format.ts";
import { fromModelsDev, isModelsDev } from "./models-dev.ts";

type PriceFileFields = Readonly<Record<string, unknown>>;

/** A price file in one of the known formats, as entries of one. */
export interface PriceFile {
  readonly entries: readonly (readonly [model: string, value: unknown])[];
  /** What is left out or cannot be billed, in one sentence each; at most one. */
  readonly warnings: readonly string[];
}

/**
 * Reads a price file in our own format, in the common per-token map format or in that of models.dev. A common map holds more than prices
 * and changes often: its entries that are no model are left out, and rates that no bill knows stay without effect; the warning names both.
 */
export function readPriceFile(file: Readonly<Record<string, unknown>>): PriceFile {
  const prices = isModelsDev(file) ? fromModelsDev(file) : file;
  const isCommonMap = Object.values(prices).some(isCommonEntry);
  const others: string[] = [];
  const newRates = new Set<string>();
  const entries = Object.entries(prices).flatMap(([model, value]): [string, unknown][] => {
    // The documentation of the format, written as an entry of it.
    if (model === "sample_spec") return [];
    if (isCommonMap && isNoModel(model, value)) {
      others.push(model);
      return [];
    }
    return [[model, isCommonEntry(value) ? withoutUnusable(value, newRates) : value]];
  });
  return { entries, warnings: writeWarnings(others, [...newRates].sort()) };
}

function isFields(value: unknown): value is PriceFileFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True of an entry that says whose price it is in the words of the common map. */
function isCommonEntry(value: unknown): value is PriceFileFields {
  return isFields(value) && typeof value.litellm_provider === "string";
}

const isRateName = (name: string) => /_cost|cost_per_/.test(name);

/** True of an entry without a provider and without a rate: rules and notes, which stand beside the models of a common map. */
function isNoModel(model: string, value: unknown): boolean {
  if (!isFields(value)) return !Array.isArray(value) && !model.includes("/");
  if (isCommonEntry(value)) return false;
  return !Object.keys(value).some(
    (name) => isRateName(name) || name === "effective_from" || /^max_\w*tokens$/.test(name),
  );
}

const knownRates: ReadonlySet<string> = new Set(Object.values(rateCodes).map(({ name }) => name));
const imageVariant = /^output_cost_per_image_(?:above_\d+_and_\d+_pixels|(?:low|medium|high|auto)_quality)$/;
const variantEnding = /(?:_above_\d+k_tokens)?(?:_priority|_flex|_batches|_decisions|_ultrafast)?$/;

function isKnownRate(name: string): boolean {
  return knownRates.has(name.replace(variantEnding, "")) || imageVariant.test(name);
}

/** An entry without unknown rates that are no number; the names of all unknown ones are collected. */
function withoutUnusable(entry: PriceFileFields, newRates: Set<string>): PriceFileFields {
  const fields = Object.entries(entry).filter(([name, value]) => {
    if (!isRateName(name)) return true;
    if (value === null) return false;
    if (isKnownRate(name)) return true;
    newRates.add(name);
    return typeof value === "number" && value >= 0;
  });
  return Object.fromEntries(fields);
}

/** Names in a warning, before it only counts. */
const mostNames = 8;

function writeWarnings(others: readonly string[], newRates: readonly string[]): string[] {
  const parts = [
    ...(others.length > 0 ? [`left out what is no model: ${nameSome(others)}`] : []),
    ...(newRates.length > 0 ? [`rates that no bill uses: ${nameSome(newRates)}`] : []),
  ];
  return parts.length === 0 ? [] : [`The price file is taken; ${parts.join("; ")}.`];
}

function nameSome(names: readonly string[]): string {
  const more = names.length - mostNames;
  return names.slice(0, mostNames).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
