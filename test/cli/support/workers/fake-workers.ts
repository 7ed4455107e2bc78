import type { WorkerReport } from "../../../../src/server/reload/worker-role.ts";
import type { WorkerEnd, WorkerProcess } from "../../../../src/server/workers/worker-process.ts";

/** A worker that a test reports and ends for. */
export interface FakeWorker extends WorkerProcess {
  readonly announces: boolean;
  readonly signals: NodeJS.Signals[];
  report(report: WorkerReport): void;
  end(end: WorkerEnd): void;
}

/** Workers as they are started, and timers that a test lets pass. */
export function fakeWorkers() {
  const started: FakeWorker[] = [];
  const running = new Set<FakeWorker>();
  let timers: { at: number; listener: () => void }[] = [];
  let now = 0;
  const fork = (number: number, announces: boolean): FakeWorker => {
    const reports = new Set<(report: WorkerReport) => void>();
    const ends = new Set<(end: WorkerEnd) => void>();
    const signals: NodeJS.Signals[] = [];
    let isServing = false;
    const worker: FakeWorker = {
      ...{ number, pid: started.length + 1, announces, signals },
      channel: { send: () => {}, onMessage: () => () => {}, onClose: () => {} },
      get isServing() {
        return isServing;
      },
      kill: (signal) => void signals.push(signal),
      onReport(listener) {
        reports.add(listener);
        return () => void reports.delete(listener);
      },
      onExit(listener) {
        ends.add(listener);
        return () => void ends.delete(listener);
      },
      report(report) {
        isServing ||= report.kind === "serving";
        for (const listener of [...reports]) listener(report);
      },
      end(end) {
        running.delete(worker);
        for (const listener of [...ends]) listener(end);
      },
    };
    started.push(worker);
    running.add(worker);
    return worker;
  };
  return {
    fork,
    started,
    running,
    now: () => now,
    schedule(listener: () => void, ms: number) {
      const timer = { at: now + ms, listener };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    /** Lets time pass; what is due happens in its order. */
    pass(ms: number) {
      now += ms;
      const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
      timers = timers.filter(({ at }) => at > now);
      for (const { listener } of due) listener();
    },
    waiting: () => timers.length,
  };
}
