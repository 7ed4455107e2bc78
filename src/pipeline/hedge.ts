import { GatewayError } from "../errors.ts";
import type { Hedge } from "../options.ts";
import { askInOrder, hasNext, type Journey } from "./ask.ts";
import type { Ask } from "./attempt.ts";
import { announceDefect, announceFailure } from "./call.ts";
import { closeWhole } from "./deliver.ts";
import { endUnread } from "./relay-end.ts";
import type { Opened } from "./stream.ts";
import { closeMidway } from "./tab.ts";
import type { Served } from "./target.ts";

/** Asks the candidates in order, or two at once where the call or the engine's options say so. */
export function askCandidates<Answer>(journey: Journey, ask: Ask<Answer>): Promise<Served<Answer>> {
  const { options, ports } = journey.call;
  const hedge = options.hedge ?? ports.routing.hedge;
  return hedge ? askHedged(journey, ask, hedge) : askInOrder(journey, ask);
}

/**
 * Asks as {@link askInOrder} does, and asks the next candidate too when nothing has come after `after_ms`. The first answer wins; the
 * other candidate is cancelled and billed for what it consumed, and both reservations hold until then.
 */
async function askHedged<Answer>(journey: Journey, ask: Ask<Answer>, hedge: Hedge): Promise<Served<Answer>> {
  const { call } = journey;
  const lanes: Promise<Served<Answer>>[] = [];
  const served = await new Promise<Served<Answer>>((resolve, reject) => {
    let running = 0;
    const start = () => {
      const lane = askInOrder(journey, ask);
      lanes.push(lane);
      running++;
      lane.then(resolve, (error) => --running === 0 && reject(error)).finally(cancelTimer);
    };
    const cancelTimer = call.ports.clock.after(hedge.after_ms, () => {
      if (hasNext(journey)) start();
    });
    start();
  });
  const lost = new GatewayError("request_cancelled", "Another target answered first.");
  call.lost = lost;
  for (const interrupt of call.interrupts) if (interrupt !== served.attempt.fail) interrupt(lost);
  const outcomes = await Promise.allSettled(lanes);
  call.lost = undefined;
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") announceFailure(call, outcome.reason);
    else if (outcome.value !== served) endSecond(journey, outcome.value, lost);
  }
  return served;
}

/** Both answered in the same moment: the second answer is nobody's, but paid like any other. That it is none is no fault of the first. */
function endSecond(journey: Journey, second: Served<unknown>, lost: GatewayError): void {
  const { answer } = second;
  const isStream = typeof answer === "object" && answer !== null && "rest" in answer;
  try {
    if (isStream)
      endUnread(journey, second as Served<Opened>, lost); // the seam: a verb's answers are all of one kind
    else closeWhole(journey.call, second as Served<object>, closeMidway);
  } catch (thrown) {
    announceDefect(journey.call, thrown);
  }
}
