import type { ErrorCode } from "../../../engine/errors.ts";
import type { RetryPolicy } from "../../../engine/routing/verdict.ts";
import type { BehaviourName } from "../behaviours/behaviours.ts";
import type { DialectName } from "../wire/wire.ts";

/** How an answer is asked for. */
export type AnswerMode = "whole" | "streamed";

/** How often something is asked: exactly, between two bounds, as often as the caller's retries allow, or once with each credential. */
export type CallCount = number | readonly [least: number, most: number] | "every_try" | "every_credential";

/** Who is seen to have answered. `both`: one stream, begun by the primary model and finished by the fallback. */
export type AnsweringModel = "primary" | "fallback" | "either" | "both";

/** What the caller gets in the end. */
export type ExpectedOutcome =
  /** A complete answer with exactly this text. */
  | {
      readonly kind: "answer";
      readonly from: AnsweringModel;
      readonly text: string;
      readonly warns?: boolean | undefined;
      /** What it shows of its reasoning, where that matters. */
      readonly reasoning?: string | undefined;
      /** The calls of tools that it ends with, as `name(arguments)`; none unless given. */
      readonly calls?: readonly string[] | undefined;
    }
  /** No content, but an error with this code and, where they are given, this status and a time to come back. */
  | {
      readonly kind: "error";
      readonly code: ErrorCode;
      readonly status?: number | undefined;
      readonly saysWhen?: boolean | undefined;
    }
  /** Exactly this text, then an error with this code; never the look of a complete answer. */
  | { readonly kind: "broken"; readonly code: ErrorCode; readonly text: string };

/** Least time between two calls of the primary model: the policy's back-off, or milliseconds that the provider primary for. */
export type Pause = "back_off" | { readonly ms: number };

/** Until when the primary model is waited for: not at all, or until one of the caller's limits for silence. */
export type WaitLimit = "firstContent" | "firstContentMax" | "gap" | "whole";

/** Who of two that are asked at once is hung up on: the one that did not answer, or both where the caller hung up. */
export type Loser = "primary" | "fallback" | "both";

/** What inference-resolved.md demands. */
export interface Expectation {
  /** Calls of the primary model. */
  readonly calls: CallCount;
  /** Calls of the fallback; none unless given. */
  readonly fallbackCalls?: CallCount | undefined;
  /** Least time between two calls of the primary model; none unless given. */
  readonly pauses?: Pause | undefined;
  /** The caller's limit that ends the wait for the primary model; none unless given. */
  readonly timeouts?: WaitLimit | undefined;
  /** Both models are asked at once, the fallback as much later as the caller's hedge says, and this one is hung up on. */
  readonly loser?: Loser | undefined;
  /** Different credentials that the primary model sees; any number unless given. */
  readonly credentials?: number | undefined;
  /** What the caller gets in the end. */
  readonly outcome: ExpectedOutcome;
}

/** Requests made one after the other, or at once. */
export interface Round {
  /** How many requests are made, at least 1. */
  readonly requests: number;
  /** True where they are made at the same time; one after the other unless given. */
  readonly isAtOnce?: boolean | undefined;
  /** Time from one request to the next, in times that the caller's circuit stays open at first; none unless given. */
  readonly spacing?: number | undefined;
  /** When to begin: at once, or when an open circuit may be tried again. */
  readonly begins?: "after_cool_down" | undefined;
  /** The caller hangs up after so many milliseconds. */
  readonly hangsUpAfter?: number | undefined;
  /** Calls of the primary model that this round brings. */
  readonly calls?: CallCount | undefined;
  /** What each request of this round gets, where it is not the conduct's. */
  readonly outcome?: ExpectedOutcome | undefined;
}

/** What a scenario can only show with a caller that has it. */
export type Need =
  | "single_credential"
  | "second_credential"
  | "prefill"
  | "circuit"
  | "bounded_circuit"
  | "content_deadline"
  | "recovery"
  | "hedge"
  | "short_deadline";

