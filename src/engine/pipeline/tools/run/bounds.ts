import { GatewayError } from "../../../errors.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Abortable } from "../../../runtime/abortable.ts";
import { amount, type Check, callable, checkOptions } from "../../../runtime/checks.ts";
import type { CallOptions } from "../../call/options.ts";
import type { ToolRunOptions } from "./tool-run.ts";

type RunBounds = Pick<ToolRunOptions, "maxTurns" | "maxCalls" | "maxCost" | "timeoutMs" | "approve" | "onEvent">;

/** The bounds of a run with their defaults, and the options of its turns. */
export interface CheckedRunOptions extends RunBounds {
  readonly maxTurns: number;
  readonly maxCalls: number;
  readonly timeoutMs: number;
  readonly turnOptions: Omit<CallOptions, "signal">;
  readonly signal: Abortable | undefined;
}

function whole(least: number, most: number): Check {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return [fits, `a whole number from ${least} to ${most}`];
}

const longestMs = 86_400_000;

const checks = {
  maxTurns: whole(1, 100),
  maxCalls: whole(0, 1_000),
  maxCost: amount,
  timeoutMs: [
    (value: unknown) => typeof value === "number" && value > 0 && value <= longestMs,
    "a number above 0, up to a day",
  ],
  approve: callable,
  onEvent: callable,
} satisfies Record<keyof RunBounds, Check>;

/** Checks the bounds of a run; throws `invalid_request` with the option in `param`. The other options are checked with the first turn. */
export function readRunOptions(options: ToolRunOptions): CheckedRunOptions {
  const { maxTurns, maxCalls, maxCost, timeoutMs, approve, onEvent, signal, ...turnOptions } = options;
  const bounds = { maxTurns, maxCalls, maxCost, timeoutMs, approve, onEvent };
  checkOptions<RunBounds>(bounds, checks, { of: "a run of tools", code: "invalid_request" });
  const defaults = { maxTurns: maxTurns ?? 10, maxCalls: maxCalls ?? 50, timeoutMs: timeoutMs ?? 600_000 };
  return { ...bounds, ...defaults, signal, turnOptions };
}

/** The time of a run. */
export interface RunDeadline {
  /** Aborted when the caller leaves or the time is over, with the error that the run then ends with. */
  readonly signal: AbortSignal;
  /** Waits for work, no longer than until then: work that ignores the signal delays no caller. */
  within<Value>(work: Promise<Value>): Promise<Value>;
  /** Ends what is under way. */
  abort(reason: unknown): void;
  /** Lets go of the timer and of the caller's signal. */
  close(): void;
}

/** Starts the time of a run. */
export function startDeadline(clock: Clock, { signal, timeoutMs }: CheckedRunOptions): RunDeadline {
  const controller = new AbortController();
  const leave = () => controller.abort(new GatewayError("request_cancelled", "The caller cancelled the run."));
  const expire = () =>
    controller.abort(new GatewayError("upstream_timeout", `The run of tools took longer than ${timeoutMs} ms.`));
  const stopTimer = clock.after(timeoutMs, expire);
  signal?.addEventListener("abort", leave);
  if (signal?.aborted) leave();
  return {
    signal: controller.signal,
    within: (work) =>
      new Promise((resolve, reject) => {
        const end = () => reject(controller.signal.reason);
        if (controller.signal.aborted) end();
        else controller.signal.addEventListener("abort", end, { once: true });
        work.then(resolve, reject).finally(() => controller.signal.removeEventListener("abort", end));
      }),
    abort: (reason) => controller.abort(reason),
    close() {
      stopTimer();
      signal?.removeEventListener("abort", leave);
    },
  };
}
