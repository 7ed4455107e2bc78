import { backOff } from "../../route/verdict.ts";
import type { WallCall } from "./journal.ts";
import type { Seen } from "./observe.ts";
import type { Conduct, Count, Outcome, Round, Scenario, Speaker, WallPolicy } from "./scenario.ts";

/** One round as it went. */
export interface PlayedRound {
  readonly round: Round;
  readonly seen: readonly Seen[];
  /** Calls of the asked model that it brought. */
  readonly calls: number;
}

/** A scenario as it went, and what it is judged by. */
export interface Played {
  readonly scenario: Scenario;
  readonly conduct: Conduct;
  readonly policy: WallPolicy;
  /** Whole names of the two models, without the provider. */
  readonly asked: string;
  readonly fallback: string | undefined;
  readonly rounds: readonly PlayedRound[];
  readonly log: readonly WallCall[];
  /** Milliseconds that anything may be late by. */
  readonly slackMs: number;
}

/** Everything that was not as demanded; empty when the scenario passed. */
export function judgeConduct(played: Played): readonly string[] {
  return [
    ...judgeCounts(played),
    ...judgeLog(played),
    ...judgePauses(played),
    ...judgePatience(played),
    ...judgeHedge(played),
    ...played.rounds.flatMap(({ round, seen }) =>
      seen.flatMap((one) => judgeOutcome(round.outcome ?? played.conduct.outcome, one, played)),
    ),
  ];
}

/** The bounds that a count stands for with this policy. */
export function boundsOf(count: Count, { retry, credentials }: WallPolicy): readonly [number, number] {
  if (count === "every_try") return [retry.retries + 1, retry.retries + 1];
  if (count === "every_credential") return [credentials, credentials];
  return typeof count === "number" ? [count, count] : count;
}

function judgeCounts({ conduct, policy, rounds, ...played }: Played): string[] {
  const count = (what: string, seen: number, wanted: Count): string[] => {
    const [least, most] = boundsOf(wanted, policy);
    return seen >= least && seen <= most ? [] : [`${what} was called ${seen} times`];
  };
  const calls = callsOf(played, played.asked);
  return [
    ...count("the asked model", calls.length, conduct.calls),
    ...count("the fallback", callsOf(played, played.fallback).length, conduct.fallbackCalls ?? 0),
    ...rounds.flatMap(({ round, calls }, n) =>
      round.calls === undefined ? [] : count(`in round ${n + 1} the asked model`, calls, round.calls),
    ),
    ...(conduct.credentials === undefined
      ? []
      : count(
          "with different credentials, the model",
          new Set(calls.map(({ credential }) => credential)).size,
          conduct.credentials,
        )),
  ];
}

function callsOf({ log }: Pick<Played, "log">, model: string | undefined): readonly WallCall[] {
  return log.filter((call) => call.model === model);
}

/** What holds for every scenario: nobody else is asked, and no connection is left behind. */
function judgeLog({ log, asked, fallback }: Played): string[] {
  const strangers = log.filter(({ model }) => model !== asked && model !== fallback);
  const open = log.filter(({ endedAt }) => endedAt === undefined);
  return [
    ...strangers.map(({ model }) => `${model} was called, whom the request does not name`),
    ...open.map(({ model, turn }) => `call ${turn} of ${model} was left open`),
  ];
}

/** How much earlier than by the caller's clock something may be by the wall's: a request takes its time to arrive. */
const earlyMs = 100;

function judgePauses({ conduct, policy, slackMs, ...played }: Played): string[] {
  const { pauses } = conduct;
  if (pauses === undefined) return [];
  const calls = callsOf(played, played.asked);
  return calls.slice(1).flatMap(({ at }, n) => {
    const before = calls[n] as WallCall;
    const paused = at - (before.lastByteAt ?? before.endedAt ?? before.at);
    const [least, most] =
      pauses === "back_off" ? [0, 1].map((draw) => backOff(n + 1, policy.retry, draw)) : [pauses.ms, pauses.ms];
    return isBetween(paused, least as number, (most as number) + slackMs)
      ? []
      : [`before try ${n + 2} it paused ${Math.round(paused)} ms`];
  });
}

