import type { Rates } from "../../src/api/rates.ts";
import { additions, corrections, extraModels, multiples, serviceTiers } from "./facts.ts";
import type { Period, SourceData, SourceModel } from "./model.ts";
import type { SourceKey } from "./sources.ts";

/** Two or more sources whose figures for one rate differ by more than one in a hundred. */
export interface Disagreement {
  readonly model: string;
  readonly rate: string;
  /** Dollars per unit by source. */
  readonly figures: Partial<Record<SourceKey, number>>;
  /** Whose figure the catalogue has. */
  readonly chosen: SourceKey | "vendor";
}

/** The catalogue before it is written down. */
export interface Merged {
  readonly models: readonly SourceModel[];
  readonly disagreements: readonly Disagreement[];
  /** Models whose price at least two sources state. */
  readonly compared: number;
}

type BySource = Partial<Record<SourceKey, SourceModel>>;

/** Whose prices to take, first to last: curated, then the newest. */
const priceOrder = ["genai", "pi", "modelsdev", "litellm", "tokenlens"] as const satisfies readonly SourceKey[];
/** Whose context sizes to take: one list cuts windows to what its own program uses, so it comes last. */
const contextOrder = ["genai", "modelsdev", "litellm", "tokenlens", "pi"] as const satisfies readonly SourceKey[];

