import type { CoreEngine } from "../../../engine/engine.ts";
import type { ErrorCode } from "../../../engine/errors.ts";
import { createBoundedCache } from "../../../engine/runtime/bounded-cache.ts";

const minuteMs = 60_000;

/** The longest window of a rule, in minutes. */
const mostMinutes = 60;

/** Keys and targets that are remembered; callers choose the model's part of a target. */
const [mostKeys, mostTargets] = [10_000, 1_000];

/** The error codes of a request that a limit refuses. */
export const limitCodes: ReadonlySet<ErrorCode | "ok"> = new Set([
  "budget_exceeded",
  "token_limited",
  "request_limited",
  "concurrency_limited",
] as const);

/** What happened to one key or target in one minute. */
interface MinuteCount {
  readonly minute: number;
  all: number;
  bad: number;
  /** The code of the last bad one. */
  last: string;
}

/** Sums over the last minutes. */
export interface WindowCount {
  readonly all: number;
  readonly bad: number;
  readonly last: string;
}

/** What this process has seen of the engine's requests in the last hour. */
export interface ActivityLog {
  /** Begins to listen; without it the engine's events cost nothing. */
  start(): void;
  stop(): void;
  /** The keys that were used since the same reader asked last; a reader is any object. */
  usedKeys(reader: object): readonly string[];
  /** Requests of keys; `bad` were refused by a limit. */
  refusals(minutes: number, now: number): ReadonlyMap<string, WindowCount>;
  /** Attempts at targets; `bad` failed. */
  attempts(minutes: number, now: number): ReadonlyMap<string, WindowCount>;
}

/** Returns the log of an engine, which listens once it is started. */
export function createActivityLog({ on, clock }: Pick<CoreEngine, "on" | "clock">): ActivityLog {
  const refusals = createCounts(mostKeys);
  const attempts = createCounts(mostTargets);
  const used = createBoundedCache<number>(mostKeys);
  const readers = new WeakMap<object, number>();
  let uses = 0;
  let ends: readonly (() => void)[] = [];
  return {
    start() {
      if (ends.length > 0) return;
      ends = [
        on("settled", ({ key_id, reason }) => {
          if (key_id === undefined) return;
          used.set(key_id, ++uses);
          if (limitCodes.has(reason)) refusals.count(key_id, { now: clock.now(), bad: reason });
        }),
        on("attempted", ({ target, reason }) =>
          attempts.count(target, { now: clock.now(), ...(reason === "ok" ? {} : { bad: reason }) }),
        ),
      ];
    },
    stop() {
      for (const end of ends) end();
      ends = [];
    },
    usedKeys(reader) {
      const since = readers.get(reader) ?? 0;
      readers.set(reader, uses);
      return used.entries().flatMap(([key, use]) => (use > since ? [key] : []));
    },
    refusals: (minutes, now) => refusals.sums(minutes, now),
    attempts: (minutes, now) => attempts.sums(minutes, now),
  };
}

function createCounts(max: number) {
  const counts = createBoundedCache<MinuteCount[]>(max);
  return {
    count(name: string, { now, bad }: { readonly now: number; readonly bad?: string }) {
      const minute = Math.floor(now / minuteMs);
      const present = counts.get(name) ?? [];
      let current = present.at(-1);
      if (current?.minute !== minute) {
        current = { minute, all: 0, bad: 0, last: "" };
        counts.set(name, [...present.filter((one) => one.minute > minute - mostMinutes), current]);
      }
      current.all++;
      if (bad === undefined) return;
      current.bad++;
      current.last = bad;
    },
    sums(minutes: number, now: number): ReadonlyMap<string, WindowCount> {
      const first = Math.floor(now / minuteMs) - minutes;
      const sums = counts.entries().map(([name, all]) => [name, sumOf(all.filter((one) => one.minute > first))]);
      return new Map(sums as [string, WindowCount][]);
    },
  };
}

function sumOf(counts: readonly MinuteCount[]): WindowCount {
  const sum = (field: "all" | "bad") => counts.reduce((total, one) => total + one[field], 0);
  return { all: sum("all"), bad: sum("bad"), last: counts.findLast((one) => one.bad > 0)?.last ?? "" };
}
