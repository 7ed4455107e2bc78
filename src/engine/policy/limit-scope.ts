import type { ModelName } from "../routing/model-name.ts";
import { nameUserCounter } from "./counter-name.ts";
import type { Limit } from "./limit.ts";

/** What decides which limits count a call. */
export interface CountedCall {
  /** The target's. */
  readonly model: ModelName;
  /** The end user, if the request names one. */
  readonly user: string | undefined;
}

/** Whether a limit counts some calls of its owner only, or each end user alone. */
export function isScoped({ models, user }: Limit): boolean {
  return models !== undefined || user !== undefined;
}

/**
 * The limits that count a call. One for each end user becomes that of the call's own, unless the same owner has a limit of the same unit
 * for that user by name; calls without a user count as one user.
 */
export function selectLimits(limits: readonly Limit[], { model, user }: CountedCall): readonly Limit[] {
  if (!limits.some(isScoped)) return limits;
  const own = limits.filter(({ isMeant }) => isMeant?.(model) ?? true);
  const named = own.filter((limit) => limit.user !== undefined && limit.user !== "*" && limit.user === user);
  const isNamed = ({ level, owner, unit }: Limit) =>
    named.some((limit) => limit.level === level && limit.owner === owner && limit.unit === unit);
  return own.flatMap((limit) => {
    if (limit.user === undefined) return [limit];
    if (limit.user === "*") return isNamed(limit) ? [] : [forUser(limit, user ?? "")];
    return limit.user === user ? [limit] : [];
  });
}

/** A limit of each end user as that of one. */
export function forUser(limit: Limit, user: string): Limit {
  const counter = nameUserCounter(limit.counter, user);
  const twins = limit.twins?.map((twin) => ({ ...twin, user, counter }));
  return { ...limit, user, counter, ...(twins ? { twins } : {}) };
}
