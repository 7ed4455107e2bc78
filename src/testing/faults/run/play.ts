import type { ChatRequest } from "../../../engine/api/chat.ts";
import { GatewayError } from "../../../engine/errors.ts";
import type { Clock } from "../../../engine/ports/clock.ts";
import type { AnswerMode, FaultTestPolicy, Round, Scenario } from "../scenarios/scenario.ts";
import type { FaultServerCall } from "../server/call-log.ts";
import type { FaultServerControl } from "../server/control.ts";
import type { FaultTestCaller } from "./caller.ts";
import type { RoundResult, ScenarioResult } from "./judge.ts";
import { type Observation, observe } from "./observe.ts";

/** A scenario to play once. */
export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly mode: AnswerMode;
  readonly provider: string;
  /** Keeps its calls apart from all others. */
  readonly tag: string;
}

/** The world that it is played in. */
export interface PlayWorld {
  readonly caller: FaultTestCaller;
  readonly control: FaultServerControl;
  readonly clock: Clock;
  readonly policy: FaultTestPolicy;
}

/** Longest time that the end of a call may take to show in the fault server's log. */
const settleMs = 1_000;
/** How far behind the end of a cool-down it is tried whether it is over. */
const afterCoolDownMs = 100;

/** Plays the rounds of a scenario, one after the other, and gives back what was seen on both sides. */
export async function playScenario(
  { scenario, mode, provider, tag }: ScenarioRun,
  world: PlayWorld,
): Promise<Pick<ScenarioResult, "primary" | "fallback" | "rounds" | "log">> {
  const primary = `${modelOf(scenario, world.policy)}~${tag}`;
  const fallback = scenario.fallback && `${scenario.fallback}~${tag}`;
  const chat: ChatRequest = {
    model: `${provider}/${primary}`,
    messages: [{ role: "user", content: "What does the fault server do?" }],
    ...(fallback === undefined ? {} : { fallbacks: [`${provider}/${fallback}`] }),
  };
  const rounds: RoundResult[] = [];
  let log: readonly FaultServerCall[] = [];
  for (const round of scenario.rounds ?? [{ requests: 1 }]) {
    const before = log.filter(({ model }) => model === primary).length;
    const observation = await playRound(round, {
      ...world,
      ask: (signal) => observe(world.caller, { chat, mode }, { signal }),
    });
    log = await readSettledLog(world, tag);
    rounds.push({ round, observation, calls: log.filter(({ model }) => model === primary).length - before });
  }
  return { primary, fallback, rounds, log };
}

/** The primary model with its number, where that follows from the caller's circuit. */
function modelOf({ model, lasts }: Scenario, { circuit }: FaultTestPolicy): string {
  return lasts === undefined ? model : `${model}@${lasts * (circuit?.openMs ?? 0)}`;
}

interface RoundWorld extends PlayWorld {
  readonly ask: (signal: AbortSignal) => Promise<Observation>;
}

async function playRound(round: Round, { clock, policy, ask }: RoundWorld): Promise<Observation[]> {
  if (round.begins === "after_cool_down") await pause(clock, (policy.circuit?.openMs ?? 0) + afterCoolDownMs);
  const askOnce = () => askWithin({ clock, longestMs: longestFor(policy) }, round.hangsUpAfter, ask);
  if (round.isAtOnce) return Promise.all(Array.from({ length: round.requests }, askOnce));
  const observation: Observation[] = [];
  const startedAt = clock.now();
  const spacingMs = (round.spacing ?? 0) * (policy.circuit?.openMs ?? 0);
  for (let n = 0; n < round.requests; n++) {
    const early = startedAt + n * spacingMs - clock.now();
    if (early > 0) await pause(clock, early);
    observation.push(await askOnce());
  }
  return observation;
}

/** Longest time for one request; a caller that has not come back by then is cut off. */
function longestFor({ firstContent, gap, whole, retry }: FaultTestPolicy): number {
  return 10_000 + Math.max(whole, 4 * (firstContent + gap + retry.retries * retry.maxMs));
}

/** Asks, hangs up when that is wanted, and does not wait longer than a caller may take. */
async function askWithin(
  { clock, longestMs }: { readonly clock: Clock; readonly longestMs: number },
  hangsUpAfter: number | undefined,
  ask: RoundWorld["ask"],
): Promise<Observation> {
  const hangUp = new AbortController();
  const cancelHangUp = hangsUpAfter === undefined ? () => {} : clock.after(hangsUpAfter, () => hangUp.abort());
  let cancelGuard = () => {};
  const guard = new Promise<Observation>((resolve) => {
    cancelGuard = clock.after(longestMs, () => {
      hangUp.abort(new GatewayError("request_cancelled", "The fault server stopped waiting."));
      const faults = [`no end within ${longestMs} ms`];
      resolve({
        text: "",
        reasoning: "",
        calls: [],
        isComplete: false,
        speakers: [],
        hasWarnings: false,
        attempts: [],
        faults,
      });
    });
  });
  try {
    return await Promise.race([ask(hangUp.signal), guard]);
  } finally {
    cancelHangUp();
    cancelGuard();
  }
}

/** The log once every call in it has ended, or does not end. */
async function readSettledLog({ control, clock }: PlayWorld, tag: string): Promise<readonly FaultServerCall[]> {
  const until = clock.now() + settleMs;
  for (;;) {
    const log = await control.log(tag);
    if (clock.now() >= until || log.every(({ endedAt }) => endedAt !== undefined)) return log;
    await pause(clock, 20);
  }
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
