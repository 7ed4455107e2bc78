import { locationFactor, multiplyRates, splitLocation } from "../../adapters/prices/catalogue/locations.ts";
import type { Rates } from "../../src/engine/api/rates.ts";
import { agree, type Period, type SourceData, type SourceModel, times } from "./model.ts";

/** A source whose models are listed once, at their global price; a location is listed only where it does not follow the rule. */
export function withoutLocations(source: SourceData): SourceData {
  const byName = new Map(source.models.map((model) => [`${model.provider}/${model.name.toLowerCase()}`, model]));
  const find = (provider: string, name: string) => byName.get(`${provider}/${name.toLowerCase()}`);
  const bases = new Map<string, SourceModel>();
  for (const model of source.models) {
    const name = baseName(model);
    const id = `${model.provider}/${name.toLowerCase()}`;
    if (!bases.has(id)) bases.set(id, toGlobal(model.provider, name, find) ?? model);
  }
  const exceptions = source.models.flatMap((model) => {
    const base = bases.get(`${model.provider}/${baseName(model).toLowerCase()}`);
    return base === undefined ? [] : toException(model, base);
  });
  const own = new Set(exceptions.map(({ provider, name }) => `${provider}/${name}`));
  const listed = [...bases.values()].filter(({ provider, name }) => !own.has(`${provider}/${name}`));
  return { ...source, models: [...listed, ...exceptions].map(withoutLocatedAliases) };
}

const regional = /^regional\./;

function baseName({ provider, name }: SourceModel): string {
  const bare = provider === "bedrock" ? name.replace(regional, "") : name;
  const located = splitLocation(provider, bare.toLowerCase());
  return located ? bare.slice(located.prefix.length) : bare;
}

type Find = (provider: string, name: string) => SourceModel | undefined;

/** A model at its global price: that of its global profile, else that of a region without what the region adds. */
function toGlobal(provider: string, name: string, find: Find): SourceModel | undefined {
  const bare = find(provider, name);
  const factor = locationFactor(provider, "", name.toLowerCase());
  if (factor === 1) return bare;
  const global = find(provider, `global.${name}`);
  const inRegion = find(provider, `us.${name}`) ?? find(provider, `regional.${name}`) ?? bare;
  const divided = inRegion?.periods.map((period) => divide(period, factor)) ?? [];
  // Where the source knows more days of the region's price, the global one changed on the same days.
  if (!global || divided.length > global.periods.length) return inRegion && { ...inRegion, name, periods: divided };
  const periods = global.periods.map((period) => addFrom(period, [bare, inRegion], factor));
  return { ...(bare ?? global), name, periods };
}

/** A period of the global profile with the rates that the source states elsewhere only, at a region's price or the global one. */
function addFrom(period: Period, others: readonly (SourceModel | undefined)[], factor: number): Period {
  const added = others.flatMap((other) => {
    const rates = other?.periods.at(-1)?.rates;
    if (!rates) return [];
    const divided = multiplyRates(rates, 1 / factor);
    return [rates, divided].filter((each) => agree(each, period.rates)).slice(0, 1);
  });
  return { ...period, rates: Object.assign({}, ...added.toReversed(), period.rates) as Rates };
}

function divide(period: Period, factor: number): Period {
  return { ...period, rates: multiplyRates(period.rates, 1 / factor) };
}

/** A location that costs something else than the rule says, or states a rate that the model's own line does not. */
function toException(model: SourceModel, base: SourceModel): SourceModel[] {
  const located = splitLocation(model.provider, model.name.toLowerCase());
  if (!located || regional.test(model.name)) return [];
  const factor = locationFactor(model.provider, located.location, located.name);
  const [own, general] = [model.periods.at(-1)?.rates, base.periods.at(-1)?.rates];
  if (!own) return [];
  const expected = general && multiplyRates(general, factor);
  if (!general || !expected) return [model];
  if (!agree(own, expected))
    return [{ ...model, periods: [{ rates: { ...servicesInProportion(own, general), ...own } }] }];
  const isRicher = Object.entries(own).some(([name, rate]) => rate !== 0 && general[name] === undefined);
  return isRicher ? [{ ...model, periods: [{ rates: { ...expected, ...own } }] }] : [];
}

/** The rates of service tiers, which are the same multiple of the plain price in every location. */
function servicesInProportion(own: Rates, general: Rates): Record<string, number> {
  const found: Record<string, number> = {};
  for (const plain of ["input_cost_per_token", "output_cost_per_token"] as const)
    for (const suffix of ["_priority", "_flex", "_batches"]) {
      const [rate, base, there] = [general[plain + suffix], general[plain], own[plain]];
      if (typeof rate === "number" && base && there) found[plain + suffix] = times(rate, there / base);
    }
  return found;
}

function withoutLocatedAliases(model: SourceModel): SourceModel {
  const { provider, name, aliases } = model;
  if (provider !== "bedrock") return model;
  const isOwn = (alias: string) =>
    !splitLocation(provider, alias.toLowerCase()) &&
    !regional.test(alias) &&
    alias.toLowerCase() !== name.toLowerCase();
  return { ...model, aliases: aliases.filter(isOwn) };
}
