import type { Rates } from "../../../src/api/rates.ts";
import type { ModelFacts } from "../../../src/ports.ts";
import type { DecodedModel, Span } from "./format.ts";

/** A model in all the periods of its prices. The facts of a period are one frozen object. */
export interface Entry {
  /** What is known when no period holds. */
  readonly unpriced: ModelFacts;
  /** Later ones win. */
  readonly periods: readonly { readonly span: Span; readonly facts: ModelFacts }[];
}

/** The entry of a line of the snapshot. */
export function toEntry(provider: string, model: DecodedModel): Entry {
  const unpriced: ModelFacts = Object.freeze({
    provider,
    model: model.name,
    mode: model.mode ?? "chat",
    ...given("context_length", model.context),
    ...given("max_output_tokens", model.largestOutput),
    ...given("input_modalities", model.inputs && Object.freeze(model.inputs)),
    ...given("output_modalities", model.outputs && Object.freeze(model.outputs)),
    ...given("supported_parameters", model.parameters && Object.freeze(model.parameters)),
  });
  const periods = model.periods.map(({ span, rates }) => ({ span, facts: withRates(unpriced, rates) }));
  return { unpriced, periods };
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
function holds({ from, window }: Span, at: number): boolean {
  if (from !== undefined && at < from) return false;
  if (!window) return true;
  const time = new Date(at);
  const minutes = (at / minute) % 1_440;
  const isDay = window.days.length === 0 || window.days.includes(time.getUTCDay());
  return isDay && minutes >= window.start && minutes < window.end;
}

/** A property only if it is known, so that unknown facts have no key. */
export function given<Name extends string, Value>(name: Name, value: Value | undefined): { [N in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value });
}
