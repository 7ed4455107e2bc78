import { isRecord } from "../../../engine/dialects/wire-values.ts";

/** The schema of a function's arguments. That it takes further ones is `true` here; newer libraries write the empty schema for it. */
export function parametersOf(schema: Record<string, unknown>): Record<string, unknown> {
  const { additionalProperties: further } = schema;
  return isRecord(further) && Object.keys(further).length === 0 ? { ...schema, additionalProperties: true } : schema;
}
