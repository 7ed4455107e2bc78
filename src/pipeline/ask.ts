import { type AttemptReport, GatewayError, withDetails } from "../errors.ts";
import { announce } from "../events.ts";
import type { Target } from "../route/plan.ts";
import { type Ask, circuitOpen } from "./attempt.ts";
import { type Call, eventOf, since } from "./call.ts";
import { askTarget, type Failed, type Served } from "./target.ts";
import { hasRoom } from "./visit.ts";

/** The candidates of a request on their way: who is left, and what became of the others. */
export interface Journey {
  readonly call: Call;
  readonly targets: readonly Target[];
  /** Position of the next candidate. */
  next: number;
  readonly reports: AttemptReport[];
  /** The failure of the foremost candidate. */
  first: { readonly position: number; readonly error: GatewayError } | undefined;
}

/** A journey over a plan's targets. */
export function beginJourney(call: Call, targets: readonly Target[]): Journey {
  return { call, targets, next: 0, reports: [], first: undefined };
}

/** Whether a candidate is left that may still be asked: after the deadline only the first is, which then says that it is too late. */
export function hasNext({ call, next, targets }: Journey): boolean {
  if (next >= targets.length || !hasRoom(call)) return false;
  return next === 0 || call.ports.clock.now() < call.deadline;
}

/**
 * Asks the candidates that are left, in order, until one answers. When all fail, the first one's error is thrown with the others in
 * `attempts`; a failure that no other candidate can mend is thrown at once. Candidates whose circuit is open are passed over.
 */
export async function askInOrder<Answer>(journey: Journey, ask: Ask<Answer>): Promise<Served<Answer>> {
  const { call, targets, reports } = journey;
  while (hasNext(journey)) {
    const position = journey.next++;
    const target = targets[position] as Target;
    const startedAt = call.ports.clock.now();
    const outcome = await visit(call, target, ask);
    if ("answer" in outcome) return outcome;
    const error = withDetails(outcome.error, { provider: target.provider, model: call.modelRequested });
    report(journey, target, { error, startedAt });
    if (!journey.first || tellsMore({ position, error }, journey.first)) journey.first = { position, error };
    if (outcome.isFinal && !call.lost) journey.next = targets.length; // nor by whoever is asked at the same time
    if (outcome.isFinal || call.cancelled) throw withDetails(error, { attempts: reports });
    if (hasNext(journey)) announceFallback(call, [target.name, (targets[journey.next] as Target).name], error);
  }
  throw withDetails(journey.first?.error ?? new GatewayError("internal", "The plan names no target."), {
    attempts: reports,
  });
}

/** Notes what became of a candidate. */
export function report({ call, reports }: Journey, { name }: Target, { error, startedAt }: Missed): void {
  const milliseconds = since(startedAt, call.ports.clock.now());
  reports.push({ target: name, status: error.status, reason: error.code, milliseconds });
}

/** Why a candidate gave no answer, and the instant at which it was turned to. */
interface Missed {
  readonly error: GatewayError;
  readonly startedAt: number;
}

/**
 * Which of two failures is the one to throw: that of the foremost candidate; but one that was met in asking tells more than a circuit
 * that kept from asking, and of two such the one with the shorter wait.
 */
function tellsMore(failure: NonNullable<Journey["first"]>, than: NonNullable<Journey["first"]>): boolean {
  const [isShut, wasShut] = [failure, than].map(({ error }) => error.code === "circuit_open");
  if (isShut !== wasShut) return wasShut === true;
  if (isShut) return (failure.error.retryAfterMs ?? 0) < (than.error.retryAfterMs ?? 0);
  return failure.position < than.position;
}

/** Asks a target, unless its circuit is open. */
function visit<Answer>(call: Call, target: Target, ask: Ask<Answer>): Promise<Served<Answer> | Failed> | Failed {
  const waitMs = call.ports.health.waitOf(target.name, call.ports.clock.now());
  return waitMs > 0 ? { error: circuitOpen(target, waitMs), isFinal: false } : askTarget(call, target, ask);
}

/** Tells of going on to another candidate. */
export function announceFallback(call: Call, [from, to]: readonly [string, string], error: GatewayError): void {
  announce(call.ports.events, "fell_back", () => ({
    ...eventOf(call),
    from,
    to,
    reason: error.code,
  }));
}
