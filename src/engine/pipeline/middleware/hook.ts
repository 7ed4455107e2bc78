import { GatewayError, isGatewayError } from "../../errors.ts";
import { type EventMap, emit } from "../../events.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import { emitDefect, eventOf, since } from "../call/call.ts";
import { withinDeadline } from "../call/within-deadline.ts";
import type { ActiveMiddleware, HookRun } from "./active.ts";

type Phase = EventMap["middleware"]["phase"];
type HookReport = Pick<EventMap["middleware"], "outcome" | "reason" | "is_open" | "error">;

/** What a hook is called for. */
export interface HookCall<Value> {
  readonly phase: Phase;
  /** What goes on where the hook says nothing. */
  readonly unchanged: Value;
  readonly hook: () => MaybePromise<Value | undefined>;
  /** Whether a value that the hook gave can be gone on with; throws what is wrong with it. */
  readonly check?: (value: Value) => Value;
}

/**
 * Calls one hook, within its time and the call's. Throws `content_blocked` where it refuses, and where it fails unless it is to be gone on
 * without; the call's own end (cancelled, out of time) is thrown as it is.
 */
export async function runHook<Value>(active: ActiveMiddleware, hooked: HookCall<Value>): Promise<Value> {
  const { clock } = active.call.ports;
  const startedAt = clock.now();
  const run: HookRun = {
    deadline: startedAt + active.timeoutMs,
    controller: new AbortController(),
    isOver: false,
    facts: undefined,
  };
  active.run = run;
  const report = (made: HookReport) => emitHook(active, hooked.phase, { ...made, startedAt });
  try {
    const value = await within(active, run, hooked.hook);
    if (value === undefined) report({ outcome: "passed" });
    const next = value === undefined ? hooked.unchanged : (hooked.check ?? same)(value as Value);
    if (value !== undefined) report({ outcome: next === hooked.unchanged ? "passed" : "changed" });
    return next;
  } catch (thrown) {
    const failure = failureOf(active, thrown);
    if (failure.report) report(failure.report);
    if (failure.error) throw failure.error;
    return hooked.unchanged;
  } finally {
    run.isOver = true;
  }
}

function same<Value>(value: Value): Value {
  return value;
}

class HookTimeout extends Error {}

/** A hook that answers at once costs no timer. */
async function within<Value>(active: ActiveMiddleware, run: HookRun, hook: () => MaybePromise<Value>): Promise<Value> {
  const answer = hook();
  if (!(answer instanceof Promise)) return answer;
  const { call, models, timeoutMs } = active;
  return withinDeadline(
    call,
    new Promise<Value>((resolve, reject) => {
      const stop = call.ports.clock.after(timeoutMs, () => {
        run.isOver = true;
        run.controller.abort();
        // A question under way ends at the same deadline; its line of the bill is written before the call goes on.
        void models.idle().then(() => reject(new HookTimeout()));
      });
      answer.finally(stop).then(resolve, reject);
    }),
    () => run.controller.abort(),
  );
}

/** What becomes of what a hook threw: an error for the caller, or none where the request goes on. */
function failureOf(
  { call, middleware: { name, onError }, warnings }: ActiveMiddleware,
  thrown: unknown,
): { readonly error?: GatewayError; readonly report?: HookReport } {
  if (isGatewayError(thrown) && thrown.blocked)
    return { error: thrown, report: { outcome: "blocked", reason: thrown.blocked.reason } };
  if (call.cancelled) return { error: call.cancelled };
  if (call.ports.clock.now() >= call.deadline && isGatewayError(thrown)) return { error: thrown };
  if (!isGatewayError(thrown) && !(thrown instanceof HookTimeout)) emitDefect(call, thrown);
  const reason = thrown instanceof HookTimeout ? "timeout" : "failed";
  const isOpen = onError === "open";
  const report: HookReport = { outcome: "failed", reason, is_open: isOpen, error: thrown };
  if (isOpen) {
    const warning = `middleware: \`${name}\` ${reason === "timeout" ? "was late" : "failed"} and was passed over`;
    if (!warnings.includes(warning)) warnings.push(warning);
    return { report };
  }
  const message = reason === "timeout" ? `The middleware \`${name}\` was late.` : `The middleware \`${name}\` failed.`;
  const blocked = { middleware: name, reason };
  return { error: new GatewayError("content_blocked", message, { blocked, cause: thrown }), report };
}

function emitHook(
  { call, middleware, run }: ActiveMiddleware,
  phase: Phase,
  { startedAt, ...report }: HookReport & { readonly startedAt: number },
): void {
  if (phase === "text" && report.outcome === "passed" && !run?.facts) return;
  emit(call.ports.events, "middleware", () => ({
    ...eventOf(call),
    name: middleware.name,
    phase,
    ...report,
    latency: since(startedAt, call.ports.clock.now()),
    ...(call.access ? { key_id: call.access.keyId } : {}),
    ...(run?.facts ? { facts: run.facts } : {}),
  }));
}
