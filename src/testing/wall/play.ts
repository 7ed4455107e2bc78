import type { ChatRequest } from "../../api/chat.ts";
import { GatewayError } from "../../errors.ts";
import type { Clock } from "../../ports.ts";
import type { WallCaller } from "./caller.ts";
import type { WallControl } from "./control.ts";
import type { WallCall } from "./journal.ts";
import type { Played, PlayedRound } from "./judge.ts";
import { observe, type Seen } from "./observe.ts";
import type { Round, Scenario, WallPolicy, Way } from "./scenario.ts";

/** A scenario to play once. */
export interface Casting {
  readonly scenario: Scenario;
  readonly way: Way;
  readonly provider: string;
  /** Keeps its calls apart from all others. */
  readonly tag: string;
}

/** The world that it is played in. */
export interface PlayWorld {
  readonly caller: WallCaller;
  readonly control: WallControl;
  readonly clock: Clock;
  readonly policy: WallPolicy;
}

/** Longest time that the end of a call may take to show in the wall's log. */
const settleMs = 1_000;
/** How far behind the end of a cool-down it is tried whether it is over. */
const afterCoolDownMs = 100;

/** Plays the rounds of a scenario, one after the other, and gives back what was seen on both sides. */
export async function playScenario(
  { scenario, way, provider, tag }: Casting,
  world: PlayWorld,
): Promise<Pick<Played, "asked" | "fallback" | "rounds" | "log">> {
  const asked = `${scenario.model}~${tag}`;
  const fallback = scenario.fallback && `${scenario.fallback}~${tag}`;
  const chat: ChatRequest = {
    model: `${provider}/${asked}`,
    messages: [{ role: "user", content: "What does the wall do?" }],
    ...(fallback === undefined ? {} : { fallbacks: [`${provider}/${fallback}`] }),
  };
  const rounds: PlayedRound[] = [];
  let log: readonly WallCall[] = [];
  for (const round of scenario.rounds ?? [{ requests: 1 }]) {
    const before = log.filter(({ model }) => model === asked).length;
    const seen = await playRound(round, {
      ...world,
      ask: (signal) => observe(world.caller, { chat, way }, { signal }),
    });
    log = await readSettledLog(world, tag);
    rounds.push({ round, seen, calls: log.filter(({ model }) => model === asked).length - before });
  }
  return { asked, fallback, rounds, log };
}

interface RoundWorld extends PlayWorld {
  readonly ask: (signal: AbortSignal) => Promise<Seen>;
}

async function playRound(round: Round, { clock, policy, ask }: RoundWorld): Promise<Seen[]> {
  if (round.begins === "after_cool_down") await pause(clock, (policy.circuit?.openMs ?? 0) + afterCoolDownMs);
  const askOnce = () => askWithin({ clock, longestMs: longestFor(policy) }, round.hangsUpAfter, ask);
  if (round.isAtOnce) return Promise.all(Array.from({ length: round.requests }, askOnce));
  const seen: Seen[] = [];
  for (let n = 0; n < round.requests; n++) seen.push(await askOnce());
  return seen;
}

/** Longest time for one request; a caller that has not come back by then is cut off. */
function longestFor({ firstContent, gap, retry }: WallPolicy): number {
  return 10_000 + 4 * (firstContent + gap + retry.retries * retry.maxMs);
}

/** Asks, hangs up when that is wanted, and does not wait longer than a caller may take. */
async function askWithin(
  { clock, longestMs }: { readonly clock: Clock; readonly longestMs: number },
  hangsUpAfter: number | undefined,
  ask: RoundWorld["ask"],
): Promise<Seen> {
  const hangUp = new AbortController();
  const cancelHangUp = hangsUpAfter === undefined ? () => {} : clock.after(hangsUpAfter, () => hangUp.abort());
  let cancelGuard = () => {};
  const guard = new Promise<Seen>((resolve) => {
    cancelGuard = clock.after(longestMs, () => {
      hangUp.abort(new GatewayError("request_cancelled", "The wall stopped waiting."));
      const faults = [`no end within ${longestMs} ms`];
      resolve({ text: "", isComplete: false, speakers: [], hasWarnings: false, attempts: [], faults });
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
async function readSettledLog({ control, clock }: PlayWorld, tag: string): Promise<readonly WallCall[]> {
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
