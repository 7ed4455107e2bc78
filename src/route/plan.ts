import type { ErrorCode } from "../errors.ts";
import { formatModelName, type ModelName, parseFallback, parseModelName } from "./model-name.ts";

/** A provider and a model that may be asked. */
export interface Target extends ModelName {
  /** `provider/model`. */
  readonly name: string;
}

/** An entry that is not asked, and why. */
export interface Skipped {
  /** The entry as the caller wrote it. */
  readonly entry: string;
  readonly reason: ErrorCode;
  readonly message: string;
}

/** Who may be asked, in order, and who was left out. The same question always gives the same plan. */
export interface Plan {
  readonly targets: readonly Target[];
  readonly skipped: readonly Skipped[];
}

/** What a route is planned from. */
export interface RouteQuestion {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
  /** Who may answer in place of `model`, in order, when it names no provider; the rest of them are fallbacks. */
  readonly candidates?: readonly ModelName[] | undefined;
  /** Why this target cannot be asked, or `undefined` when it can: not configured, verb not offered, not allowed. */
  readonly objection: (name: ModelName) => Objection | undefined;
}

/** A reason against a target. */
export interface Objection {
  readonly reason: ErrorCode;
  readonly message: string;
}

/**
 * Plans the route of a request: the asked model first, then `fallbacks` in order, no target twice; what cannot be asked is
 * listed with its reason (inference-resolved.md, 6.1). Pure: asks nobody.
 */
export function planRoute({ model, fallbacks, candidates, objection }: RouteQuestion): Plan {
  const asked = candidates ? { provider: "", model } : parseModelName(model);
  if (!asked || candidates?.length === 0) {
    const refused = asked ? nobodyFor(model) : { reason: "invalid_model" as const, message: invalidModel(model) };
    return { targets: [], skipped: [{ entry: model, ...refused }] };
  }
  const targets: Target[] = [];
  const skipped: Skipped[] = [];
  const consider = (entry: string, name: ModelName | undefined) => {
    const refused = name ? objection(name) : { reason: "invalid_model" as const, message: invalidModel(entry) };
    if (refused || !name) {
      skipped.push({
        entry,
        reason: refused?.reason ?? "invalid_model",
        message: refused?.message ?? invalidModel(entry),
      });
      return;
    }
    const full = formatModelName(name);
    if (!targets.some((target) => target.name === full)) targets.push({ ...name, name: full });
  };
  if (candidates) for (const name of candidates) consider(formatModelName(name), name);
  else consider(model, asked);
  for (const entry of fallbacks ?? []) consider(entry, parseFallback(entry, asked.model));
  return { targets, skipped };
}

function nobodyFor(model: string): Objection {
  return {
    reason: "model_blocked",
    message: `The virtual key allows the model \`${model}\` with no configured provider.`,
  };
}

function invalidModel(entry: string): string {
  return `\`${entry}\` is not of the form \`provider/model\`.`;
}
