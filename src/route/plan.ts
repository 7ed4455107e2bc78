import type { ErrorCode } from "../errors.ts";
import { memo } from "../ports/memo.ts";
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
export function planRoute({ model, fallbacks = [], candidates, objection }: RouteQuestion): Plan {
  if (candidates?.length === 0) return { targets: [], skipped: [skip(model, nobodyFor(model))] };
  const asked = candidates ? undefined : readTarget(model);
  if (!candidates && !asked) return { targets: [], skipped: [skip(model, invalidModel(model))] };
  const targets: Target[] = [];
  const skipped: Skipped[] = [];
  const consider = (entry: string, target: Target | undefined) => {
    const refused = target ? objection(target) : invalidModel(entry);
    if (refused) skipped.push(skip(entry, refused));
    else if (target && !targets.some(({ name }) => name === target.name)) targets.push(target);
  };
  if (asked) consider(model, asked);
  for (const name of candidates ?? []) consider(formatModelName(name), targetOf(name));
  for (const entry of fallbacks) {
    const name = parseFallback(entry, asked?.model ?? model);
    consider(entry, name && targetOf(name));
  }
  return { targets, skipped };
}

/** Without what else an objection may hold. */
function skip(entry: string, { reason, message }: Objection): Skipped {
  return { entry, reason, message };
}

function targetOf(name: ModelName): Target {
  return { provider: name.provider, model: name.model, name: formatModelName(name) };
}

/** The target that a name stands for. The same few are asked for again and again, and what is looked up by their parts is found faster. */
const readTarget = memo((model): Target | undefined => {
  const name = parseModelName(model);
  return name && Object.freeze(targetOf(name));
});

function nobodyFor(model: string): Objection {
  return {
    reason: "model_blocked",
    message: `The virtual key allows the model \`${model}\` with no configured provider.`,
  };
}

function invalidModel(entry: string): Objection {
  return { reason: "invalid_model", message: `\`${entry}\` is not of the form \`provider/model\`.` };
}
