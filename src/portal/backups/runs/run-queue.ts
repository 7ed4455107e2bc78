import type { Clock } from "../../../engine/ports/clock.ts";
import { warn } from "../../../engine/runtime/notify.ts";

/** Backups that a process makes at a time in one region, whose driver and services they share, and of these for one tenant. */
export interface BackupPlaces {
  /** 8 unless set. */
  readonly region?: number | undefined;
  /** 2 unless set. */
  readonly tenant?: number | undefined;
}

/** Milliseconds that a tick waits for what it has started; what takes longer goes on behind it. */
export const graceMs = 5_000;

/** A backup to make. */
export interface QueuedRun {
  readonly id: string;
  readonly region: string;
  /** Whose it is, for the limit of one tenant. */
  readonly tenant: string;
  /** Makes the backup. Gives up by itself where another process was faster. */
  run(): Promise<void>;
}

/** The backups that this process makes. One that hangs holds its own place, and nothing waits for it but what has no other place. */
export interface RunQueue {
  /** Starts what has a place, and the rest as places become free. What runs or waits already is not added again. */
  add(runs: readonly QueuedRun[]): void;
  /** Resolves when nothing runs or waits, or after `ms`; rejects with the first failure of a run until then. */
  settled(clock: Clock, ms: number): Promise<void>;
  /** Starts nothing more, and resolves when nothing runs. */
  close(): Promise<void>;
}

/** Opens an empty queue. */
export function createRunQueue(limits: BackupPlaces = {}): RunQueue {
  let onFailure: (thrown: unknown) => void = warn;
  const places = openPlaces(limits, (thrown) => onFailure(thrown));
  return {
    add: places.add,
    async settled(clock, ms) {
      const failures: unknown[] = [];
      onFailure = (thrown) => void failures.push(thrown);
      let stop = () => {};
      const late = new Promise<void>((resolve) => {
        stop = clock.after(ms, resolve);
      });
      await Promise.race([places.idle(), late]);
      stop();
      onFailure = warn;
      if (failures.length > 0) throw failures[0];
    },
    close() {
      places.dropWaiting();
      return places.idle();
    },
  };
}

/** The runs of a queue: those that have a place, and those that wait for one in the order in which they came. */
function openPlaces({ region = 8, tenant = 2 }: BackupPlaces, fail: (thrown: unknown) => void) {
  const running = new Map<string, QueuedRun>();
  let waiting: QueuedRun[] = [];
  const onIdle: (() => void)[] = [];
  const count = (isSame: (run: QueuedRun) => boolean) => [...running.values()].filter(isSame).length;
  /** The first that its region and its tenant have a place for. */
  const findFitting = () =>
    waiting.find(
      (next) =>
        count((run) => run.region === next.region) < region &&
        count((run) => run.region === next.region && run.tenant === next.tenant) < tenant,
    );
  const isIdle = () => running.size === 0 && waiting.length === 0;
  const end = (run: QueuedRun) => {
    running.delete(run.id);
    start();
    if (isIdle()) for (const resolve of onIdle.splice(0)) resolve();
  };
  const start = () => {
    for (let next = findFitting(); next !== undefined; next = findFitting()) {
      const run = next;
      waiting = waiting.filter((one) => one !== run);
      running.set(run.id, run);
      run
        .run()
        .catch(fail)
        .finally(() => end(run));
    }
  };
  return {
    add(runs: readonly QueuedRun[]) {
      const isKnown = ({ id }: QueuedRun) => running.has(id) || waiting.some((one) => one.id === id);
      waiting.push(...runs.filter((run) => !isKnown(run)));
      start();
    },
    dropWaiting() {
      waiting = [];
    },
    idle: () => (isIdle() ? Promise.resolve() : new Promise<void>((resolve) => void onIdle.push(resolve))),
  };
}
