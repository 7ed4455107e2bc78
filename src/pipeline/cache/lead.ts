import { type GatewayError, withDetails } from "../../errors.ts";
import type { Call, SharedWork } from "../call.ts";
import { settleFailure } from "../settle.ts";
import { type Flights, type Hit, type LedFlight, openFlight } from "./flight.ts";
import type { Inquiry } from "./inquiry.ts";
import { keep, type ToldAnswer } from "./keep.ts";
import { abandon, type Led, leadStream } from "./lead-stream.ts";
import { askOn, type CachedRun, giveOrAsk } from "./result.ts";
import { search } from "./search.ts";

/** Where a question that is asked for others, too, is found by them. */
export interface Lead {
  readonly flights: Flights;
  readonly key: string;
  /** The search for a kept answer, where it takes time. */
  readonly same: Promise<Hit | undefined> | undefined;
}

/**
 * Asks for all who ask the same meanwhile. When this caller goes while others wait, the work goes on, on this caller's books; only
 * when the last of them goes is it ended.
 */
export function lead<Result>(inquiry: Inquiry, run: CachedRun<Result>, { flights, key, same }: Lead): Promise<Result> {
  const { call } = inquiry;
  const led: Led = { stream: undefined, chunks: undefined };
  const flight = openFlight({
    flights,
    key,
    abandon: (error) => abandon(call, led, error),
    hasFailed: () => (call.ending?.status ?? 200) >= 400,
  });
  const work = perform(inquiry, run, { flight, same, led });
  return new Promise((resolve, reject) => {
    const shared: LedWork = { leave: leaveWork, call, flight, reject };
    call.shared = shared;
    work.then(resolve, reject);
  });
}

/** What a leader asks for others, too. */
interface LedWork extends SharedWork {
  readonly call: Call;
  readonly flight: LedFlight;
  /** Tells the leader's own caller. */
  readonly reject: (error: GatewayError) => void;
}

/** The leader's caller goes: it is told so, and the work goes on while others wait. */
function leaveWork(this: SharedWork, error: GatewayError): boolean {
  const { call, flight, reject } = this as LedWork; // as `lead` made it
  if (flight.countRiders() === 1) return false;
  call.left = withDetails(error, { model: call.modelRequested, eventId: call.id });
  flight.leave(error);
  reject(call.left);
  return true;
}

interface Performance {
  readonly flight: LedFlight;
  readonly same: Promise<Hit | undefined> | undefined;
  readonly led: Led;
}

async function perform<Result>(
  inquiry: Inquiry,
  run: CachedRun<Result>,
  { flight, same, led }: Performance,
): Promise<Result> {
  try {
    const { hit, embedded } = await search(inquiry, same);
    if (hit) {
      land(flight, { kind: "given", hit });
      return await giveOrAsk(inquiry, run, hit);
    }
    const result = await askOn(inquiry, run);
    if (run.cached.isStream) return leadStream(inquiry, { flight, led, embedded }, result as never) as Result; // by the verb
    land(flight, { kind: "given", hit: await keep(inquiry, result as ToldAnswer, embedded) });
    return result;
  } catch (thrown) {
    const error = await settleFailure(inquiry.call, thrown);
    land(flight, { kind: "failed", error, keyId: inquiry.call.access?.keyId });
    throw error;
  }
}

/** Lets those who wait go on; whoever comes now finds what is kept. */
function land(flight: LedFlight, landing: Parameters<LedFlight["land"]>[0]): void {
  flight.close();
  flight.land(landing);
}
