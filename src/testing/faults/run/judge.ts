import { backOff } from "../../../engine/routing/verdict.ts";
import type {
  AnsweringModel,
  CallCount,
  Expectation,
  ExpectedOutcome,
  FaultTestPolicy,
  Round,
  Scenario,
} from "../scenarios/scenario.ts";
import type { FaultServerCall } from "../server/call-log.ts";
import type { Observation } from "./observe.ts";

/** One round as it went. */
export interface RoundResult {
  readonly round: Round;
  readonly observation: readonly Observation[];
  /** Calls of the primary model that it brought. */
  readonly calls: number;
}

/** A scenario as it went, and what it is judged by. */
export interface ScenarioResult {
  readonly scenario: Scenario;
  readonly expectation: Expectation;
  readonly policy: FaultTestPolicy;
  /** Whole names of the two models, without the provider. */
  readonly primary: string;
  readonly fallback: string | undefined;
  readonly rounds: readonly RoundResult[];
  readonly log: readonly FaultServerCall[];
  /** Milliseconds that anything may be late by. */
  readonly slackMs: number;
}

/** Everything that was not as demanded; empty when the scenario passed. */
export function judgeExpectation(scenarioResult: ScenarioResult): readonly string[] {
  return [
    ...judgeCounts(scenarioResult),
    ...judgeLog(scenarioResult),
    ...judgePauses(scenarioResult),
    ...judgeWait(scenarioResult),
    ...judgeHedge(scenarioResult),
    ...scenarioResult.rounds.flatMap(({ round, observation }) =>
      observation.flatMap((one) =>
        judgeOutcome(round.outcome ?? scenarioResult.expectation.outcome, one, scenarioResult),
      ),
    ),
  ];
}

/** The bounds that a count stands for with this policy. */
export function boundsOf(count: CallCount, { retry, credentials }: FaultTestPolicy): readonly [number, number] {
  if (count === "every_try") return [retry.retries + 1, retry.retries + 1];
  if (count === "every_credential") return [credentials, credentials];
  return typeof count === "number" ? [count, count] : count;
}

function judgeCounts({ expectation, policy, rounds, ...scenarioResult }: ScenarioResult): string[] {
  const count = (what: string, observation: number, wanted: CallCount): string[] => {
    const [least, most] = boundsOf(wanted, policy);
    return observation >= least && observation <= most ? [] : [`${what} was called ${observation} times`];
  };
  const calls = callsOf(scenarioResult, scenarioResult.primary);
  return [
    ...count("the primary model", calls.length, expectation.calls),
    ...count("the fallback", callsOf(scenarioResult, scenarioResult.fallback).length, expectation.fallbackCalls ?? 0),
    ...rounds.flatMap(({ round, calls }, n) =>
      round.calls === undefined ? [] : count(`in round ${n + 1} the primary model`, calls, round.calls),
    ),
    ...(expectation.credentials === undefined
      ? []
      : count(
          "with different credentials, the model",
          new Set(calls.map(({ credential }) => credential)).size,
          expectation.credentials,
        )),
  ];
}

function callsOf({ log }: Pick<ScenarioResult, "log">, model: string | undefined): readonly FaultServerCall[] {
  return log.filter((call) => call.model === model);
}

/** What holds for every scenario: nobody else is asked, and no connection is left behind. */
function judgeLog({ log, primary, fallback }: ScenarioResult): string[] {
  const unexpected = log.filter(({ model }) => model !== primary && model !== fallback);
  const open = log.filter(({ endedAt }) => endedAt === undefined);
  return [
    ...unexpected.map(({ model }) => `${model} was called, whom the request does not name`),
    ...open.map(({ model, turn }) => `call ${turn} of ${model} was left open`),
  ];
}

/** How much earlier than by the caller's clock something may be by the fault server's: a request takes its time to arrive. */
const earlyMs = 100;

function judgePauses({ expectation, policy, slackMs, ...scenarioResult }: ScenarioResult): string[] {
  const { pauses } = expectation;
  if (pauses === undefined) return [];
  const calls = callsOf(scenarioResult, scenarioResult.primary);
  return calls.slice(1).flatMap(({ at }, n) => {
    const before = calls[n] as FaultServerCall;
    const paused = at - (before.lastByteAt ?? before.endedAt ?? before.at);
    const [least, most] =
      pauses === "back_off" ? [0, 1].map((draw) => backOff(n + 1, policy.retry, draw)) : [pauses.ms, pauses.ms];
    return isBetween(paused, least as number, (most as number) + slackMs)
      ? []
      : [`before try ${n + 2} it paused ${Math.round(paused)} ms`];
  });
}

