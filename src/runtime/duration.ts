const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** What a duration may be counted in. */
type DurationUnit = keyof typeof units;

/** Milliseconds of a number or of a text such as `"500ms"`, `"10s"`, `"2m"`, in `unit` where it names none; `undefined` for anything else. */
export function readDuration(value: number | string, unit: DurationUnit = "ms"): number | undefined {
  const [, digits, named = unit] = /^(\d{1,12}(?:\.\d{1,6})?)\s?(ms|s|m|h)?$/.exec(`${value}`) ?? [];
  return digits === undefined ? undefined : Number(digits) * units[named as DurationUnit]; // one of the expression's
}
