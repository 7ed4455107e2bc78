import { listPatterns, type PatternFields } from "../../engine/pipeline/admin/pattern-warnings.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";

/** Warns the caller of patterns of models that match no known model. */
export function warnUnknown({ engine }: Pick<PortalDeps, "engine">, fields: PatternFields, call: PortalCall): void {
  call.warn?.(engine.offers.warnOf(listPatterns(fields)));
}
