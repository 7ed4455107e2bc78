import { z } from "zod";

/** The checks of a schema that {@link plainTest} knows how to tell from its bounds. */
const bounds: ReadonlySet<string> = new Set(["greater_than", "less_than", "number_format", "max_length"]);

/**
 * What a schema says of a value, as a plain test, where it is no more than a boolean, a number within bounds or a text of a bounded length;
 * `undefined` for every other schema. A value that passes is its own result; `undefined` does not pass, also where it may be left out.
 */
export function plainTest(schema: z.ZodType): ((value: unknown) => boolean) | undefined {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (inner instanceof z.ZodBoolean) return (value) => typeof value === "boolean";
  if (inner instanceof z.ZodNumber && isBounded(inner)) return numberTest(inner);
  if (inner instanceof z.ZodString && isBounded(inner)) return textTest(inner);
  return undefined;
}

function isBounded({ def }: z.ZodNumber | z.ZodString): boolean {
  const checks = def.checks ?? [];
  return checks.every(
    ({ _zod: { def } }) => bounds.has(def.check) && (!("inclusive" in def) || def.inclusive === true),
  );
}

function numberTest({ minValue, maxValue, isInt }: z.ZodNumber): (value: unknown) => boolean {
  const [least, most] = [minValue ?? -Infinity, maxValue ?? Infinity];
  const isNumber = isInt ? Number.isSafeInteger : Number.isFinite;
  return (value) => isNumber(value) && (value as number) >= least && (value as number) <= most;
}

function textTest({ maxLength }: z.ZodString): (value: unknown) => boolean {
  const most = maxLength ?? Infinity;
  return (value) => typeof value === "string" && value.length <= most;
}
