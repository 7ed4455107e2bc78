import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  admitCircuit,
  type Circuit,
  type CircuitOutcome,
  type CircuitPass,
  type CircuitRules,
  defaultCircuitRules,
  describeCircuit,
  newCircuit,
  recordCircuit,
} from "../../../../src/engine/routing/index.ts";

/** A request comes in; one that is under way (the `which`-th) ends; or time passes. */
type Move =
  | { readonly kind: "admit" }
  | { readonly kind: "end"; readonly which: number; readonly outcome: CircuitOutcome }
  | { readonly kind: "wait"; readonly ms: number };

const anyMove: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: "admit" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.nat({ max: 25_000 }) }) },
  ...(["success", "success", "failure", "failure", "failure", "neutral"] as const).map((outcome) => ({
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("end" as const), which: fc.nat(), outcome: fc.constant(outcome) }),
  })),
);
const anyMoves = fc.array(anyMove, { minLength: 1, maxLength: 300, size: "max" });
const sum = (bits: readonly number[]) => bits.reduce((total, bit) => total + bit, 0);

/** One move as it went: the circuit's state before and after, and what the move was about. */
interface Step {
  /** The circuit itself, as it is after the last move. */
  readonly circuit: Circuit;
  readonly move: Move;
  readonly now: number;
  readonly before: Circuit;
  readonly after: Circuit;
  readonly ticket: CircuitPass | undefined;
  readonly underWay: readonly CircuitPass[];
  /** The outcomes that count in this closed state so far, oldest first; 1 is a failure. */
  readonly told: readonly number[];
}

function play(moves: readonly Move[], rules: CircuitRules = defaultCircuitRules): Step[] {
  const circuit = newCircuit(rules);
  const underWay: CircuitPass[] = [];
  let told: number[] = [];
  let now = 1_000_000;
  return moves.map((move) => {
    const before = { ...circuit };
    let ticket: CircuitPass | undefined;
    if (move.kind === "wait") now += move.ms;
    else if (move.kind === "admit") {
      ticket = admitCircuit(circuit, now);
      if (ticket) underWay.push(ticket);
    } else if (underWay.length > 0) {
      ticket = underWay.splice(move.which % underWay.length, 1)[0];
      if (ticket) recordCircuit(ticket, move.outcome, now);
      if (ticket === before.current && move.outcome !== "neutral") told = [...told, move.outcome === "failure" ? 1 : 0];
    }
    if (before.state !== "closed") told = [];
    return { circuit, move, now, before, after: { ...circuit }, ticket, underWay: [...underWay], told };
  });
}

function holds(clause: (steps: readonly Step[]) => void, rules?: CircuitRules): void {
  fc.assert(
    fc.property(anyMoves, (moves) => clause(play(moves, rules))),
    { numRuns: 200 },
  );
}

const quick: CircuitRules = { ...defaultCircuitRules, openMs: 5_000, maxOpenMs: 30_000 };
/** A probe's place outlasts every run of moves. */
const patient: CircuitRules = { ...quick, probeMs: 300 * 25_000 };
const isProbe = ({ isProbe }: CircuitPass) => isProbe;

