import type { ModelFacts } from "../../../src/engine/ports/prices.ts";
import { bareName, spellingsOf } from "../../../src/engine/routing/model-spelling.ts";
import { memo } from "../../../src/engine/runtime/memo.ts";
import { type Entry, factsAt, optional, relocate, toEntry, withRates } from "./entry.ts";
import { decodeModel } from "./format.ts";
import { type LocatedName, locationFactor, splitLocation } from "./locations.ts";
import type { Override, Overrides } from "./overrides.ts";

/** Names that an index remembers, found or not. */
const rememberedNames = 4_000;

/** One provider's models. Its lines are read one by one, as each is first looked up. */
export interface PriceIndex {
  readonly provider: string;
  /** The known provider at whose prices it sells; locations and spellings are those of this one. */
  readonly family: string;
  readonly overrides: Overrides | undefined;
  /** By name and alias in lower case: the line, or the entry once it was read. */
  readonly listed: Map<string, string | Entry>;
  /** Names that are listed, by what is left of them without decorations; made when a look-up first needs it. */
  readonly byBareName: () => ReadonlyMap<string, string>;
  /** Entries at the price of a location, by their name with the location. */
  readonly located: Map<string, Entry>;
  readonly find: (model: string) => Found;
}

/** What a name stands for. */
interface Found {
  /** Bare of facts when only an override knows the model. */
  readonly entry: Entry | undefined;
  readonly isListed: boolean;
  /** The overrides that are about it, each by the time from which on it holds; the last one that holds is meant. */
  readonly overrides: readonly Override[];
  /** The facts with an override over them. */
  readonly merged: Map<Override, Map<ModelFacts, ModelFacts>>;
}

/** What a {@link PriceIndex} is made of. */
export interface IndexSource {
  readonly family: string;
  /** Lines of a snapshot. */
  readonly text: string;
  readonly overrides: Overrides | undefined;
}

/** An index of the models in a snapshot's text. */
export function openPriceIndex(provider: string, { family, text, overrides }: IndexSource): PriceIndex {
  const listed = new Map<string, string | Entry>();
  const lines = text === "" ? [] : text.split("\n");
  for (const line of lines) {
    const [, aliases] = /\|=([^|]*)/.exec(line) ?? [];
    for (const alias of aliases?.split(" ") ?? []) listed.set(alias.toLowerCase(), line);
  }
  // After the aliases: a name of its own wins over another model's alias.
  for (const line of lines) listed.set(nameOf(line).toLowerCase(), line);
  let byBareName: ReadonlyMap<string, string> | undefined;
  const index: PriceIndex = {
    provider,
    family,
    overrides,
    listed,
    byBareName: () => {
      byBareName ??= collectBareNames(family, [...listed.keys()]);
      return byBareName;
    },
    located: new Map(),
    find: memo((model) => findIn(index, model), rememberedNames),
  };
  return index;
}

/** Of several dates of a model the latest. */
function collectBareNames(family: string, names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.toSorted().map((name) => [bareName(family, name), name]));
}

/** The facts of a model at a time. */
export function findPrice(index: PriceIndex, model: string, at: number): ModelFacts | undefined {
  const { entry, isListed, overrides, merged } = index.find(model);
  if (!entry) return undefined;
  const known = factsAt(entry, at);
  const override = overrides.length === 0 ? undefined : overrides.findLast(({ from }) => at >= from);
  if (!override) return isListed ? known : undefined;
  const byFacts = merged.get(override) ?? new Map<ModelFacts, ModelFacts>();
  merged.set(override, byFacts);
  const facts = byFacts.get(known) ?? mergeFacts(known, override);
  byFacts.set(known, facts);
  return facts;
}

/** The names of all models of an index, those of the overrides included, sorted. */
export function listNames({ provider, listed, overrides }: PriceIndex): string[] {
  const own = [...listed.values()].map((each) => (typeof each === "string" ? nameOf(each) : each.unpriced.model));
  const added = [...(overrides?.byName.keys() ?? [])]
    .filter((name) => name.startsWith(`${provider}/`) && !name.endsWith("*"))
    .map((name) => name.slice(provider.length + 1));
  return [...new Set([...own, ...added.filter((name) => !listed.has(name))])].sort();
}

function nameOf(line: string): string {
  const end = line.indexOf("|");
  return end < 0 ? line : line.slice(0, end);
}

