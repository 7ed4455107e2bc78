import { isObject, type SampledSchema } from "./sampling.ts";

/** The number nearest to nought that a schema allows, as far as its bounds and `multipleOf` say; `undefined` when there is none. */
export function sampleNumber(schema: SampledSchema, isInteger: boolean): number | undefined {
  const bounds = boundsOf(schema);
  const step = stepOf(schema, isInteger);
  const { low, high } = bounds;
  const edges = [low, high, low + 1, high - 1, (low + high) / 2].filter(Number.isFinite);
  const stepped = step === undefined ? [] : edges.flatMap((edge) => nearSteps(edge, step));
  const candidates = [0, ...edges, ...stepped].filter((value) => isWithin(value, bounds) && isStep(value, step));
  return candidates.sort((a, b) => Math.abs(a) - Math.abs(b))[0];
}

/**
 * Equal shares of 1 for an object of nothing but unbounded numbers: the form in which a model states the probabilities of a decision by tool;
 * `undefined` for any other object.
 */
export function sampleShares(properties: SampledSchema, names: readonly string[]): SampledSchema | undefined {
  const isShare = (schema: unknown) => isObject(schema) && schema.type === "number" && Object.keys(schema).length === 1;
  const areShares =
    names.length > 0 && names.every((name) => Object.hasOwn(properties, name) && isShare(properties[name]));
  return areShares ? Object.fromEntries(names.map((name) => [name, 1 / names.length])) : undefined;
}

interface NumberBounds {
  readonly low: number;
  readonly high: number;
  /** Values that only an exclusive bound names. */
  readonly excluded: readonly number[];
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SampledSchema): NumberBounds {
  const provided = (value: unknown): number[] => (typeof value === "number" ? [value] : []);
  return {
    low: Math.max(-Infinity, ...provided(minimum), ...provided(exclusiveMinimum)),
    high: Math.min(Infinity, ...provided(maximum), ...provided(exclusiveMaximum)),
    excluded: [...provided(exclusiveMinimum), ...provided(exclusiveMaximum)],
  };
}

function stepOf({ multipleOf }: SampledSchema, isInteger: boolean): number | undefined {
  if (typeof multipleOf !== "number" || multipleOf <= 0) return isInteger ? 1 : undefined;
  return isInteger && !Number.isInteger(multipleOf) ? 1 : multipleOf;
}

function nearSteps(edge: number, step: number): number[] {
  const count = Math.floor(edge / step);
  return [count - 1, count, count + 1, count + 2].map((times) => times * step);
}

function isWithin(value: number, { low, high, excluded }: NumberBounds): boolean {
  return value >= low && value <= high && !excluded.includes(value);
}

function isStep(value: number, step: number | undefined): boolean {
  if (step === undefined) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9;
}