describe("a circuit, whatever happens", () => {
  it("never has two probes under way within the time that a probe may last", () =>
    holds((steps) => {
      for (const { underWay } of steps) expect(underWay.filter(isProbe).length).toBeLessThanOrEqual(1);
    }, patient));
  it("admits everyone while closed", () =>
    holds((steps) => {
      for (const { move, before, ticket } of steps)
        if (move.kind === "admit" && before.state === "closed") expect(ticket).toBeDefined();
    }));
  it("admits nobody while its time open is not over", () =>
    holds((steps) => {
      for (const { move, before, now, ticket } of steps)
        if (move.kind === "admit" && before.state === "open" && now < before.until) expect(ticket).toBeUndefined();
    }, quick));
  it("admits a probe as soon as its time open is over", () =>
    holds((steps) => {
      for (const { move, before, now, ticket } of steps)
        if (move.kind === "admit" && before.state === "open" && now >= before.until) expect(ticket?.isProbe).toBe(true);
    }, quick));
  it("opens by five failures in a row or by more than half of the last twenty, at once and by nothing else", () =>
    holds((steps) => {
      for (const { before, after, told } of steps) {
        if (before.state !== "closed") continue;
        const isRow = told.length >= 5 && told.slice(-5).every((bit) => bit === 1);
        const isShare = told.length >= 20 && sum(told.slice(-20)) > 10;
        expect(after.state).toBe(isRow || isShare ? "open" : "closed");
      }
    }));
  it("is not moved by the outcome of a ticket from a state that is over", () =>
    holds((steps) => {
      for (const { move, before, after, ticket } of steps)
        if (move.kind === "end" && ticket && ticket !== before.current) expect(after).toEqual(before);
    }, quick));
  it("is not moved by an outcome that says nothing, but for the probe's place", () =>
    holds((steps) => {
      for (const { move, before, after, ticket, now } of steps) {
        if (move.kind !== "end" || move.outcome !== "neutral" || !ticket) continue;
        if (!ticket.isProbe || ticket !== before.current) expect(after).toEqual(before);
        else expect(after).toEqual({ ...before, current: undefined, until: now });
      }
    }, quick));
  it("closes by a probe's success and by nothing else", () =>
    holds((steps) => {
      for (const { move, before, after, ticket } of steps) {
        if (before.state === "closed") continue;
        const isHealed = move.kind === "end" && move.outcome === "success" && ticket === before.current && !!ticket;
        expect(after.state === "closed").toBe(isHealed);
      }
    }, quick));
  it("forgets its past when it closes", () =>
    holds((steps) => {
      for (const { before, after } of steps)
        if (before.state !== "closed" && after.state === "closed")
          expect(after).toMatchObject({ inARow: 0, samples: 0, failures: 0, openMs: quick.openMs });
    }, quick));
  it("stays open twice as long after each probe that fails, up to the longest", () =>
    holds((steps) => {
      for (const { before, after, now } of steps) {
        if (before.state !== "half_open" || after.state !== "open") continue;
        expect(after.openMs).toBe(Math.min(before.openMs * 2, quick.maxOpenMs));
        expect(after.until - now).toBe(after.openMs);
      }
    }, quick));
  it("stays open the first time as the rules say", () =>
    holds((steps) => {
      for (const { before, after, now } of steps)
        if (before.state === "closed" && after.state === "open") expect(after.until - now).toBe(quick.openMs);
    }, quick));
  it("counts exactly the failures among the last twenty outcomes", () =>
    holds((steps) => {
      for (const { before, after, told } of steps) {
        if (before.state !== "closed") continue;
        expect(after.failures).toBe(sum(told.slice(-20)));
        expect(after.samples).toBe(Math.min(20, told.length));
      }
    }));
  it("says when it may be asked again: not a millisecond before, unless a probe ends; and by then it may", () =>
    holds((steps) => {
      for (const { after, now } of steps) {
        const { retryAfterMs, state } = describeCircuit(after, now);
        if (retryAfterMs === 0) expect(admitCircuit(newCopy(after), now)).toBeDefined();
        else expect(admitCircuit(newCopy(after), now + retryAfterMs - 1)).toBeUndefined();
        if (state !== "half_open") expect(admitCircuit(newCopy(after), now + retryAfterMs)).toBeDefined();
      }
    }, quick));
  it("lets traffic return within one time open once the target is well, whatever came before", () =>
    holds((steps) => {
      const last = steps.at(-1) as Step;
      const { circuit } = last;
      // Whoever is still under way ends well now; then requests come once a second and all go well.
      for (const ticket of last.underWay) if (ticket === circuit.current) recordCircuit(ticket, "success", last.now);
      let now = last.now;
      for (; circuit.state !== "closed" && now <= last.now + quick.maxOpenMs; now += 1_000) {
        const ticket = admitCircuit(circuit, now);
        if (ticket) recordCircuit(ticket, "success", now);
      }
      expect(circuit.state).toBe("closed");
    }, quick));
});

/** A circuit in the same state; its tickets are the original's, so an outcome of theirs counts for the original only. */
function newCopy(circuit: Circuit): Circuit {
  return { ...circuit };
}
