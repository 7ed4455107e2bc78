import { isDeepStrictEqual } from "node:util";
import { splitLocation } from "../../adapters/prices/catalogue/locations.ts";
import { spellingsOf } from "../../src/engine/routing/model-spelling.ts";
import { enrichDates } from "./enrich.ts";
import { corrections, extraModels } from "./facts.ts";
import { fillRates } from "./fill.ts";
import { withoutLocations } from "./locate.ts";
import type { SourceData, SourceModel } from "./model.ts";
import { addFacts } from "./overlay.ts";
import type { SourceKey } from "./sources.ts";
import { type BySource, choosePrices, compareSources, type Disagreement, priceOrder } from "./vote.ts";

/** The catalogue before it is written down. */
export interface Merged {
  readonly models: readonly SourceModel[];
  readonly disagreements: readonly Disagreement[];
  /** Models whose price at least two sources state. */
  readonly compared: number;
}

/** Whose context sizes to take: one list cuts windows to what its own program uses, so it comes last. */
const contextOrder = [
  "genai",
  "modelsdev",
  "litellm",
  "tokenlens",
  "pi",
  "map",
] as const satisfies readonly SourceKey[];

/** One catalogue out of all sources, with what they disagree on. */
export function mergeSources(all: readonly SourceData[], today: string): Merged {
  const found = collectModels(all.map(withoutLocations));
  const disagreements: Disagreement[] = [];
  const models: SourceModel[] = [];
  let compared = 0;
  for (const [id, sources] of found) {
    const chosen = choosePrices(id, sources, today);
    const differing = compareSources(id, sources, { today, chosen });
    if (differing.isCompared) compared += 1;
    disagreements.push(...differing.list);
    models.push(mergeModel(id, sources, { chosen, today }));
  }
  const isInMap = ({ provider, name }: SourceModel) => found.get(idOf(provider, name))?.map !== undefined;
  for (const { provider, name, rates } of extraModels)
    if (!found.has(`${provider}/${name}`))
      models.push({ provider, name, aliases: [], inputs: ["text"], outputs: [], parameters: [], periods: [{ rates }] });
  return {
    models: dropRepeats(enrichDates(fillSizes(models), { today, isInMap })).map(addFacts),
    disagreements,
    compared,
  };
}

const datedName = /[-@](?:\d{4}-\d{2}-\d{2}|\d{8}|default)$/;

function idOf(provider: string, name: string): string {
  return `${provider}/${name}`.toLowerCase();
}

/** Every listed model with what each source says of it, by lower-case `provider/name`; aliases answer for their model. */
function collectModels(all: readonly SourceData[]): Map<string, BySource> {
  const found = new Map<string, BySource>();
  for (const { key, models } of all)
    for (const model of models) {
      const id = idOf(model.provider, model.name);
      const sources = found.get(id) ?? {};
      sources[key] = model;
      found.set(id, sources);
    }
  for (const { key, models } of all) {
    const others = new Map(
      models.flatMap((model) => model.aliases.map((alias) => [idOf(model.provider, alias), model] as const)),
    );
    for (const [id, sources] of found) {
      const undated = id.replace(datedName, "");
      // The curated list names a model once and means its dated names too.
      const dated = key === "genai" ? (found.get(undated)?.genai ?? others.get(undated)) : undefined;
      const known = sources[key] ?? others.get(id) ?? dated;
      if (known) sources[key] = known;
    }
  }
  return found;
}

interface Choice {
  readonly chosen: SourceKey | "vendor" | undefined;
  readonly today: string;
}

function mergeModel(id: string, sources: BySource, { chosen, today }: Choice): SourceModel {
  const each = priceOrder.flatMap((key) => sources[key] ?? []);
  const named = each.find((model) => `${model.provider}/${model.name}`.toLowerCase() === id)!;
  const context = contextOrder.map((key) => sources[key]?.contextLength).find((size) => size !== undefined);
  // The map writes the window where it does not know the largest answer.
  const others = priceOrder.flatMap((key) => (key === "map" ? [] : (sources[key]?.maxOutputTokens ?? [])));
  const largest = others.length > 0 ? Math.max(...others) : (sources.map?.maxOutputTokens ?? 0);
  const mode = each.map((model) => model.mode).find((known) => known !== undefined && known !== "chat");
  const union = (list: "inputs" | "outputs" | "parameters") =>
    [...new Set(each.flatMap((model) => model[list]))].sort();
  const ownAliases = each
    .filter((model) => model.name.toLowerCase() === named.name.toLowerCase())
    .flatMap((model) => model.aliases);
  return {
    provider: named.provider,
    name: named.name,
    aliases: [...new Set(ownAliases)],
    ...(mode === undefined ? {} : { mode }),
    ...(context === undefined ? {} : { contextLength: context }),
    ...(largest > 0 ? { maxOutputTokens: context === undefined ? largest : Math.min(largest, context) } : {}),
    inputs: union("inputs"),
    outputs: union("outputs"),
    parameters: union("parameters"),
    periods: chosen === "vendor" ? corrections[id]!.periods : chosen ? fillRates(sources, chosen, today) : [],
  };
}

/** Sizes and abilities of undated names whose sources know them of their dated names only. */
function fillSizes(models: readonly SourceModel[]): SourceModel[] {
  const sized = models.filter(({ maxOutputTokens }) => maxOutputTokens !== undefined);
  const byBase = new Map(sized.map((model) => [idOf(model.provider, model.name).replace(datedName, ""), model]));
  return models.map((model) => {
    if (model.maxOutputTokens !== undefined) return model;
    const names = [model.name.replace(/-latest$/, ""), ...model.aliases];
    const dated = names.flatMap((name) => byBase.get(idOf(model.provider, name)) ?? [])[0];
    if (!dated) return model;
    const { inputs, outputs, parameters, maxOutputTokens } = dated;
    return { ...model, inputs, outputs, parameters, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) };
  });
}

/** Leaves out names that cost the same and are as large as the model that a look-up of their spellings finds without them. */
function dropRepeats(models: readonly SourceModel[]): SourceModel[] {
  const known = new Map<string, SourceModel>();
  for (const model of models) for (const alias of model.aliases) known.set(idOf(model.provider, alias), model);
  for (const model of models) known.set(idOf(model.provider, model.name), model);
  return models.filter((model) => {
    if (splitLocation(model.provider, model.name.toLowerCase())) return true;
    const spellings = [...spellingsOf(model.provider, model.name)].slice(1);
    const base = spellings.flatMap((name) => known.get(idOf(model.provider, name)) ?? [])[0];
    const isDropped = base !== undefined && base !== model && isRepeat(model, base);
    if (isDropped) known.delete(idOf(model.provider, model.name));
    return !isDropped;
  });
}

function isRepeat(model: SourceModel, base: SourceModel): boolean {
  const isSameSize = (["contextLength", "maxOutputTokens"] as const).every(
    (size) => (model[size] ?? base[size]) === base[size],
  );
  return isSameSize && isDeepStrictEqual(model.periods, base.periods);
}