function findIn(index: PriceIndex, model: string): Found {
  const listed = findEntry(index, model);
  const overrides = findOverrides(index, model, listed);
  const bare = overrides.length > 0 ? toEntry(index.provider, { name: model, aliases: [], periods: [] }) : undefined;
  return { entry: listed ?? bare, isListed: listed !== undefined, overrides, merged: new Map() };
}

/** The closest of all listings: of each spelling with its location, then without it; at last of the name without anything. */
function findEntry(index: PriceIndex, model: string): Entry | undefined {
  const { family } = index;
  const name = model.toLowerCase();
  const split = findLocation(family, name);
  const located = split && findSpelling(index, split.name, split.prefix);
  if (located) return located;
  const whole = findSpelling(index, name, "");
  if (whole) return whole;
  return findBare(index, name, "") ?? (split && findBare(index, split.name, split.prefix));
}

/** The location of a name, which may stand behind a prefix that spellings leave out. */
function findLocation(family: string, name: string): LocatedName | undefined {
  for (const spelling of spellingsOf(family, name)) {
    const split = splitLocation(family, spelling);
    if (split) return split;
  }
  return undefined;
}

function findSpelling(index: PriceIndex, name: string, prefix: string): Entry | undefined {
  for (const spelling of spellingsOf(index.family, name)) {
    const listed = readEntry(index, prefix + spelling);
    if (listed) return locate(index, listed, undefined);
    const anywhere = prefix === "" ? undefined : readEntry(index, spelling);
    if (anywhere) return locate(index, anywhere, prefix);
  }
  return undefined;
}

function findBare(index: PriceIndex, name: string, prefix: string): Entry | undefined {
  const listed = index.byBareName().get(bareName(index.family, name));
  const entry = listed === undefined ? undefined : readEntry(index, listed);
  return entry && locate(index, entry, prefix || undefined);
}

function readEntry(index: PriceIndex, name: string): Entry | undefined {
  const line = index.listed.get(name);
  if (typeof line !== "string") return line;
  const model = decodeModel(line);
  const entry = toEntry(index.provider, model);
  for (const each of [model.name, ...model.aliases])
    if (index.listed.get(each.toLowerCase()) === line) index.listed.set(each.toLowerCase(), entry);
  return entry;
}

/** The entry at the price of a location; what is listed with its location has that price already. */
function locate(index: PriceIndex, entry: Entry, prefix: string | undefined): Entry {
  const { family, located } = index;
  const base = entry.unpriced.model;
  if (prefix === undefined && splitLocation(family, base.toLowerCase())) return entry;
  const location = prefix?.replace(/[./]$/, "") ?? "";
  const factor = locationFactor(family, location, base.toLowerCase());
  // A location that costs the same as no location is no price of its own.
  if (factor === locationFactor(family, "", base.toLowerCase()) && prefix !== undefined)
    return locate(index, entry, undefined);
  if (factor === 1 && prefix === undefined) return entry;
  const name = `${prefix ?? ""}${base}`;
  const known = located.get(name) ?? relocate(entry, name, factor);
  located.set(name, known);
  return known;
}

const none: readonly Override[] = [];

/**
 * What overrides say of a name, of the model that it stands for, in its location and without, and of all whose name begins so, the
 * closest last: one whose day has not come leaves the price to the others.
 */
function findOverrides(
  { provider, family, overrides }: PriceIndex,
  model: string,
  entry: Entry | undefined,
): readonly Override[] {
  if (!overrides) return none;
  const own = model.toLowerCase();
  const listed = entry?.unpriced.model.toLowerCase() ?? own;
  const anywhere = splitLocation(family, listed)?.name ?? listed;
  const names = [own, listed, anywhere].map((name) => `${provider}/${name}`);
  const prefixes = overrides.prefixes.filter((each) => names[0]!.startsWith(each)).map((each) => `${each}*`);
  return [...new Set([...names, ...prefixes])].toReversed().flatMap((name) => overrides.byName.get(name) ?? none);
}

function mergeFacts(known: ModelFacts, { isWhole, facts }: Override): ModelFacts {
  const rates = isWhole ? facts.rates : { ...known.rates, ...facts.rates };
  // A price file knows the prompt's limit; the window is at least that.
  const window = Math.max(known.context_length ?? 0, facts.max_input_tokens ?? 0);
  const merged = { ...known, ...facts, ...optional("context_length", window || undefined) };
  return rates && Object.keys(rates).length > 0 ? withRates(merged, { ...rates }) : Object.freeze(merged);
}
