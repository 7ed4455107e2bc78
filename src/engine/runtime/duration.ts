const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a duration may be counted in. */
export type DurationUnit = keyof typeof units;

/** A duration: a number in the unit that its option names, milliseconds unless it says otherwise, or text such as `"500ms"`, `"10s"`, `"2m"`, `"1.5h"` or `"90d"`. */
export type Duration = number | `${number}${DurationUnit}`;

/** Options with the durations among them, which `Names` lists, also as text. */
export type WithDurations<Fields, Names extends keyof Fields = keyof Fields> = {
  readonly [Name in keyof Fields]: Name extends Names ? Exclude<Fields[Name], number> | Duration : Fields[Name];
};

/** Milliseconds of a number or of a text such as `"500ms"`, `"10s"`, `"2m"`, in `unit` where it names none; `undefined` for anything else. */
export function readDuration(value: number | string, unit: DurationUnit = "ms"): number | undefined {
  const [, digits, named = unit] = /^(\d{1,12}(?:\.\d{1,6})?)\s?(ms|s|m|h|d)?$/.exec(`${value}`) ?? [];
  return digits === undefined ? undefined : Number(digits) * units[named as DurationUnit]; // one of the expression's
}

/** The number of a duration in `unit`, as it is where it is a number; `undefined` for text that is no duration. */
export function durationIn(unit: DurationUnit, value: number | string): number | undefined {
  if (typeof value === "number") return value;
  const ms = readDuration(value, unit);
  return ms === undefined ? undefined : ms / units[unit];
}
