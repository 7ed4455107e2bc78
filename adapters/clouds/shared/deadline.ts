import { GatewayError } from "../../../src/engine/errors.ts";
import type { Clock } from "../../../src/engine/ports/clock.ts";
import type { Timeouts } from "../../../src/engine/ports/provider.ts";
import type { Abortable } from "../../../src/engine/runtime/abortable.ts";
import { type Aborter, createAborter } from "../../../src/engine/runtime/abortable.ts";
import type { Duration } from "../../../src/engine/runtime/duration.ts";
import { type Deadlines, msOf } from "../../shared/durations.ts";
import { abortError } from "../../shared/http/failure.ts";

/** One operation of a back end on its way: when it must end, and what it began that has to be taken back if it fails. */
export interface OperationDeadline {
  /** Aborted when the caller hangs up, or when the deadline of the whole operation passes. */
  readonly signal: Abortable;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; throws as soon as the work is ended. */
  sleep(ms: number): Promise<void>;
}

/** How long an operation may take, by whose clock, and who may end it before. */
export interface OperationDeadlineOptions {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly whole: number;
  /** Who is asked, for the message of a deadline that passed: `OpenStack`. */
  readonly name: string;
  /** The caller's; without one the work ends by its deadline alone, as what is taken back after a failure should. */
  readonly signal?: Abortable | undefined;
}

/** Runs an operation under one deadline for all of its requests; throws `backend_timeout` when that passes. */
export async function runWithDeadline<T>(
  { clock, whole, name, signal }: OperationDeadlineOptions,
  run: (deadline: OperationDeadline) => Promise<T>,
): Promise<T> {
  const aborter = createAborter();
  const late = new GatewayError("backend_timeout", `${name} did not finish within ${whole} ms.`);
  const onAbort = () => aborter.abort(signal?.reason);
  const takeBack = clock.after(whole, () => aborter.abort(late));
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);
  try {
    return await run({ signal: aborter, now: clock.now, sleep: (ms) => sleepOn(clock, aborter, ms) });
  } finally {
    takeBack();
    signal?.removeEventListener("abort", onAbort);
  }
}

function sleepOn(clock: Clock, aborter: Aborter, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    if (aborter.aborted) {
      reject(abortError(aborter));
      return;
    }
    const takeBack = clock.after(ms, () => {
      aborter.removeEventListener("abort", onAbort);
      resolve();
    });
    const onAbort = () => {
      takeBack();
      reject(abortError(aborter));
    };
    aborter.addEventListener("abort", onAbort);
  });
}

/** The promise, or the reason of the signal if that comes first: for work that goes on although this caller leaves. */
export function untilEnded<T>(promise: Promise<T>, signal: Abortable): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(abortError(signal));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

const usual: Timeouts = { connect: 5_000, firstContent: 30_000, gap: 15_000, whole: 60_000 };

/** Deadlines of requests to a back end, in milliseconds, from those that its options state. */
export function deadlinesOf(stated: Deadlines | undefined): Timeouts {
  const entries = Object.entries<Duration | undefined>(stated ?? {}).filter(([, value]) => value !== undefined);
  return { ...usual, ...Object.fromEntries(entries.map(([name, value]) => [name, msOf(value, 0)])) };
}