/** One catalogue out of all sources, with what they disagree on. */
export function mergeSources(all: readonly SourceData[], today: string): Merged {
  const found = collectModels(all);
  const disagreements: Disagreement[] = [];
  const models: SourceModel[] = [];
  let compared = 0;
  for (const [id, sources] of found) {
    const chosen = choosePrices(id, sources, today);
    const differing = compareSources(id, sources, { today, chosen });
    if (differing.isCompared) compared += 1;
    disagreements.push(...differing.list);
    models.push(mergeModel(id, sources, chosen));
  }
  for (const { provider, name, rates } of extraModels)
    if (!found.has(`${provider}/${name}`))
      models.push({ provider, name, aliases: [], inputs: ["text"], outputs: [], parameters: [], periods: [{ rates }] });
  return { models: dropRepeats(fillSizes(models)).map(addFacts), disagreements, compared };
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

/** The first source with a price; unless lists that do not copy from each other agree against it. */
function choosePrices(id: string, sources: BySource, today: string): SourceKey | "vendor" | undefined {
  if (corrections[id]) return "vendor";
  const first = priceOrder.find((key) => sources[key]?.periods.length);
  if (first !== "genai") return first;
  const rivals = [sources.pi ? "pi" : "modelsdev", "litellm"] as const;
  const [a, b] = rivals.map((key) => currentRates(sources[key], today));
  const own = currentRates(sources.genai, today);
  const isOutvoted = a && b && own && isClose(a, b) && !isClose(a, own);
  return isOutvoted ? rivals[0] : first;
}

const comparedRates = ["input_cost_per_token", "output_cost_per_token", "cache_read_input_token_cost"] as const;

function isClose(a: Rates, b: Rates): boolean {
  return (["input_cost_per_token", "output_cost_per_token"] as const).every(
    (name) => !differs([a[name] ?? 0, b[name] ?? 0]),
  );
}

function differs(figures: readonly number[]): boolean {
  return Math.max(...figures) - Math.min(...figures) > 0.01 * Math.max(...figures);
}

/** The rates of today, outside daily windows. */
function currentRates(model: SourceModel | undefined, today: string): Rates | undefined {
  return model?.periods.filter(({ from, window }) => !window && (from === undefined || from <= today)).at(-1)?.rates;
}

function compareSources(
  id: string,
  sources: BySource,
  { today, chosen }: { today: string; chosen: SourceKey | "vendor" | undefined },
): { isCompared: boolean; list: Disagreement[] } {
  const priced = priceOrder.filter((key) => key !== "tokenlens" && currentRates(sources[key], today));
  const list: Disagreement[] = [];
  for (const rate of comparedRates) {
    const known = priced.flatMap((key) => {
      const figure = currentRates(sources[key], today)?.[rate];
      return figure === undefined ? [] : [[key, figure] as const];
    });
    if (chosen && known.length > 1 && differs(known.map(([, figure]) => figure)))
      list.push({ model: id, rate, figures: Object.fromEntries(known), chosen });
  }
  return { isCompared: priced.length > 1, list };
}

function mergeModel(id: string, sources: BySource, chosen: SourceKey | "vendor" | undefined): SourceModel {
  const each = priceOrder.flatMap((key) => sources[key] ?? []);
  const named = each.find((model) => `${model.provider}/${model.name}`.toLowerCase() === id)!;
  const context = contextOrder.map((key) => sources[key]?.contextLength).find((size) => size !== undefined);
  const largest = Math.max(0, ...each.map((model) => model.maxOutputTokens ?? 0));
  const union = (list: "inputs" | "outputs" | "parameters") =>
    [...new Set(each.flatMap((model) => model[list]))].sort();
  const ownAliases = each
    .filter((model) => model.name.toLowerCase() === named.name.toLowerCase())
    .flatMap((model) => model.aliases);
  return {
    provider: named.provider,
    name: named.name,
    aliases: [...new Set(ownAliases)],
    ...(context === undefined ? {} : { contextLength: context }),
    ...(largest > 0 ? { maxOutputTokens: context === undefined ? largest : Math.min(largest, context) } : {}),
    inputs: union("inputs"),
    outputs: union("outputs"),
    parameters: union("parameters"),
    periods: chosen === "vendor" ? corrections[id]!.periods : chosen === undefined ? [] : sources[chosen]!.periods,
  };
}

function times(dollars: number, factor: number): number {
  return Number((dollars * factor).toFixed(12));
}

const plainRates = ["input_cost_per_token", "output_cost_per_token"] as const;

/** Lays the vendors' facts over a model: fees, multiples of the plain rates, and the variants of service tiers. */
function addFacts(model: SourceModel): SourceModel {
  const isOf = ({ provider, model: names }: { provider: string; model: RegExp }) =>
    provider === model.provider && names.test(model.name);
  const extra = additions.filter(isOf);
  const tiers = serviceTiers.filter(isOf);
  const multiplied = multiples.filter(isOf);
  if (extra.length + tiers.length + multiplied.length === 0) return model;
  const periods = model.periods.map((period): Period => {
    const rates: Record<string, unknown> = { ...period.rates };
    for (const { rates: more, without } of extra) {
      for (const name of without ?? []) delete rates[name];
      Object.assign(rates, more);
    }
    for (const { tier, factor, rates: stated } of tiers) {
      Object.assign(rates, stated);
      for (const name of plainRates) {
        const plain = period.rates[name];
        if (factor && typeof plain === "number") rates[`${name}_${tier}`] ??= times(plain, factor);
      }
    }
    const input = period.rates.input_cost_per_token;
    for (const { name, factor } of multiplied) if (input) rates[name] ??= times(input, factor);
    return { ...period, rates: rates as Rates };
  });
  return { ...model, periods };
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

/** Leaves out dated names that cost the same and are as large as the model they are a date of: look-ups find them by their date. */
function dropRepeats(models: readonly SourceModel[]): SourceModel[] {
  const known = new Map(models.map((model) => [`${model.provider}/${model.name}`, model]));
  return models.filter((model) => {
    const base = known.get(`${model.provider}/${model.name.replace(datedName, "")}`);
    return base === undefined || base === model || !isRepeat(model, base);
  });
}

function isRepeat(dated: SourceModel, base: SourceModel): boolean {
  const isSameSize = (["contextLength", "maxOutputTokens"] as const).every(
    (size) => (dated[size] ?? base[size]) === base[size],
  );
  return isSameSize && JSON.stringify(dated.periods) === JSON.stringify(base.periods);
}