/** One row of the fault server. */
export interface Scenario {
  /** Unique among the scenarios; reports begin with it. */
  readonly name: string;
  /** Section of inference-resolved.md that demands the conduct. */
  readonly section: string;
  /** The primary model: a behaviour, with `@amount` where it takes one. */
  readonly model: BehaviourName | `${BehaviourName}@${number}`;
  /** The behaviour of the fallback; without it the request has none. */
  readonly fallback?: BehaviourName | undefined;
  /** The number behind `@` of the primary model in milliseconds: so many times that the caller's circuit stays open at first. */
  readonly lasts?: number | undefined;
  /** The vendors' interfaces that can misbehave like this; all unless given. */
  readonly dialects?: readonly DialectName[] | undefined;
  /** What the caller must have; nothing unless given. */
  readonly needs?: Need | undefined;
  /** One request unless given. */
  readonly rounds?: readonly Round[] | undefined;
  /** The conduct demanded, by the way of asking; a way that is not there is not played. */
  readonly expectation: { readonly [Name in AnswerMode]?: Expectation | undefined };
}

/** What the fault server has to know of the caller that it judges. Milliseconds. */
export interface FaultTestPolicy {
  /** Until the first content of a stream, since the last sign of life. */
  readonly firstContent: number;
  /** Until the first content of a stream, in all. */
  readonly firstContentMax: number;
  /** Between two events of a stream behind its first content. */
  readonly gap: number;
  /** The whole request, all its attempts included. */
  readonly whole: number;
  /** Tries of one target. */
  readonly retry: RetryPolicy;
  /** Credentials that the caller has for each provider. */
  readonly credentials: number;
  /** The providers that the caller asks to continue a text. */
  readonly prefill: readonly DialectName[];
  /** Whether the caller recovers streams by a fallback. */
  readonly recovers: boolean;
  /** Failures in a row that open a circuit and how long it then stays open; absent when the caller keeps none. */
  readonly circuit?: { readonly consecutive: number; readonly openMs: number; readonly maxOpenMs: number } | undefined;
  /** After how long without a sign of the first candidate the caller asks the next one too; absent when it never does. */
  readonly hedge?: { readonly after_ms: number } | undefined;
}

/** The longest `whole` in milliseconds that a run waits for. */
const longestWait = 60_000;

/** Why a scenario cannot be played with this caller; `undefined` when it can. */
export function missingFor(
  { needs, fallback }: Pick<Scenario, "needs" | "fallback">,
  policy: FaultTestPolicy,
  dialect: DialectName,
): string | undefined {
  if (policy.hedge && fallback !== undefined && needs !== "hedge") return "the caller asks two at once";
  switch (needs) {
    case "hedge":
      return policy.hedge ? undefined : "the caller does not ask two at once";
    case "single_credential":
      return policy.credentials === 1 ? undefined : "the caller has another credential, and need not wait";
    case "second_credential":
      return policy.credentials > 1 ? undefined : "the caller has one credential for each provider";
    case "circuit":
      return missingCircuit(policy);
    case "bounded_circuit":
      return missingCircuit(policy) ?? missingBound(policy);
    case "content_deadline":
      return policy.firstContentMax <= longestWait ? undefined : "the caller waits longer than a minute for content";
    case "recovery":
      return policy.recovers ? undefined : "the caller does not resume streams";
    case "prefill":
      return policy.prefill.includes(dialect) && policy.recovers
        ? undefined
        : `the caller asks no ${dialect} model to continue a text`;
    case "short_deadline":
      return policy.whole <= longestWait ? undefined : "the caller gives a whole request longer than a minute";
    case undefined:
      return undefined;
  }
}

function missingCircuit({ circuit }: FaultTestPolicy): string | undefined {
  if (!circuit) return "the caller keeps no circuits";
  return circuit.consecutive === 5 ? undefined : "the caller's circuits do not open after five failures";
}

/** A circuit as tollgate has it by default, or the same with a faster clock. */
function missingBound({ circuit, credentials }: FaultTestPolicy): string | undefined {
  if (credentials > 1) return "the caller has another credential, and an outage takes its time";
  const { openMs = 0, maxOpenMs = 0 } = circuit ?? {};
  return openMs <= 5_000 && maxOpenMs <= 2.3 * openMs ? undefined : "the caller's circuits stay open for longer";
}
