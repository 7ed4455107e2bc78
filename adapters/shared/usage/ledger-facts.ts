import { noSums, type Sums } from "../../../src/engine/metering/usage/sums.ts";
import type { Dimension, DimensionValue, LedgerEntry } from "../../../src/engine/ports/ledger.ts";

/** What is counted of an entry for one target: of the request itself for the target that was asked last, of each attempt for its own. */
export interface LedgerFact {
  /** What it is a fact of, as far as it is known: of summed facts only what they are summed by. */
  readonly entry: Pick<LedgerEntry, "at"> & Partial<LedgerEntry>;
  readonly provider: string | null;
  /** `provider/model`. */
  readonly model: string | null;
  readonly sums: Sums;
}

/** An entry taken apart into facts, attempts of the same target together; the one that holds the request comes first. */
export function listFacts(entry: LedgerEntry): readonly LedgerFact[] {
  const { attempts } = entry;
  const sums = noSums();
  sums.requests = 1;
  sums.failures = entry.status >= 400 ? 1 : 0;
  sums.cache_hits = entry.cache === undefined ? 0 : 1;
  sums.saved = entry.saved;
  sums.saved_prompt_tokens = entry.saved_prompt_tokens;
  sums.saved_completion_tokens = entry.saved_completion_tokens;
  sums.latency = entry.latency;
  const facts: LedgerFact[] = [{ entry, ...targetOf(entry), sums }];
  for (const attempt of attempts) {
    let fact = facts.find(({ model, provider }) => model === attempt.model && provider === attempt.provider);
    if (!fact) {
      fact = { entry, provider: attempt.provider, model: attempt.model, sums: noSums() };
      facts.push(fact);
    }
    const { sums: own } = fact;
    own.attempts += 1;
    own.prompt_tokens += attempt.prompt_tokens;
    own.completion_tokens += attempt.completion_tokens;
    own.cached_read_tokens += attempt.cached_read_tokens;
    own.cached_write_tokens += attempt.cached_write_tokens;
    own.reasoning_tokens += attempt.reasoning_tokens;
    own.cost += attempt.cost;
    own.unpriced += attempt.is_unpriced ? 1 : 0;
    own.estimated += attempt.is_estimated ? 1 : 0;
  }
  return facts;
}

/** A longer name of a model is no name, and nothing to sum usage by. */
const longestModel = 256;

/** Refusals of callers and of models that nobody knows: a sum for each name that anybody sends would have no bound. */
const unknown: ReadonlySet<number> = new Set([401, 404]);

/** The target that a request counts for: the one that was asked last, or the model that the caller asked for where nobody was. */
export function targetOf({ attempts, status, model_requested }: LedgerEntry): Pick<LedgerFact, "provider" | "model"> {
  const last = attempts.at(-1);
  if (last) return { provider: last.provider, model: last.model };
  const isNamed = model_requested !== "" && model_requested.length <= longestModel && !unknown.has(status);
  return { provider: null, model: isNamed ? model_requested : null };
}

/** The value that a fact has in a dimension; all but `provider` and `model` are the request's. */
export function readDimension({ entry, provider, model }: LedgerFact, dimension: Dimension): DimensionValue {
  if (dimension === "provider") return provider;
  if (dimension === "model") return model;
  if (dimension === "hour") return formatHour(hourOf(entry.at));
  if (dimension === "day") return formatDay(dayOf(entry.at));
  if (dimension === "month") return formatMonth(monthOf(dayOf(entry.at)));
  if (dimension.startsWith("metadata.")) return readTag(entry.metadata ?? {}, dimension.slice("metadata.".length));
  return entry[dimension as "key_id"] ?? null; // the rest are fields of the entry by their own name
}

/** A tag may be called `constructor`. */
function readTag(tags: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(tags, name) ? (tags[name] ?? null) : null;
}

/** Milliseconds of a day. */
export const dayLength = 86_400_000;

/** Days since the epoch. */
export function dayOf(instant: number): number {
  return Math.floor(instant / dayLength);
}

/** Milliseconds of an hour. */
export const hourLength = 3_600_000;

/** Hours since the epoch. */
export function hourOf(instant: number): number {
  return Math.floor(instant / hourLength);
}

/** `2026-11-20T13`. */
export function formatHour(hour: number): string {
  return new Date(hour * hourLength).toISOString().slice(0, 13);
}

/** The number of an hour that is written `2026-11-20T13`; undefined for anything else. */
export function readHour(value: DimensionValue): number | undefined {
  const hour = Date.parse(`${value}:00:00Z`) / hourLength;
  return Number.isInteger(hour) && formatHour(hour) === value ? hour : undefined;
}

/** The day that holds an hour. */
export function dayOfHour(hour: number): number {
  return Math.floor(hour / 24);
}

/** `2026-11-20`. */
export function formatDay(day: number): string {
  return new Date(day * dayLength).toISOString().slice(0, 10);
}

/** Months since the epoch of the month that holds a day. */
export function monthOf(day: number): number {
  const date = new Date(day * dayLength);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first day of a month. */
export function firstDayOf(month: number): number {
  return Date.UTC(1970, month) / dayLength;
}

/** `2026-11`. */
export function formatMonth(month: number): string {
  return formatDay(firstDayOf(month)).slice(0, 7);
}
