import { memo } from "../../../src/ports/memo.ts";
import type { ModelFacts } from "../../../src/ports.ts";
import { type Entry, factsAt, given, toEntry, withRates } from "./entry.ts";
import { decodeModel } from "./format.ts";
import { otherNames } from "./names.ts";
import type { Override, Overrides } from "./overrides.ts";

/** Names that a shelf remembers, found or not. */
const rememberedNames = 4_000;

/** One provider's models. Its lines are read one by one, as each is first looked up. */
export interface Shelf {
  readonly provider: string;
  readonly overrides: Overrides | undefined;
  /** By name and alias in lower case: the line, or the entry once it was read. */
  readonly listed: Map<string, string | Entry>;
  /** What an asked name stands for. */
  readonly find: (model: string) => Found;
}

/** What an asked name stands for. */
interface Found {
  /** Bare of facts when only an override knows the model. */
  readonly entry: Entry | undefined;
  readonly isListed: boolean;
  /** The overrides that are about it, each by the time from which on it holds; the last one that holds is meant. */
  readonly overrides: readonly Override[];
  /** The facts with an override over them. */
  readonly merged: Map<Override, Map<ModelFacts, ModelFacts>>;
}

/** A shelf with the models of a snapshot's text. */
export function openShelf(
  provider: string,
  { text, overrides }: { text: string; overrides: Overrides | undefined },
): Shelf {
  const listed = new Map<string, string | Entry>();
  const lines = text === "" ? [] : text.split("\n");
  for (const line of lines) {
    const [, aliases] = /\|=([^|]*)/.exec(line) ?? [];
    for (const alias of aliases?.split(" ") ?? []) listed.set(alias.toLowerCase(), line);
  }
  // After the aliases: a name of its own wins over another model's alias.
  for (const line of lines) listed.set(nameOf(line).toLowerCase(), line);
  const shelf: Shelf = { provider, overrides, listed, find: memo((model) => findIn(shelf, model), rememberedNames) };
  return shelf;
}

/** The facts of a model at a time. */
export function findOn(shelf: Shelf, model: string, at: number): ModelFacts | undefined {
  const { entry, isListed, overrides, merged } = shelf.find(model);
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

/** The names of all models on a shelf, those of the overrides included, sorted. */
export function listNames({ provider, listed, overrides }: Shelf): string[] {
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

function findIn(shelf: Shelf, model: string): Found {
  const listed = findEntry(shelf, model);
  const overrides = findOverrides(shelf, model, listed);
  const bare = overrides.length > 0 ? toEntry(shelf.provider, { name: model, aliases: [], periods: [] }) : undefined;
  return { entry: listed ?? bare, isListed: listed !== undefined, overrides, merged: new Map() };
}

function findEntry(shelf: Shelf, model: string): Entry | undefined {
  const exact = readEntry(shelf, model);
  if (exact) return exact;
  for (const name of otherNames(shelf.provider, model)) {
    const entry = readEntry(shelf, name);
    if (entry) return entry;
  }
  return undefined;
}

function readEntry(shelf: Shelf, name: string): Entry | undefined {
  const line = shelf.listed.get(name);
  if (typeof line !== "string") return line;
  const model = decodeModel(line);
  const entry = toEntry(shelf.provider, model);
  for (const each of [model.name, ...model.aliases])
    if (shelf.listed.get(each.toLowerCase()) === line) shelf.listed.set(each.toLowerCase(), entry);
  return entry;
}

const none: readonly Override[] = [];

/**
 * What overrides say of the asked name, of the model that it stands for, and of all whose name begins so, the closest last: one whose
 * day has not come leaves the price to the others.
 */
function findOverrides({ provider, overrides }: Shelf, model: string, entry: Entry | undefined): readonly Override[] {
  if (!overrides) return none;
  const asked = `${provider}/${model}`.toLowerCase();
  const listed = entry ? `${provider}/${entry.unpriced.model}`.toLowerCase() : asked;
  const prefixes = overrides.prefixes.filter((each) => asked.startsWith(each)).map((each) => `${each}*`);
  const names = new Set([asked, listed, ...prefixes]);
  return [...names].toReversed().flatMap((name) => overrides.byName.get(name) ?? none);
}

function mergeFacts(known: ModelFacts, { isWhole, facts }: Override): ModelFacts {
  const rates = isWhole ? facts.rates : { ...known.rates, ...facts.rates };
  // A price file knows the prompt's limit; the window is at least that.
  const window = Math.max(known.context_length ?? 0, facts.max_input_tokens ?? 0);
  const merged = { ...known, ...facts, ...given("context_length", window || undefined) };
  return rates && Object.keys(rates).length > 0 ? withRates(merged, { ...rates }) : Object.freeze(merged);
}
