import { type AttemptReport, GatewayError, withDetails } from "../../errors.ts";
import { emit } from "../../events.ts";
import type { Target } from "../../routing/plan.ts";
import { type Call, eventOf, since } from "../call/call.ts";
import type { Attempt } from "./attempt.ts";
import { askTarget, type Failed, type Served } from "./target.ts";
import { hasRoom } from "./target-run.ts";
import { type CallProvider, circuitOpen } from "./try-once.ts";

/** The candidates of a request in progress: those left, and the reports of the others. */
export interface Candidates {
  readonly call: Call;
  readonly targets: readonly Target[];
  /** Position of the next candidate. */
  next: number;
  readonly reports: AttemptReport[];
  /** The failure of the foremost candidate. */
  first: { readonly position: number; readonly error: GatewayError } | undefined;
}

/** Begins at the first of a plan's targets. */
export function openCandidates(call: Call, targets: readonly Target[]): Candidates {
  return { call, targets, next: 0, reports: [], first: undefined };
}

/** Whether a candidate may still be asked: after the deadline only the first one, whose error then reports the timeout. */
export function hasNext({ call, next, targets }: Candidates): boolean {
  if (next >= targets.length || !hasRoom(call)) return false;
  return next === 0 || call.ports.clock.now() < call.deadline;
}

/**
 * Asks the candidates that are left, in order, until one answers. When all fail, the first one's error is thrown with the others in
 * `attempts`; a failure that no other candidate can mend is thrown at once. Candidates whose circuit is open are passed over.
 */
export async function askInOrder<Answer>(candidates: Candidates, ask: CallProvider<Answer>): Promise<Served<Answer>> {
  const { call, targets, reports } = candidates;
  while (hasNext(candidates)) {
    const position = candidates.next++;
    const target = targets[position] as Target;
    const startedAt = call.ports.clock.now();
    const outcome = await askIfClosed(candidates, target, ask);
    if ("answer" in outcome) return outcome;
    const error = withDetails(outcome.error, { provider: target.provider, model: call.modelRequested });
    reportMiss(candidates, target, { error, startedAt, tries: outcome.tries });
    if (!candidates.first || isMoreInformative({ position, error }, candidates.first))
      candidates.first = { position, error };
    if (outcome.isFinal && !call.lostRace) candidates.next = targets.length; // also for a concurrent hedge
    if (outcome.isFinal || call.cancelled) throw withDetails(error, { attempts: reports });
    if (hasNext(candidates)) emitFallback(call, [target.name, (targets[candidates.next] as Target).name], error);
  }
  throw withDetails(candidates.first?.error ?? new GatewayError("internal", "The plan names no target."), {
    attempts: reports,
  });
}

/** Records the failure of a candidate. */
export function reportMiss(
  { call, reports }: Candidates,
  { name }: Target,
  { error, startedAt, tries }: MissedCandidate,
): void {
  if (tries === 0 && call.plan) {
    const passed = { entry: name, reason: error.code, message: error.message };
    call.plan = { ...call.plan, skipped: [...call.plan.skipped, passed] };
  }
  const milliseconds = since(startedAt, call.ports.clock.now());
  const report = { target: name, status: error.status, reason: error.code, milliseconds };
  reports.push(tries > 1 ? { ...report, tries } : report);
}

/** The failure of a candidate, and the instant at which its turn began. */
interface MissedCandidate {
  readonly error: GatewayError;
  readonly startedAt: number;
  /** How often it was asked. */
  readonly tries: number;
}

/**
 * Which of two failures to throw: that of the foremost candidate; but the failure of a request says more than an open circuit
 * that prevented one, and of two open circuits, the one with the shorter wait.
 */
function isMoreInformative(failure: NonNullable<Candidates["first"]>, than: NonNullable<Candidates["first"]>): boolean {
  const [isShut, wasShut] = [failure, than].map(({ error }) => error.code === "circuit_open");
  if (isShut !== wasShut) return wasShut === true;
  if (isShut) return (failure.error.retryAfterMs ?? 0) < (than.error.retryAfterMs ?? 0);
  return failure.position < than.position;
}

/** Asks a target, unless its circuit is open. */
function askIfClosed<Answer>(
  candidates: Candidates,
  target: Target,
  ask: CallProvider<Answer>,
): Promise<Served<Answer> | Failed> | Failed {
  const { call } = candidates;
  const waitMs = call.ports.health.retryAfterOf(target.name, call.ports.clock.now());
  return waitMs > 0
    ? { error: circuitOpen(target, waitMs), isFinal: false, tries: 0 }
    : askTarget(candidates, target, ask);
}

/** Reports a fallback to another candidate. */
export function emitFallback(call: Call, [from, to]: readonly [string, string], error: GatewayError): void {
  emit(call.ports.events, "fell_back", () => ({
    ...eventOf(call),
    from,
    to,
    reason: error.code,
  }));
}

/** The request as a target is asked it: with the limit of its answer lowered, which is told, where that was needed. */
export function fittedRequest<Request extends object>(call: Call, request: Request, attempt: Attempt): Request {
  const tokens = call.fitted?.get(attempt.target.name);
  if (tokens === undefined) return request;
  attempt.warn(`fit: \`max_completion_tokens\` is ${tokens}: the budget leaves no more`);
  return { ...request, max_completion_tokens: tokens };
}
