import { isRecord } from "../../../src/engine/dialects/wire-values.ts";

/** The field that Google's error details (`google.rpc.BadRequest`) name first, e.g. `contents[0].parts[1]`. */
export function violatedField(details: unknown): string | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    if (!isRecord(detail) || !Array.isArray(detail.fieldViolations)) continue;
    const [first]: unknown[] = detail.fieldViolations;
    if (isRecord(first) && typeof first.field === "string" && first.field !== "") return first.field;
  }
  return undefined;
}
