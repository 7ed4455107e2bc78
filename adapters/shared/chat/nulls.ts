import { isKeptNumber } from "../../../src/ports/exact-json.ts";
import { isRecord } from "../http/fault.ts";

/**
 * What a vendor told, without nulls: servers that speak its language write one for each field that they leave out. What stands in a field
 * named `own` is the model's own and stays.
 */
export function withoutNullsWithin(told: unknown, own?: string): unknown {
  if (Array.isArray(told)) return told.filter((entry) => entry !== null).map((entry) => withoutNullsWithin(entry, own));
  if (!isRecord(told) || isKeptNumber(told)) return told;
  const kept: Record<string, unknown> = {};
  for (const field in told) {
    const value = told[field];
    if (value !== null) kept[field] = field === own ? value : withoutNullsWithin(value, own);
  }
  return kept;
}
