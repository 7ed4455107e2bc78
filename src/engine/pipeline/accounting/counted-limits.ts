import { type AccessEntry, entryFor } from "../../policy/access.ts";
import type { Limit } from "../../policy/limit.ts";
import { selectLimits } from "../../policy/limit-scope.ts";
import type { Target } from "../../routing/plan.ts";
import type { Call } from "../call/call.ts";
import { endUserOf } from "../call/end-user.ts";

/** The entry of a key that a target falls under, and the limits that count asking it. */
interface CountedLimits {
  /** Absent where the key has none: it need not allow a target that embeds for the cache. */
  readonly entry: AccessEntry | undefined;
  readonly limits: readonly Limit[];
}

/** The limits that count asking a target: those of its entry, else those that hold for every target, for its model and the end user. */
export function countedLimits(call: Call, target: Target): CountedLimits {
  const { access } = call;
  const entry = access && entryFor(access, target.provider);
  const limits = (entry ?? access)?.limits ?? [];
  return { entry, limits: selectLimits(limits, { model: target, user: endUserOf(call) }) };
}
