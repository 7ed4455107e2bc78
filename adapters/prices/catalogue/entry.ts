import type { Rates } from "../../../src/engine/api/rates.ts";
import type { ModelFacts } from "../../../src/engine/ports/prices.ts";
import type { DecodedModel, PricePeriod } from "./format.ts";
import { multiplyRates } from "./locations.ts";

/** A model in all the periods of its prices. The facts of a period are one frozen object. */
export interface Entry {
  /** What is known when no period holds. */
  readonly unpriced: ModelFacts;
  /** Later ones win. */
  readonly periods: readonly { readonly span: PricePeriod; readonly facts: ModelFacts }[];
}

/** The entry of a line of the snapshot. */
export function toEntry(provider: string, model: DecodedModel): Entry {
  const unpriced: ModelFacts = Object.freeze({
    provider,
    model: model.name,
    mode: model.mode ?? "chat",
    ...optional("context_length", model.context),
    ...optional("max_output_tokens", model.largestOutput),
    ...optional("input_modalities", model.inputs && Object.freeze(model.inputs)),
    ...optional("output_modalities", model.outputs && Object.freeze(model.outputs)),
    ...optional("supported_parameters", model.parameters && Object.freeze(model.parameters)),
  });
  const periods = model.periods.map(({ span, rates }) => ({ span, facts: withRates(unpriced, rates) }));
  return { unpriced, periods };
}

/** The same model under the name of a location, at a multiple of its price. */
export function relocate({ unpriced, periods }: Entry, name: string, factor: number): Entry {
  const renamed = Object.freeze({ ...unpriced, model: name });
  return {
    unpriced: renamed,
    periods: periods.map(({ span, facts }) => ({
      span,
      facts: facts.rates ? withRates(renamed, multiplyRates(facts.rates, factor)) : renamed,
    })),
  };
}

/** The same facts at other rates. */
export function withRates(facts: ModelFacts, rates: Rates): ModelFacts {
  return Object.freeze({ ...facts, rates: Object.freeze(rates) });
}

/** The facts at a time. */
export function factsAt({ unpriced, periods }: Entry, at: number): ModelFacts {
  for (let index = periods.length - 1; index >= 0; index -= 1) {
    const { span, facts } = periods[index]!;
    if (holds(span, at)) return facts;
  }
  return unpriced;
}

const minute = 60_000;

/** True when prices of this span hold at a time. */
function holds({ from, window }: PricePeriod, at: number): boolean {
  if (from !== undefined && at < from) return false;
  if (!window) return true;
  const time = new Date(at);
  const minutes = (at / minute) % 1_440;
  const isDay = window.days.length === 0 || window.days.includes(time.getUTCDay());
  return isDay && minutes >= window.start && minutes < window.end;
}

/** A property only if it is known, so that unknown facts have no key. */
export function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value });
}
