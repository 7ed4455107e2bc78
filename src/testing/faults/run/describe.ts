import type { CallCount, Expectation, ExpectedOutcome, FaultTestPolicy, Scenario } from "../scenarios/scenario.ts";
import { boundsOf, type ScenarioResult } from "./judge.ts";
import type { Observation } from "./observe.ts";

/** The conduct that is demanded, in words. */
export function describeExpectation(scenario: Scenario, expectation: Expectation, policy: FaultTestPolicy): string {
  const { calls, fallbackCalls = 0, pauses, timeouts, loser } = expectation;
  const words = [`asked ${times(calls, policy)}`];
  if (pauses === "back_off") words.push("with back-off");
  else if (pauses) words.push(`${pauses.ms} ms apart`);
  if (timeouts) words.push(`given up after ${policy[timeouts]} ms`);
  if (scenario.fallback) words.push(`the fallback ${times(fallbackCalls, policy)}`);
  if (loser) words.push(`${policy.hedge?.after_ms} ms later, and ${losers[loser]} hung up on`);
  const outcomes = [...(scenario.rounds ?? []).flatMap(({ outcome }) => outcome ?? []), expectation.outcome];
  return `${words.join(", ")}: ${[...new Set(outcomes.map(describeOutcome))].join(", or ")}`;
}

function times(count: CallCount, policy: FaultTestPolicy): string {
  if (count === "every_credential") return "once with each credential";
  const [least, most] = boundsOf(count, policy);
  const word = (n: number) => (n === 0 ? "never" : n === 1 ? "once" : `${n} times`);
  return least === most ? word(least) : `${least} to ${most} times`;
}

const losers = { primary: "the primary model is", fallback: "the fallback is", both: "both are" } as const;

const speakers = {
  primary: "the primary model's whole answer",
  fallback: "the fallback's whole answer",
  either: "a whole answer",
  both: "one whole answer, begun by the one and finished by the other",
} as const;

function describeOutcome(outcome: ExpectedOutcome): string {
  if (outcome.kind === "answer") return `${speakers[outcome.from]}${describeParts(outcome)}`;
  if (outcome.kind === "broken") return `what came before the break, then \`${outcome.code}\``;
  const status = outcome.status === undefined ? "" : ` (${outcome.status})`;
  return `\`${outcome.code}\`${status}${outcome.saysWhen ? ", with the time to come back" : ""}`;
}

function describeParts({ warns, reasoning, calls = [] }: Extract<ExpectedOutcome, { kind: "answer" }>): string {
  const parts = [
    warns ? "a warning" : "",
    reasoning === undefined ? "" : "all of its reasoning",
    calls.length === 0 ? "" : `${calls.length} whole tool calls`,
  ].filter(Boolean);
  return parts.length === 0 ? "" : `, with ${parts.join(" and ")}`;
}

/** What happened, in words. */
export function describeResult({ primary, fallback, log, rounds }: ScenarioResult): string {
  const count = (model: string | undefined) => log.filter((call) => call.model === model).length;
  const observation = rounds.flatMap((scenarioResult) => scenarioResult.observation.map(describeSeen));
  const counts = fallback === undefined ? `${count(primary)}` : `${count(primary)} + ${count(fallback)}`;
  return `${counts} calls: ${[...new Set(observation)].join(", or ")}`;
}

function describeSeen({ isComplete, text, code, status, faults, speakers: named }: Observation): string {
  const behaviours = named.map((model) => model.split("~")[0]).join(" and ");
  if (isComplete) return `a whole answer of ${behaviours}`;
  const what = code === undefined ? (faults[0] ?? "nothing") : `\`${code}\` (${status})`;
  return text === "" ? what : `${text.length} characters, then ${what}`;
}
