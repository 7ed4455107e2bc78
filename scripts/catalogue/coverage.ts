import type { Rates } from "../../src/engine/api/rates.ts";
import { plainName } from "../../src/engine/metering/lines.ts";
import type { Prices } from "../../src/engine/ports/prices.ts";
import { classify } from "./classes.ts";
import { type MapEntry, readMapEntries } from "./price-map.ts";

/** A rate of the map that the catalogue has not, or has at another value. */
export interface Difference {
  readonly model: string;
  readonly rate: string;
  readonly ours: number | undefined;
  readonly map: number | undefined;
  /** Why; see {@link classify}. */
  readonly reason: string;
}

/** How the models of one provider compare with the map. */
export interface Coverage {
  readonly models: number;
  /** Found, and with a price where the map has one. */
  readonly known: number;
  /** Of the known: every plain rate is the same to one in ten thousand. */
  readonly equal: number;
  /** Of the known: every rate of the map is stated. */
  readonly complete: number;
  /** Of the known: every rate of the map is stated, and is the same to one in ten thousand. */
  readonly same: number;
  readonly differences: readonly Difference[];
}

/** The comparison with the price map, by provider. */
export function compareWithMap(prices: Prices, at: number): Map<string, Coverage> {
  const found = new Map<string, Coverage>();
  const day = new Date(at).toISOString().slice(0, 10);
  const entries = readMapEntries().filter(({ retires }) => retires === undefined || retires > day);
  for (const entry of entries) {
    const { provider, name } = entry.model;
    const others = entries.filter(
      ({ model }) => model !== entry.model && model.name === name && model.provider === provider,
    );
    const terms = { prices, at, others: others.flatMap(({ model }) => model.periods.map(({ rates }) => rates)) };
    found.set(provider, addUp(found.get(provider), compareEntry(entry, terms)));
  }
  return found;
}

/** The sum over several providers. */
export function addUp(a: Coverage | undefined, b: Coverage): Coverage {
  if (!a) return b;
  return {
    models: a.models + b.models,
    known: a.known + b.known,
    equal: a.equal + b.equal,
    complete: a.complete + b.complete,
    same: a.same + b.same,
    differences: [...a.differences, ...b.differences],
  };
}

interface Terms {
  readonly prices: Prices;
  readonly at: number;
  /** Rates that other lines of the map state for the same model. */
  readonly others: readonly Rates[];
}

function compareEntry({ model, unknownRates }: MapEntry, { prices, at, others }: Terms): Coverage {
  const id = `${model.provider}/${model.name}`;
  const theirs = model.periods[0]?.rates;
  const facts = prices.find(model.provider, model.name, at);
  const ours = facts?.rates;
  const isKnown = theirs ? ours !== undefined : facts !== undefined;
  if (!isKnown) {
    const lost = { model: id, rate: "", ours: undefined, map: theirs?.input_cost_per_token, reason: "unknown" };
    return { models: 1, known: 0, equal: 0, complete: 0, same: 0, differences: [lost] };
  }
  const stated = Object.keys(theirs ?? {});
  const differing = stated.filter((name) => !isSame(theirs?.[name], ours?.[name]));
  const missing = [...stated.filter((name) => isMissing(theirs?.[name], ours?.[name])), ...unknownRates];
  const differences = [...new Set([...differing, ...missing])].map((rate) => {
    const [own, map] = [dollarsOf(ours, rate), dollarsOf(theirs, rate)];
    const otherLines = others.flatMap((rates) => dollarsOf(rates, rate) ?? []);
    const { provider, name } = model;
    return { model: id, rate, ours: own, map, reason: classify({ provider, name, rate, ours: own, map, otherLines }) };
  });
  const count = (is: boolean) => (is ? 1 : 0);
  return {
    models: 1,
    known: 1,
    equal: count(differing.every((name) => plainName(name) !== name || isDerived(name, stated))),
    complete: count(missing.length === 0),
    same: count(missing.length + differing.length === 0),
    differences,
  };
}

const tokenRates = ["input_cost_per_token", "output_cost_per_token"];

/** Where a model sells by the token, only these rates are its plain price. */
function isDerived(name: string, stated: readonly string[]): boolean {
  return stated.some((each) => tokenRates.includes(each)) && !tokenRates.includes(name);
}

function isMissing(theirs: unknown, ours: unknown): boolean {
  return ours === undefined && theirs !== 0;
}

function isSame(theirs: unknown, ours: unknown): boolean {
  if (typeof theirs === "object" && theirs !== null)
    return Object.entries(theirs).every(([size, fee]) =>
      isSame(fee, typeof ours === "object" && ours !== null ? (ours as Record<string, unknown>)[size] : ours),
    );
  if (typeof theirs !== "number") return false;
  if (ours === undefined) return theirs === 0;
  return typeof ours === "number" && Math.abs(ours - theirs) <= 1e-4 * Math.max(ours, theirs);
}

/** The number that a rate is, or that of its medium size. */
function dollarsOf(rates: Rates | undefined, name: string): number | undefined {
  const rate = rates?.[name];
  if (typeof rate === "number") return rate;
  return typeof rate === "object" && rate !== null
    ? (rate as Record<string, number>).search_context_size_medium
    : undefined;
}
