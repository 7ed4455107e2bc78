import type { GatewayError } from "../errors.ts";

/** When a circuit opens and for how long. */
export interface CircuitRules {
  /** Failures in a row that open it. */
  readonly consecutive: number;
  /** How many of the last outcomes the share is taken of; 1 to 30. */
  readonly window: number;
  /**
   * Outcomes that must be known before their share opens it, at most `window`. The default is the whole window: fewer are not "the last
   * 20", and a target that fails from its first request on opens by failures in a row.
   */
  readonly minimumSample: number;
  /** Share of failures that opens it when it is passed, between 0 and 1. */
  readonly share: number;
  /** Milliseconds that it stays open the first time; doubled after each probe that fails. */
  readonly openMs: number;
  /** Longest time open, in milliseconds. */
  readonly maxOpenMs: number;
  /** Milliseconds after which a probe that was never heard of again gives up its place, unless the asker names its own deadline. */
  readonly probeMs: number;
}

/** The rules of inference-resolved.md, 6.7, with times of docs/decisions/0038-circuit-times.md; a probe's place is held as long as a whole request may last (6.6). */
export const defaultCircuitRules: CircuitRules = {
  consecutive: 5,
  window: 20,
  minimumSample: 20,
  share: 0.5,
  openMs: 5_000,
  maxOpenMs: 11_500,
  probeMs: 600_000,
};

/** `closed`: all pass. `open`: nobody does. `half_open`: the time is over, and one probe decides. */
export type CircuitState = "closed" | "open" | "half_open";

/** What became of an admitted request, as far as its target's health goes; see {@link circuitOutcome}. */
export type CircuitOutcome = "success" | "failure" | "neutral";

/** A change of state that a recorded outcome brought about. */
export type CircuitChange = "opened" | "closed";

/** Leave to ask a target; all who are admitted while it is closed share one. It counts for the state that it was given in, and no other. */
export interface CircuitPass {
  readonly circuit: Circuit;
  /** True for the one request that a half-open circuit lets through. */
  readonly isProbe: boolean;
}

/** The health of one target; changed only by {@link admitCircuit} and {@link recordCircuit}. Times in milliseconds since the epoch. */
export interface Circuit {
  readonly rules: CircuitRules;
  state: CircuitState;
  /** The ticket whose outcome counts now: the one of all who passed while closed, or the probe's; nobody's while open. */
  current: CircuitPass | undefined;
  /** Failures in a row. */
  inARow: number;
  /** The last outcomes as bits, the newest lowest; 1 is a failure. */
  outcomes: number;
  samples: number;
  failures: number;
  /** When it opened, or its probe began. */
  since: number;
  /** When the next probe may begin: the end of the time open, or of the probe's place. */
  until: number;
  /** How long it is open now, or would be next. */
  openMs: number;
}

/** What an operator is shown of a circuit. */
export interface CircuitView {
  readonly state: CircuitState;
  readonly inARow: number;
  readonly failures: number;
  readonly samples: number;
  /** Milliseconds until a request may be let through, at the soonest; 0 when it may now. */
  readonly retryAfterMs: number;
}

/** A closed circuit without a past. */
export function newCircuit(rules: CircuitRules = defaultCircuitRules): Circuit {
  const { openMs } = rules;
  const blank = { current: undefined, inARow: 0, outcomes: 0, samples: 0, failures: 0, since: 0, until: 0, openMs };
  const circuit: Circuit = { rules, state: "closed", ...blank };
  close(circuit);
  return circuit;
}

/**
 * Asks for permission to ask the target now; `undefined` means no. Each pass must report its outcome to {@link recordCircuit}; a
 * probe that never does gives up its place at `until`, the caller's own deadline.
 */
export function admitCircuit(
  circuit: Circuit,
  now: number,
  until = now + circuit.rules.probeMs,
): CircuitPass | undefined {
  return circuit.state === "closed" ? circuit.current : admitProbe(circuit, now, until);
}

