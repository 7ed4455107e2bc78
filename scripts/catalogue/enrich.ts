import type { Rates } from "../../src/engine/api/rates.ts";
import { spellingsOf } from "../../src/engine/routing/model-spelling.ts";
import { agree, currentRates, type SourceModel } from "./model.ts";

const isTiered = (name: string) => /_above_\d+k_tokens/.test(name);

/** What {@link enrichDates} must know besides the models. */
interface Terms {
  readonly today: string;
  /** True of a model that the price map lists: it states all tiers of the prompt that there are. */
  readonly isInMap: (model: SourceModel) => boolean;
}

/**
 * Dated and decorated names with the rates of the model that they are a spelling of, where both cost the same: a list that knows a
 * date only by its plain price must not hide what is known of the model.
 */
export function enrichDates(models: readonly SourceModel[], { today, isInMap }: Terms): SourceModel[] {
  const listed = new Map<string, SourceModel>();
  for (const model of models)
    for (const alias of model.aliases) listed.set(`${model.provider}/${alias}`.toLowerCase(), model);
  for (const model of models) listed.set(`${model.provider}/${model.name}`.toLowerCase(), model);
  return models.map((model) => {
    const spellings = [...spellingsOf(model.provider, model.name)].slice(1);
    const base = spellings
      .flatMap((name) => listed.get(`${model.provider}/${name}`) ?? [])
      .find((each) => each !== model);
    const [own, general] = [currentRates(model, today), currentRates(base, today)];
    if (!own || !general || !agree(own, general)) return model;
    const mayAddTiers = !isInMap(model) && !Object.keys(own).some(isTiered);
    const added = Object.entries(general).filter(([name]) => mayAddTiers || !isTiered(name));
    const rates = { ...Object.fromEntries(added), ...own } as Rates;
    return { ...model, periods: model.periods.map((each) => (each.rates === own ? { ...each, rates } : each)) };
  });
}
