import fc from "fast-check";
import { GatewayError, isGatewayError } from "../../../../src/engine/errors.ts";
import { createFairQueue, type FairQueueOptions, type Pass } from "../../../../src/engine/runtime/queue/fair-queue.ts";
import type { Waiting } from "../../../../src/engine/runtime/queue/waiting-room.ts";

/** Time that only the test moves. */
function createTime() {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly then: () => void }>();
  return {
    get now() {
      return now;
    },
    timers,
    after(ms: number, then: () => void) {
      const timer = { at: now + ms, then };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(ms: number) {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) if (timers.delete(timer)) timer.then();
    },
  };
}

interface Tracked {
  readonly lane: string;
  readonly cost: number;
  readonly enteredAt: number;
  waiting: Waiting<Pass> | undefined;
  state: "waiting" | "under way" | "over" | "failed";
  pass: Pass | undefined;
  error: unknown;
}

export const maxWaitMs = 50;
export const settings: Omit<FairQueueOptions, "after"> = {
  capacity: 10,
  reserve: 4,
  quantum: 3,
  maxWaiting: 8,
  maxWaitMs,
};

/** A queue and all that was asked of it. */
export function createWorld(options: Partial<FairQueueOptions> = {}) {
  const time = createTime();
  const queue = createFairQueue({ ...settings, after: time.after, ...options });
  const entries: Tracked[] = [];
  const admitted: Tracked[] = [];
  const heldBy = (name: string) => sum(entries.filter(({ lane, state }) => lane === name && state === "under way"));
  return {
    time,
    queue,
    entries,
    admitted,
    heldBy,
    in: (state: Tracked["state"]) => entries.filter((entry) => entry.state === state),
    enter(lane: string, cost: number): Tracked {
      const entry: Tracked = {
        lane,
        cost,
        enteredAt: time.now,
        waiting: undefined,
        state: "waiting",
        pass: undefined,
        error: undefined,
      };
      try {
        const answer = queue.enter(lane, cost);
        if (answer.kind === "pass") {
          entry.state = "under way";
          entry.pass = answer;
        } else {
          entry.waiting = answer;
          answer.admitted.then(
            (pass) => {
              if (entry.state === "failed") return;
              entry.state = "under way";
              entry.pass = pass;
              admitted.push(entry);
            },
            (error: unknown) => {
              entry.state = "failed";
              entry.error = error;
            },
          );
        }
      } catch (thrown) {
        entry.state = "failed";
        entry.error = thrown;
      }
      entries.push(entry);
      return entry;
    },
    leave(entry: Tracked | undefined) {
      if (entry?.state !== "under way") return;
      entry.state = "over";
      entry.pass?.leave();
      entry.pass?.leave(); // once more changes nothing
    },
  };
}

export const sum = (entries: readonly Tracked[]) => entries.reduce((total, { cost }) => total + cost, 0);
export const codeOf = (error: unknown) => (isGatewayError(error) ? error.code : String(error));
export const gone = new GatewayError("request_cancelled", "The caller hung up.");

const lane = fc.constantFrom("a", "b", "c", "d");
export const cost = fc.integer({ min: 1, max: 14 });
export const anySteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("enter" as const), lane, cost }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("leave" as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), which: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 40 }) }) },
  ),
  { maxLength: 60 },
);
type World = ReturnType<typeof createWorld>;

/** Plays the steps; `check` is called after each. Passes and errors have arrived by then, unless `isLate`. */
export async function play(
  steps: typeof anySteps extends fc.Arbitrary<infer Steps> ? Steps : never,
  check: (world: World) => void,
) {
  const world = createWorld();
  for (const step of steps) {
    if (step.kind === "enter") world.enter(step.lane, step.cost);
    const at = <Item>(items: readonly Item[], which: number) => items[which % Math.max(1, items.length)];
    if (step.kind === "leave") world.leave(at(world.in("under way"), step.which));
    if (step.kind === "pass") world.time.pass(step.ms);
    if (step.kind === "cancel") at(world.in("waiting"), step.which)?.waiting?.cancel(gone);
    await settled();
    check(world);
  }
  return world;
}

/** Promises that are ready have gone on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
}
