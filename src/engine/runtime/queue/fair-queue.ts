import { createWaitingRoom, type Waiting, type WaitingRoom, type WaitingRoomOptions } from "./waiting-room.ts";

/** How much a queue lets in at once, and how many may wait for how long. */
export interface FairQueueOptions extends WaitingRoomOptions {
  /** What may be under way at once, in units of cost. Work that costs more than all of it goes alone. */
  readonly capacity: number;
  /** The part of `capacity` that is kept for lanes without anything under way. */
  readonly reserve: number;
  /** What a lane may take in one round, in units of cost. */
  readonly quantum: number;
}

/** Lets work in, and out again. */
export interface FairQueue {
  /** The cost of what is under way. */
  readonly underWay: number;
  /** How many wait. */
  readonly waiting: number;
  /**
   * A pass at once, or a place in the queue. Entries of one lane go in the order in which they came; `cost` is above 0. Throws
   * `concurrency_limited` when too many wait.
   */
  enter(lane: string, cost: number): Pass | Waiting<Pass>;
}

/** A place among what is under way, until `leave` is called; later calls do nothing. */
export interface Pass {
  readonly kind: "pass";
  leave(): void;
}

/** What one owner has under way. */
interface Lane {
  readonly name: string;
  underWay: number;
  /** What it may still take in this round. */
  deficit: number;
}

/** A queue as it stands. */
interface FairQueueState {
  readonly options: FairQueueOptions;
  readonly lanes: Map<string, Lane>;
  /** How many lanes there may be before those with nothing under way are forgotten. */
  mostLanes: number;
  readonly room: WaitingRoom<Lane, Pass>;
  /** Lanes that wait and have nothing under way, in the order of their turns. */
  readonly fresh: Set<Lane>;
  /** Lanes that wait and have something under way. */
  readonly busy: Set<Lane>;
  underWay: number;
}

/** Lanes that are remembered with nothing under way: a lane in use is not made again for each entry. */
const idleLanes = 1_024;

/**
 * A bounded queue that is fair between lanes. What fits goes in at once. When something waits, lanes with nothing under way come first, one
 * entry each, and a part of the capacity is kept for them; the others share the rest by deficit round robin (Shreedhar and Varghese,
 * 1996). So the first entry of a lane waits for first entries of other lanes at most, however many more those have sent.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const room = createWaitingRoom<Lane, Pass>(options);
  const [fresh, busy] = [new Set<Lane>(), new Set<Lane>()];
  const state: FairQueueState = { options, lanes: new Map(), mostLanes: idleLanes, room, fresh, busy, underWay: 0 };
  return {
    get underWay() {
      return state.underWay;
    },
    get waiting() {
      return room.size;
    },
    enter(name, cost) {
      const lane = laneOf(state, name);
      const isNext = room.size === 0 || (fresh.size === 0 && lane.underWay === 0);
      if (isNext && room.lengthOf(lane) === 0 && fits(state, lane, cost)) return begin(state, lane, cost);
      const waiting = room.wait(lane, cost, (pass) => {
        if (pass) pass.leave();
        else if (room.lengthOf(lane) === 0) line(state, lane);
        serve(state);
      });
      if (!fresh.has(lane) && !busy.has(lane)) line(state, lane);
      return waiting;
    },
  };
}

function laneOf(state: FairQueueState, name: string): Lane {
  const { lanes } = state;
  const known = lanes.get(name);
  if (known) return known;
  if (lanes.size >= state.mostLanes) forgetIdle(state);
  const lane = { name, underWay: 0, deficit: 0 };
  lanes.set(name, lane);
  return lane;
}

function forgetIdle(state: FairQueueState): void {
  const { lanes, room } = state;
  for (const lane of lanes.values()) if (lane.underWay === 0 && room.lengthOf(lane) === 0) lanes.delete(lane.name);
  state.mostLanes = Math.max(idleLanes, 2 * lanes.size);
}

function fits({ options: { capacity, reserve }, underWay }: FairQueueState, lane: Lane, cost: number): boolean {
  return underWay === 0 || underWay + cost <= (lane.underWay === 0 ? capacity : capacity - reserve);
}

/** Puts a lane at the end of those that it belongs to. */
function line({ fresh, busy, room }: FairQueueState, lane: Lane): void {
  fresh.delete(lane);
  busy.delete(lane);
  if (room.lengthOf(lane) === 0) lane.deficit = 0;
  else (lane.underWay === 0 ? fresh : busy).add(lane);
}

function begin(state: FairQueueState, lane: Lane, cost: number): Pass {
  state.underWay += cost;
  lane.underWay += cost;
  let isOver = false;
  return {
    kind: "pass",
    leave() {
      if (isOver) return;
      isOver = true;
      state.underWay -= cost;
      lane.underWay -= cost;
      if (state.room.size === 0) return;
      if (lane.underWay === 0) line(state, lane);
      serve(state);
    },
  };
}

/** The lane whose turn it is, if its first entry fits. */
function next(state: FairQueueState): Lane | undefined {
  const { fresh, busy, room, options } = state;
  const [first] = fresh;
  if (first) return fits(state, first, room.costOf(first)) ? first : undefined;
  for (const lane of busy) {
    const cost = room.costOf(lane);
    if (cost > lane.deficit) lane.deficit += options.quantum;
    if (cost <= lane.deficit) return fits(state, lane, cost) ? lane : undefined;
    line(state, lane); // to the end, where the loop comes to it again
  }
  return undefined;
}

function serve(state: FairQueueState): void {
  const { fresh, room } = state;
  for (let lane = next(state); lane; lane = next(state)) {
    const cost = room.costOf(lane);
    lane.deficit = Math.max(0, lane.deficit - cost);
    room.admit(lane, begin(state, lane, cost));
    if (fresh.has(lane) || room.lengthOf(lane) === 0 || room.costOf(lane) > lane.deficit) line(state, lane);
  }
}
