import type { Budget, RateLimit } from "../../../engine/api/governance.ts";
import { isModelPattern } from "../../../engine/api/limits/model-pattern.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import type { Values } from "../../program/command.ts";

/** Options that say which calls the limits of a command count. */
export const scopeOptions = {
  "for-model": {
    kind: "list",
    value: "pattern",
    about: "these limits count only such models: openai/gpt-5, 'openai/*'; repeatable",
  },
  "end-user": {
    kind: "text",
    value: "name",
    about: "these limits count only this end user (`user` of requests), or with '*' each alone",
  },
} as const;

/** Which calls a limit counts; all without. */
export type CountedCalls = Pick<Budget, "models" | "user" | "reset_at" | "reset_reason">;

/** The scope that the options set. Throws `UsageError` for a pattern that is none. */
export function readScope({ "for-model": models, "end-user": user }: Values<typeof scopeOptions>): CountedCalls {
  for (const pattern of models ?? [])
    if (!isModelPattern(pattern))
      throw new UsageError(
        `--for-model must be a model pattern, not "${pattern}".`,
        "Write one model as openai/gpt-5, and all models of a provider as 'openai/*'.",
      );
  return { ...(models ? { models: [...models] } : {}), ...(user === undefined ? {} : { user }) };
}

/** What of a limit is its scope. */
export function scopeOf({ models, user, reset_at, reset_reason }: Budget | RateLimit): CountedCalls {
  return Object.fromEntries(
    Object.entries({ models, user, reset_at, reset_reason }).filter(([, value]) => value !== undefined),
  );
}

/** True when two limits count the same calls. */
export function isSameScope(one: CountedCalls, other: CountedCalls): boolean {
  const textOf = ({ models, user }: CountedCalls) => JSON.stringify([models?.toSorted(), user]);
  return textOf(one) === textOf(other);
}

/** A scope in words, to stand behind a limit. */
export function writeScope({
  models,
  user,
}: {
  readonly models?: readonly string[] | undefined;
  readonly user?: string | undefined;
}): string {
  const ofModels = models === undefined ? "" : ` for ${models.join(", ")}`;
  if (user === undefined) return ofModels;
  if (user === "*") return `${ofModels} for each end user`;
  return user === "" ? `${ofModels} for calls without an end user` : `${ofModels} for the end user ${user}`;
}
