import { boundsOf, type Played } from "./judge.ts";
import type { Seen } from "./observe.ts";
import type { Conduct, Count, Outcome, Scenario, WallPolicy } from "./scenario.ts";

/** The conduct that is demanded, in words. */
export function describeConduct(scenario: Scenario, conduct: Conduct, policy: WallPolicy): string {
  const { calls, fallbackCalls = 0, pauses, patience, loser } = conduct;
  const words = [`asked ${times(calls, policy)}`];
  if (pauses === "back_off") words.push("with back-off");
  else if (pauses) words.push(`${pauses.ms} ms apart`);
  if (patience) words.push(`given up after ${policy[patience]} ms`);
  if (scenario.fallback) words.push(`the fallback ${times(fallbackCalls, policy)}`);
  if (loser) words.push(`${policy.hedge?.after_ms} ms later, and ${losers[loser]} hung up on`);
  const outcomes = [...(scenario.rounds ?? []).flatMap(({ outcome }) => outcome ?? []), conduct.outcome];
  return `${words.join(", ")}: ${[...new Set(outcomes.map(describeOutcome))].join(", or ")}`;
}

function times(count: Count, policy: WallPolicy): string {
  if (count === "every_credential") return "once with each credential";
  const [least, most] = boundsOf(count, policy);
  const word = (n: number) => (n === 0 ? "never" : n === 1 ? "once" : `${n} times`);
  return least === most ? word(least) : `${least} to ${most} times`;
}

const losers = { asked: "the asked model is", fallback: "the fallback is", both: "both are" } as const;

const speakers = {
  asked: "the asked model's whole answer",
  fallback: "the fallback's whole answer",
  either: "a whole answer",
  both: "one whole answer, begun by the one and finished by the other",
} as const;

function describeOutcome(outcome: Outcome): string {
  if (outcome.kind === "answer") return `${speakers[outcome.from]}${outcome.warns ? ", with a warning" : ""}`;
  if (outcome.kind === "broken") return `what came before the break, then \`${outcome.code}\``;
  const status = outcome.status === undefined ? "" : ` (${outcome.status})`;
  return `\`${outcome.code}\`${status}${outcome.saysWhen ? ", with the time to come back" : ""}`;
}

/** What happened, in words. */
export function describePlayed({ asked, fallback, log, rounds }: Played): string {
  const count = (model: string | undefined) => log.filter((call) => call.model === model).length;
  const seen = rounds.flatMap((played) => played.seen.map(describeSeen));
  const counts = fallback === undefined ? `${count(asked)}` : `${count(asked)} + ${count(fallback)}`;
  return `${counts} calls: ${[...new Set(seen)].join(", or ")}`;
}

function describeSeen({ isComplete, text, code, status, faults, speakers: named }: Seen): string {
  const behaviours = named.map((model) => model.split("~")[0]).join(" and ");
  if (isComplete) return `a whole answer of ${behaviours}`;
  const what = code === undefined ? (faults[0] ?? "nothing") : `\`${code}\` (${status})`;
  return text === "" ? what : `${text.length} characters, then ${what}`;
}