function judgeWait({ expectation, policy, slackMs, rounds, ...scenarioResult }: ScenarioResult): string[] {
  const last = callsOf(scenarioResult, scenarioResult.primary).at(-1);
  if (!last || rounds.length > 1) return [];
  const hangsUp = rounds[0]?.round.hangsUpAfter;
  const limit = hangsUp ?? (expectation.timeouts && policy[expectation.timeouts]);
  const next = callsOf(scenarioResult, scenarioResult.fallback)[0];
  const late = next && last.endedAt !== undefined ? next.at - last.endedAt : 0;
  const problems =
    rounds[0]?.observation.length === 1 && late > slackMs ? [`moved on ${Math.round(late)} ms late`] : [];
  if (limit === undefined) return problems;
  const waited =
    (last.endedAt ?? Number.NaN) - (expectation.timeouts === "gap" ? (last.lastByteAt ?? last.at) : last.at);
  if (last.endedBy !== "caller" || !isBetween(waited, limit - earlyMs, limit + slackMs))
    problems.push(`waited ${Math.round(waited)} ms for the primary model, and ${last.endedBy ?? "nobody"} hung up`);
  return problems;
}

/** Of two that are asked at once: how far apart, and that the loser is hung up on as soon as the other one has answered. */
function judgeHedge({ expectation: { loser }, policy, slackMs, ...scenarioResult }: ScenarioResult): string[] {
  const [first] = callsOf(scenarioResult, scenarioResult.primary);
  const [next] = callsOf(scenarioResult, scenarioResult.fallback);
  if (loser === undefined || !first || !next) return []; // missing calls are reported with the counts
  const apart = next.at - first.at;
  const after = policy.hedge?.after_ms ?? 0;
  const isInTime = isBetween(apart, after - earlyMs, after + slackMs);
  const problems = isInTime ? [] : [`asked the fallback ${Math.round(apart)} ms after the primary model`];
  if ((first.endedAt ?? Infinity) <= next.at)
    problems.push("asked the fallback when the primary model's call was over");
  const pairs = {
    primary: [[first, next]],
    fallback: [[next, first]],
    both: [
      [first, next],
      [next, first],
    ],
  } as const;
  for (const [lost, won] of pairs[loser]) {
    const late = (lost.endedAt ?? Infinity) - (won.endedAt ?? 0);
    if (lost.endedBy !== "caller" || late > slackMs)
      problems.push(
        `${lost.endedBy ?? "nobody"} ended the call of ${lost.behaviour}, ${Math.round(late)} ms after the other one`,
      );
  }
  return problems;
}

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least - 2 && value <= most;
}

function judgeOutcome(
  wanted: ExpectedOutcome,
  observation: Observation,
  scenarioResult: ScenarioResult,
): readonly string[] {
  return [
    ...observation.faults,
    ...judgeAttempts(observation, scenarioResult),
    ...problemsOf(wanted, observation, scenarioResult),
  ];
}

function problemsOf(wanted: ExpectedOutcome, observation: Observation, scenarioResult: ScenarioResult): string[] {
  if (wanted.kind === "answer") {
    if (!observation.isComplete)
      return [`failed with ${observation.code ?? "what is no error of the gateway"} (${observation.status})`];
    return [
      ...(observation.text === wanted.text ? [] : [`the text is ${brief(observation.text)}`]),
      ...(wanted.reasoning === undefined || wanted.reasoning === observation.reasoning
        ? []
        : [`the reasoning is ${brief(observation.reasoning)}`]),
      ...((wanted.calls ?? []).join() === observation.calls.join()
        ? []
        : [`the calls are ${brief(observation.calls.join())}`]),
      ...judgeSpeakers(wanted.from, observation, scenarioResult),
      ...(wanted.warns && !observation.hasWarnings ? ["there is no warning"] : []),
    ];
  }
  const problems = observation.isComplete ? ["looked like a complete answer"] : [];
  const text = wanted.kind === "broken" ? wanted.text : "";
  if (observation.text !== text) problems.push(`the text is ${brief(observation.text)}`);
  if (observation.code !== wanted.code && !observation.isComplete) problems.push(`the code is ${observation.code}`);
  if (wanted.kind === "broken") return problems;
  if (wanted.status !== undefined && observation.status !== wanted.status)
    problems.push(`the status is ${observation.status}`);
  if (wanted.saysWhen && !observation.retryAfterMs) problems.push("it does not say when to come back");
  return problems;
}

/** One stream of two speakers begins with the primary model's chunks. */
const namedFor: Readonly<Record<AnsweringModel, (named: string, names: ScenarioResult) => boolean>> = {
  primary: (named, { primary }) => named === primary,
  fallback: (named, { fallback }) => named === fallback,
  either: (named, { primary, fallback }) => named === primary || named === fallback,
  both: (named, { primary, fallback }) => named === `${primary},${fallback}`,
};

function judgeSpeakers(from: AnsweringModel, { speakers }: Observation, scenarioResult: ScenarioResult): string[] {
  const named = speakers.join();
  return namedFor[from](named, scenarioResult) ? [] : [`served by ${named || "nobody"}, it says`];
}

/** An error that tells whom it asked must tell the truth. */
function judgeAttempts({ attempts }: Observation, { rounds, log }: ScenarioResult): string[] {
  if (attempts.length === 0 || rounds.length > 1) return [];
  const reported = new Set(attempts.map(({ target }) => target.slice(target.indexOf("/") + 1)));
  const called = new Set(log.map(({ model }) => model));
  const isTrue = reported.size === called.size && [...reported].every((model) => called.has(model));
  return isTrue ? [] : [`it tells of attempts at ${[...reported].join()}`];
}

function brief(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 60)}…${text.slice(-10)} (${text.length})` : text);
}