function judgePatience({ conduct, policy, slackMs, rounds, ...played }: Played): string[] {
  const last = callsOf(played, played.asked).at(-1);
  if (!last || rounds.length > 1) return [];
  const hangsUp = rounds[0]?.round.hangsUpAfter;
  const limit = hangsUp ?? (conduct.patience && policy[conduct.patience]);
  const next = callsOf(played, played.fallback)[0];
  const late = next && last.endedAt !== undefined ? next.at - last.endedAt : 0;
  const problems = rounds[0]?.seen.length === 1 && late > slackMs ? [`moved on ${Math.round(late)} ms late`] : [];
  if (limit === undefined) return problems;
  const waited = (last.endedAt ?? Number.NaN) - (conduct.patience === "gap" ? (last.lastByteAt ?? last.at) : last.at);
  if (last.endedBy !== "caller" || !isBetween(waited, limit - earlyMs, limit + slackMs))
    problems.push(`waited ${Math.round(waited)} ms for the asked model, and ${last.endedBy ?? "nobody"} hung up`);
  return problems;
}

/** Of two that are asked at once: how far apart, and that the loser is hung up on as soon as the other one has answered. */
function judgeHedge({ conduct: { loser }, policy, slackMs, ...played }: Played): string[] {
  const [first] = callsOf(played, played.asked);
  const [next] = callsOf(played, played.fallback);
  if (loser === undefined || !first || !next) return []; // calls that are missing are told with the counts
  const apart = next.at - first.at;
  const after = policy.hedge?.after_ms ?? 0;
  const isInTime = isBetween(apart, after - earlyMs, after + slackMs);
  const problems = isInTime ? [] : [`asked the fallback ${Math.round(apart)} ms after the asked model`];
  if ((first.endedAt ?? Infinity) <= next.at) problems.push("asked the fallback when the asked model's call was over");
  const pairs = {
    asked: [[first, next]],
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

function judgeOutcome(wanted: Outcome, seen: Seen, played: Played): readonly string[] {
  return [...seen.faults, ...judgeAttempts(seen, played), ...problemsOf(wanted, seen, played)];
}

function problemsOf(wanted: Outcome, seen: Seen, played: Played): string[] {
  if (wanted.kind === "answer") {
    if (!seen.isComplete) return [`failed with ${seen.code ?? "what is no error of the gateway"} (${seen.status})`];
    return [
      ...(seen.text === wanted.text ? [] : [`the text is ${brief(seen.text)}`]),
      ...judgeSpeakers(wanted.from, seen, played),
      ...(wanted.warns && !seen.hasWarnings ? ["there is no warning"] : []),
    ];
  }
  const problems = seen.isComplete ? ["looked like a complete answer"] : [];
  const text = wanted.kind === "broken" ? wanted.text : "";
  if (seen.text !== text) problems.push(`the text is ${brief(seen.text)}`);
  if (seen.code !== wanted.code && !seen.isComplete) problems.push(`the code is ${seen.code}`);
  if (wanted.kind === "broken") return problems;
  if (wanted.status !== undefined && seen.status !== wanted.status) problems.push(`the status is ${seen.status}`);
  if (wanted.saysWhen && !seen.retryAfterMs) problems.push("it does not say when to come back");
  return problems;
}

/** One stream of two speakers begins with the asked model's chunks. */
const namedFor: Readonly<Record<Speaker, (named: string, names: Played) => boolean>> = {
  asked: (named, { asked }) => named === asked,
  fallback: (named, { fallback }) => named === fallback,
  either: (named, { asked, fallback }) => named === asked || named === fallback,
  both: (named, { asked, fallback }) => named === `${asked},${fallback}`,
};

function judgeSpeakers(from: Speaker, { speakers }: Seen, played: Played): string[] {
  const named = speakers.join();
  return namedFor[from](named, played) ? [] : [`served by ${named || "nobody"}, it says`];
}

/** An error that tells whom it asked must tell the truth. */
function judgeAttempts({ attempts }: Seen, { rounds, log }: Played): string[] {
  if (attempts.length === 0 || rounds.length > 1) return [];
  const told = new Set(attempts.map(({ target }) => target.slice(target.indexOf("/") + 1)));
  const called = new Set(log.map(({ model }) => model));
  const isTrue = told.size === called.size && [...told].every((model) => called.has(model));
  return isTrue ? [] : [`it tells of attempts at ${[...told].join()}`];
}

function brief(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 60)}…${text.slice(-10)} (${text.length})` : text);
}
