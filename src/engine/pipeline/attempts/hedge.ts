import { GatewayError } from "../../errors.ts";
import type { Hedge } from "../../options.ts";
import { emitDefect, emitFailure } from "../call/call.ts";
import { type Candidates, hasNext } from "./candidates.ts";
import type { Served } from "./target.ts";
import type { CallProvider } from "./try-once.ts";

/** Asks candidates until one answers; rejects with the error of the call when none does. */
export type AskCandidates<Answer> = (candidates: Candidates, ask: CallProvider<Answer>) => Promise<Served<Answer>>;

/** Ends an answer that no caller gets and bills what it consumed. */
export type DiscardAnswer<Answer> = (candidates: Candidates, served: Served<Answer>, error: GatewayError) => void;

/**
 * Adds hedging: where the call or the engine asks for it, the next candidate is asked too when nothing has come after `after_ms`. The
 * first answer wins; the other candidate is cancelled and billed for what it consumed, and both reservations hold until then. `discard`
 * ends a second answer of the verb.
 */
export function withHedging<Answer>(discard: DiscardAnswer<Answer>) {
  return (next: AskCandidates<Answer>): AskCandidates<Answer> =>
    (candidates, ask) => {
      const { options, ports } = candidates.call;
      const hedge = options.hedge ?? ports.routing.hedge;
      if (!hedge) return next(candidates, ask);
      return raceLanes(candidates, { start: () => next(candidates, ask), hedge, discard });
    };
}

interface Race<Answer> {
  /** Asks the candidates that are left. */
  readonly start: () => Promise<Served<Answer>>;
  readonly hedge: Hedge;
  readonly discard: DiscardAnswer<Answer>;
}

async function raceLanes<Answer>(candidates: Candidates, race: Race<Answer>): Promise<Served<Answer>> {
  const { call } = candidates;
  const lanes: Promise<Served<Answer>>[] = [];
  const served = await new Promise<Served<Answer>>((resolve, reject) => {
    let running = 0;
    const start = () => {
      const lane = race.start();
      lanes.push(lane);
      running++;
      lane.then(resolve, (error) => --running === 0 && reject(error)).finally(cancelTimer);
    };
    const cancelTimer = call.ports.clock.after(race.hedge.after_ms, () => {
      if (hasNext(candidates)) start();
    });
    start();
  });
  const lost = new GatewayError("request_cancelled", "Another target answered first.");
  call.lostRace = lost;
  for (const interrupt of call.interrupts) if (interrupt !== served.attempt.fail) interrupt(lost);
  const outcomes = await Promise.allSettled(lanes);
  call.lostRace = undefined;
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") emitFailure(call, outcome.reason);
    else if (outcome.value !== served) discardSecond(candidates, outcome.value, { lost, discard: race.discard });
  }
  return served;
}

/** Two candidates answered at the same moment: the second answer is discarded but billed. Its defects do not fail the first answer. */
function discardSecond<Answer>(
  candidates: Candidates,
  second: Served<Answer>,
  { lost, discard }: { readonly lost: GatewayError; readonly discard: DiscardAnswer<Answer> },
): void {
  try {
    discard(candidates, second, lost);
  } catch (thrown) {
    emitDefect(candidates.call, thrown);
  }
}
