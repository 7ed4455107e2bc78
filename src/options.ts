import { z } from "zod";
import { GatewayError } from "./errors.ts";
import type { Clock, Ids, Provider, Random, Timeouts } from "./ports.ts";
import { defaultRetryPolicy, type RetryPolicy } from "./route/verdict.ts";

/** What an engine is made of; only `providers` is required. */
export interface EngineOptions {
  /** At least one; names are unique. */
  readonly providers: readonly Provider[];
  /** Deadlines in milliseconds, by default those of {@link defaultTimeouts}. */
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** Tries of one target, by default those of `defaultRetryPolicy`. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly ids?: Ids | undefined;
}

/** The time, chance and identifiers that an engine uses unless its options bring their own. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
}

/** Deadlines of inference-resolved.md, 6.6, in milliseconds. */
export const defaultTimeouts: Timeouts = { connect: 10_000, firstContent: 60_000, gap: 30_000, whole: 600_000 };

const ms = z.number().positive();
const method = z.custom<unknown>((value) => typeof value === "function", "must be a function").optional();

const ProviderShape = z.looseObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/, "must be lower-case letters, digits, `.`, `_` and `-`"),
  chat: method,
  streamChat: method,
  embed: method,
  rerank: method,
  decide: method,
  listModels: method,
  close: method,
});

const OptionsShape = z.strictObject({
  providers: z.array(ProviderShape).min(1, "must hold at least one provider"),
  timeouts: z.strictObject({ connect: ms, firstContent: ms, gap: ms, whole: ms }).partial().optional(),
  retry: z
    .strictObject({ retries: z.int().min(0).max(10), baseMs: ms, maxMs: ms })
    .partial()
    .optional(),
  clock: z.looseObject({ now: method, after: method }).optional(),
  random: method,
  ids: method,
});

/** Options with their defaults, checked. */
interface CheckedOptions {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly timeouts: Timeouts;
  readonly retry: RetryPolicy;
}

/** Checks the options of an engine; throws `invalid_configuration` with the field's path in `param`. */
export function readOptions(options: EngineOptions): CheckedOptions {
  const checked = OptionsShape.safeParse(options);
  if (!checked.success) {
    const issue = checked.error.issues[0];
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].map(String).join(".");
    throw misconfigured(
      path,
      unknown === undefined ? (issue?.message ?? "is not valid") : "is not an option of the engine",
    );
  }
  const providers = new Map<string, Provider>();
  for (const [position, provider] of options.providers.entries()) {
    if (providers.has(provider.name))
      throw misconfigured(`providers.${position}.name`, `\`${provider.name}\` is there twice`);
    providers.set(provider.name, provider);
  }
  return {
    providers,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    retry: { ...defaultRetryPolicy, ...options.retry },
  };
}

function misconfigured(param: string, problem: string): GatewayError {
  const subject = param === "" ? "The options of createEngine" : `\`${param}\``;
  return new GatewayError("invalid_configuration", `${subject}: ${problem}.`, { param: param || undefined });
}
