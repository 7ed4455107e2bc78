import assert from "node:assert/strict";
import type { Counters, ReserveCall, Ticket } from "../../ports/counters.ts";
import { beginModel, type CountersModel, countInModel, type ModelTicket, reserveInModel } from "./counters-model.ts";
import { createDraw, type Draw } from "./draw.ts";

/** How far to walk, and from which seed; the same seed gives the same walk. */
export interface Walk {
  readonly steps: number;
  readonly seed: number;
}

/** A ticket of the counters and its double in the model. */
interface Pair {
  readonly ticket: Ticket;
  readonly double: ModelTicket;
}

interface Walker {
  readonly counters: Counters;
  readonly model: CountersModel;
  readonly draw: Draw;
  readonly pairs: Pair[];
  now: number;
  made: number;
}

const names = ["a", "b", "c"] as const;
const limit = 60;
/** Windows are this long, so that a walk crosses several. */
const span = 1_000;
/** Tickets that are remembered, ended ones too, so that they are ended again. */
const remembered = 12;

/** Walks at random through reservations, ends, expiry and windows, and rejects as soon as counters and rules disagree. */
export async function walkCounters(counters: Counters, { steps, seed }: Walk): Promise<void> {
  const model = beginModel();
  const walker: Walker = { counters, model, draw: createDraw(seed), pairs: [], now: Date.UTC(2026, 0, 1), made: 0 };
  for (let step = 0; step < steps; step++) {
    walker.now += walker.draw(60);
    await takeStep(walker);
    await compareReadings(walker);
    forgetOld(walker);
  }
}

async function takeStep(walker: Walker): Promise<void> {
  const { draw, pairs } = walker;
  const pair = pairs[draw(remembered)];
  if (!pair || draw(3) === 0) return reserveBoth(walker);
  if (draw(3) === 0) return releaseBoth(walker, pair);
  return walker.counters.narrow && draw(3) === 0 ? narrowBoth(walker, pair) : settleBoth(walker, pair);
}

async function reserveBoth(walker: Walker): Promise<void> {
  const { counters, model, draw, pairs, now } = walker;
  const call: ReserveCall = {
    ticket: `walk-${walker.made++}`,
    holds: names
      .filter(() => draw(2) === 0)
      .map((counter) => ({
        counter,
        amount: draw(25),
        limit: limit - draw(2) * 20,
        opens: draw(2) === 0 ? { start: now, end: now + span } : alignedWindow(now),
        isHard: draw(2) === 0,
      })),
    now,
    expiresAt: now + 1 + draw(600),
  };
  const double = reserveInModel(model, call);
  const answer = await counters.reserve(call);
  if (typeof double === "number") {
    assert.equal(answer.kind === "shortfall" ? answer.position : answer.kind, double);
    return;
  }
  assert.equal(answer.kind, "ticket");
  const ticket = answer as Ticket;
  assert.deepEqual(
    ticket.held.map(({ window: { start, end } }) => ({ start, end })),
    double.windows.map(({ start, end }) => ({ start, end })),
  );
  pairs.push({ ticket, double });
}

async function settleBoth({ counters, draw, now }: Walker, { ticket, double }: Pair): Promise<void> {
  const real = drawReal(draw, double);
  const { isFirst } = await counters.settle(ticket, real, now);
  assert.equal(isFirst, double.end === undefined);
  double.end ??= real;
}

async function narrowBoth({ counters, draw, now }: Walker, { ticket, double }: Pair): Promise<void> {
  const real = drawReal(draw, double);
  assert.equal(await counters.narrow?.(ticket, real, now), double.end === undefined);
  double.narrowed = real;
}

function drawReal(draw: Draw, { call: { holds } }: ModelTicket): readonly number[] {
  return holds.map(({ amount, isHard }) => (isHard ? draw(amount + 1) : draw(30)));
}

async function releaseBoth({ counters, now }: Walker, { ticket, double }: Pair): Promise<void> {
  assert.equal(await counters.release(ticket, now), double.end === undefined);
  double.end ??= "released";
}

async function compareReadings({ counters, model, now }: Walker): Promise<void> {
  const readings = await counters.read(names, now);
  for (const [position, counter] of names.entries()) {
    const expected = countInModel(model, counter, now);
    assert.deepEqual(readings[position], expected && { counter, ...expected });
  }
}

/** Keeps the history short: what ended or lapsed in windows that are over counts nowhere any more. */
function forgetOld({ model, pairs, now }: Walker): void {
  pairs.splice(0, pairs.length - remembered);
  const isOver = ({ call, windows }: ModelTicket) => now >= call.expiresAt && windows.every(({ end }) => now >= end);
  model.tickets.splice(
    0,
    model.tickets.findIndex((ticket) => !isOver(ticket)),
  );
}

function alignedWindow(now: number) {
  const start = now - (now % span);
  return { start, end: start + span };
}
