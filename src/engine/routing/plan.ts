import type { ErrorCode } from "../errors.ts";
import { memo } from "../runtime/memo.ts";
import { formatModelName, isMisleading, type ModelName, parseFallback, parseModelName } from "./model-name.ts";

/** A provider and a model that may be asked. */
export interface Target extends ModelName {
  /** `provider/model`. */
  readonly name: string;
}

/** An entry that is not asked, and why. */
export interface Skipped {
  /** The entry as the caller wrote it. */
  readonly entry: string;
  /** The code that a request for this entry alone would fail with. */
  readonly reason: ErrorCode;
  /** Why, in a sentence. */
  readonly message: string;
}

/** Who may be asked, in order, and who was left out. The same question always gives the same plan. */
export interface Plan {
  /** The candidates in the order in which they are asked. */
  readonly targets: readonly Target[];
  /** The entries that are not asked, and why. */
  readonly skipped: readonly Skipped[];
}

/** What a route is planned from. */
export interface RouteQuestion {
  readonly model: string;
  readonly fallbacks?: readonly string[] | undefined;
  /** Who may answer in place of `model`, in order, when it names no provider; the rest of them are fallbacks. */
  readonly candidates?: readonly ModelName[] | undefined;
  /** Why the model has no candidates, when the list is empty. */
  readonly withoutCandidates?: (() => Objection) | undefined;
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
export function planRoute(question: RouteQuestion): Plan {
  const { model, fallbacks = [], candidates, withoutCandidates, objection } = question;
  if (candidates?.length === 0) {
    return { targets: [], skipped: [skip(model, (withoutCandidates ?? (() => invalidModel(model)))())] };
  }
  const requested = candidates ? undefined : readTarget(model);
  if (!candidates && !requested) return { targets: [], skipped: [skip(model, invalidModel(model))] };
  const targets: Target[] = [];
  const skipped: Skipped[] = [];
  const consider = (entry: string, target: Target | undefined) => {
    const refused = target ? objection(target) : invalidModel(entry);
    if (refused) skipped.push(skip(entry, refused));
    else if (target && !targets.some(({ name }) => name === target.name)) targets.push(target);
  };
  if (requested) consider(model, requested);
  for (const name of candidates ?? []) consider(formatModelName(name), targetOf(name));
  for (const entry of fallbacks) {
    const name = parseFallback(entry, requested?.model ?? model);
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

function invalidModel(entry: string): Objection {
  const fault = isMisleading(entry)
    ? "has an empty or dot segment, a backslash or a control character"
    : "is not of the form `provider/model`";
  return { reason: "invalid_model", message: `\`${entry.slice(0, 200)}\` ${fault}.` };
}