function admitProbe(circuit: Circuit, now: number, until: number): CircuitPass | undefined {
  // A clock that was set back must not keep the circuit shut: what lies before `since` is no time that it was open.
  if (now < circuit.until && now >= circuit.since) return undefined;
  circuit.state = "half_open";
  circuit.since = now;
  circuit.until = until;
  circuit.current = { circuit, isProbe: true };
  return circuit.current;
}

/**
 * Counts the outcome of an admitted request and tells the change it brought, if any. A ticket of a state that is over changes nothing:
 * who was admitted while the circuit was closed and fails after it went half-open is not the probe. Call it once per ticket.
 */
export function recordCircuit(pass: CircuitPass, outcome: CircuitOutcome, now: number): CircuitChange | undefined {
  const { circuit } = pass;
  if (circuit.current !== pass) return undefined;
  if (pass.isProbe) return recordProbe(circuit, outcome, now);
  if (outcome === "neutral") return undefined;
  count(circuit, outcome === "failure" ? 1 : 0);
  return isFailing(circuit) ? open(circuit, now) : undefined;
}

function recordProbe(circuit: Circuit, outcome: CircuitOutcome, now: number): CircuitChange | undefined {
  if (outcome === "success") {
    circuit.openMs = circuit.rules.openMs;
    close(circuit);
    return "closed";
  }
  if (outcome === "failure") {
    circuit.openMs = Math.min(circuit.openMs * 2, circuit.rules.maxOpenMs);
    return open(circuit, now);
  }
  // A neutral outcome: the next request is the probe.
  circuit.current = undefined;
  circuit.until = now;
  return undefined;
}

function count(circuit: Circuit, failure: 0 | 1): void {
  const { window } = circuit.rules;
  const oldest = (circuit.outcomes >>> (window - 1)) & 1;
  circuit.outcomes = ((circuit.outcomes << 1) | failure) & (2 ** window - 1);
  circuit.failures += failure - oldest;
  if (circuit.samples < window) circuit.samples += 1;
  circuit.inARow = failure === 1 ? circuit.inARow + 1 : 0;
}

function isFailing({ rules, inARow, samples, failures }: Circuit): boolean {
  return inARow >= rules.consecutive || (samples >= rules.minimumSample && failures > samples * rules.share);
}

function open(circuit: Circuit, now: number): CircuitChange {
  circuit.state = "open";
  circuit.current = undefined;
  circuit.since = now;
  circuit.until = now + circuit.openMs;
  return "opened";
}

function close(circuit: Circuit): void {
  circuit.state = "closed";
  circuit.current = { circuit, isProbe: false };
  circuit.inARow = 0;
  circuit.outcomes = 0;
  circuit.samples = 0;
  circuit.failures = 0;
}

/** What a circuit looks like at a time; asks for nothing and changes nothing. */
export function describeCircuit(circuit: Circuit, now: number): CircuitView {
  const { inARow, failures, samples } = circuit;
  const isWaiting = circuit.state !== "closed" && now >= circuit.since && now < circuit.until;
  const state = circuit.state === "open" && !isWaiting ? "half_open" : circuit.state;
  // A probe may be over at any moment; its place's end is only the last one.
  const waitMs = circuit.state === "open" ? circuit.until - now : Math.min(circuit.until - now, circuit.rules.openMs);
  return { state, inARow, failures, samples, retryAfterMs: isWaiting ? waitMs : 0 };
}

const failingCodes: ReadonlySet<string> = new Set([
  "upstream_unreachable",
  "upstream_timeout",
  "upstream_stream_broken",
  "upstream_invalid_response",
]);

/**
 * What an attempt's end says of its target's health; without an error it is a success. Failures are lost connections, timeouts (408 among
 * them), unreadable answers, broken streams and 5xx. All else says nothing, neither for nor against: the caller's faults, cancellations,
 * refused credentials, 501. So does 429: the target lives and has said how long to wait, and its limit belongs to one credential; a
 * circuit is shared by all of them, and would shut out those that have room.
 */
export function circuitOutcome(error?: GatewayError): CircuitOutcome {
  if (!error) return "success";
  if (failingCodes.has(error.code)) return "failure";
  const status = error.upstream?.status ?? 0;
  return status === 408 || (status >= 500 && status !== 501) ? "failure" : "neutral";
}
