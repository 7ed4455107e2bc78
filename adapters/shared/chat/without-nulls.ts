import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import { isExactNumber } from "../../../src/engine/runtime/json/exact-json.ts";

/**
 * A vendor's answer without nulls: servers that speak its language write one for each field that they leave out. The content of a
 * field named `own` is the model's and stays.
 */
export function withoutNullsWithin(raw: unknown, own?: string): unknown {
  if (Array.isArray(raw)) return raw.filter((entry) => entry !== null).map((entry) => withoutNullsWithin(entry, own));
  if (!isRecord(raw) || isExactNumber(raw)) return raw;
  const stored: Record<string, unknown> = {};
  for (const field in raw) {
    const value = raw[field];
    if (value !== null) stored[field] = field === own ? value : withoutNullsWithin(value, own);
  }
  return stored;
}
