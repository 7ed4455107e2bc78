import { GatewayError } from "../errors.ts";
import type { Clock, Timeouts } from "../ports.ts";

/** Guards one attempt with a single timer: first content, gap between pieces, whole request. */
export interface Watch {
  /** The caller waits for the next piece from now on; the gap counts only while it does. */
  waiting(now: number): void;
  /** A piece came. */
  arrived(): void;
  stop(): void;
}

/** What a watch needs to know; `deadline` and `startedAt` in milliseconds since the epoch. */
interface WatchSettings {
  readonly clock: Clock;
  readonly timeouts: Timeouts;
  readonly startedAt: number;
  readonly deadline: number;
  readonly expire: (error: GatewayError) => void;
}

/** Starts to watch; calls `expire` once with `upstream_timeout` when a limit passes. */
export function startWatch({ clock, timeouts, startedAt, deadline, expire }: WatchSettings): Watch {
  let waitingSince: number | undefined = startedAt;
  let isFirst = true;
  let limit = timeouts.firstContent;
  let until = deadline;
  let seen = startedAt;
  let cancel = clock.after(Math.min(limit, deadline - startedAt), check);

  /** A clock that was set back must not lengthen the waiting by more than was waited since it was last looked at. */
  function look(now: number): number {
    if (now < seen) {
      until -= seen - now;
      if (waitingSince !== undefined) waitingSince -= seen - now;
    }
    seen = now;
    return now;
  }
  function check(): void {
    const now = look(clock.now());
    const due = (waitingSince ?? now) + limit;
    if (now >= until) expire(tooLate(timeouts));
    else if (now >= due) expire(timeout(silence(limit, isFirst)));
    else cancel = clock.after(Math.min(due, until) - now, check);
  }
  return {
    waiting(now) {
      waitingSince = look(now);
    },
    arrived() {
      waitingSince = undefined;
      if (!isFirst) return;
      isFirst = false;
      limit = timeouts.gap;
      cancel();
      cancel = clock.after(Math.max(0, Math.min(limit, until - look(clock.now()))), check);
    },
    stop() {
      cancel();
    },
  };
}

/** The error of a request whose whole time has passed. */
export function tooLate({ whole }: Timeouts): GatewayError {
  return timeout(`The request did not finish within ${whole} ms.`);
}

function silence(limit: number, isFirst: boolean): string {
  return isFirst ? `No content came within ${limit} ms.` : `The stream paused for more than ${limit} ms.`;
}

function timeout(message: string): GatewayError {
  return new GatewayError("upstream_timeout", message);
}
