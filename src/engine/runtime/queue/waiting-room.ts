import { GatewayError } from "../../errors.ts";

/** How many may wait, and how long. */
export interface WaitingRoomOptions {
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** Calls `then` once after `ms`; the returned function takes it back. */
  readonly after: (ms: number, then: () => void) => () => void;
}

/** Somebody who waits. */
export interface Waiting<Admission> {
  readonly kind: "waiting";
  /** Rejects with `concurrency_limited` after `maxWaitMs`, or with the error of `cancel`. */
  readonly admitted: Promise<Admission>;
  /** Gives the place up, or what was got for it meanwhile. */
  cancel(error: GatewayError): void;
}

/** Called when somebody gives up: with what they had been admitted to already, or without anything when they leave the room. */
type GiveUp<Admission> = (admission: Admission | undefined) => void;

/** Those who wait, in lanes: first come, first served within a lane. In which order lanes are served is not decided here. */
export interface WaitingRoom<Lane, Admission> {
  readonly size: number;
  lengthOf(lane: Lane): number;
  /** The cost of the first of a lane; 0 when the lane is empty. */
  costOf(lane: Lane): number;
  /**
   * Throws `concurrency_limited` when there is no place: a lane may have as many waiting as there are places left, so that one lane never
   * fills the room for the others.
   */
  wait(lane: Lane, cost: number, onLeave: GiveUp<Admission>): Waiting<Admission>;
  /** Lets the first of a lane in. */
  admit(lane: Lane, admission: Admission): void;
}

interface Waiter<Admission> {
  readonly cost: number;
  readonly resolve: (admission: Admission) => void;
  readonly reject: (error: GatewayError) => void;
  readonly onLeave: GiveUp<Admission>;
  stopTimer: () => void;
  admission: Admission | undefined;
  isGone: boolean;
}

interface RoomState<Lane, Admission> {
  readonly lines: Map<Lane, Waiter<Admission>[]>;
  size: number;
}

/** A room for at most `maxWaiting`, each for at most `maxWaitMs`. */
export function createWaitingRoom<Lane, Admission>(options: WaitingRoomOptions): WaitingRoom<Lane, Admission> {
  const { maxWaiting, maxWaitMs, after } = options;
  const state: RoomState<Lane, Admission> = { lines: new Map(), size: 0 };
  const { lines } = state;
  return {
    get size() {
      return state.size;
    },
    lengthOf: (lane) => lines.get(lane)?.length ?? 0,
    costOf: (lane) => lines.get(lane)?.[0]?.cost ?? 0,
    wait(lane, cost, onLeave) {
      const line = lines.get(lane) ?? [];
      if (line.length >= maxWaiting - state.size)
        throw limited("Too many calls are under way, and too many wait already.");
      const { promise: admitted, resolve, reject } = Promise.withResolvers<Admission>();
      admitted.catch(() => {}); // who gives up need not listen
      const waiter = { cost, resolve, reject, onLeave, stopTimer: () => {}, admission: undefined, isGone: false };
      const cancel = (error: GatewayError) => giveUp(state, { lane, waiter }, error);
      const tooLong = `Too many calls are under way: there was no place for this one within ${maxWaitMs} ms.`;
      waiter.stopTimer = after(maxWaitMs, () => cancel(limited(tooLong)));
      line.push(waiter);
      lines.set(lane, line);
      state.size++;
      return { kind: "waiting", admitted, cancel };
    },
    admit(lane, admission) {
      const waiter = lines.get(lane)?.[0];
      if (!waiter) return;
      remove(state, lane, waiter);
      waiter.admission = admission;
      waiter.resolve(admission);
    },
  };
}

interface Position<Lane, Admission> {
  readonly lane: Lane;
  readonly waiter: Waiter<Admission>;
}

function giveUp<Lane, Admission>(
  state: RoomState<Lane, Admission>,
  { lane, waiter }: Position<Lane, Admission>,
  error: GatewayError,
): void {
  if (waiter.isGone) return;
  waiter.isGone = true;
  remove(state, lane, waiter);
  waiter.reject(error);
  waiter.onLeave(waiter.admission);
}

/** Does nothing for one that was admitted. */
function remove<Lane, Admission>(state: RoomState<Lane, Admission>, lane: Lane, waiter: Waiter<Admission>): void {
  const line = state.lines.get(lane) ?? [];
  const position = line.indexOf(waiter);
  if (position === -1) return;
  line.splice(position, 1);
  if (line.length === 0) state.lines.delete(lane);
  state.size--;
  waiter.stopTimer();
}

/** Milliseconds after which a call that found no place may be tried again. */
const retryAfterMs = 1_000;

function limited(message: string): GatewayError {
  return new GatewayError("concurrency_limited", message, { retryAfterMs });
}
