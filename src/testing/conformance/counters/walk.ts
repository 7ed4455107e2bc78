import assert from "node:assert/strict";
import type { CounterReservation, Counters, ReserveCall } from "../../../engine/ports/counters.ts";
import { createDraw, type Draw } from "../draw.ts";
import { beginModel, type CountersModel, countInModel, type ModelReservation, reserveInModel } from "./model.ts";

/** How far to walk, and from which seed; the same seed gives the same walk. */
export interface Walk {
  readonly steps: number;
  readonly seed: number;
}

/** A ticket of the counters and its double in the model. */
interface ReservationPair {
  readonly reservation: CounterReservation;
  readonly double: ModelReservation;
}

interface Walker {
  readonly counters: Counters;
  readonly model: CountersModel;
  readonly draw: Draw;
  readonly pairs: ReservationPair[];
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
  return walker.counters.reduce && draw(3) === 0 ? narrowBoth(walker, pair) : settleBoth(walker, pair);
}

async function reserveBoth(walker: Walker): Promise<void> {
  const { counters, model, draw, pairs, now } = walker;
  const call: ReserveCall = {
    reservationId: `walk-${walker.made++}`,
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
  assert.equal(answer.kind, "reserved");
  const reservation = answer as CounterReservation;
  assert.deepEqual(
    reservation.held.map(({ window: { start, end } }) => ({ start, end })),
    double.windows.map(({ start, end }) => ({ start, end })),
  );
  pairs.push({ reservation, double });
}

async function settleBoth({ counters, draw, now }: Walker, { reservation, double }: ReservationPair): Promise<void> {
  const real = drawReal(draw, double);
  const { isFirst } = await counters.settle(reservation, real, now);
  assert.equal(isFirst, double.end === undefined);
  double.end ??= real;
}

async function narrowBoth({ counters, draw, now }: Walker, { reservation, double }: ReservationPair): Promise<void> {
  const real = drawReal(draw, double);
  assert.equal(await counters.reduce?.(reservation, real, now), double.end === undefined);
  double.narrowed = real;
}

function drawReal(draw: Draw, { call: { holds } }: ModelReservation): readonly number[] {
  return holds.map(({ amount, isHard }) => (isHard ? draw(amount + 1) : draw(30)));
}

async function releaseBoth({ counters, now }: Walker, { reservation, double }: ReservationPair): Promise<void> {
  assert.equal(await counters.release(reservation, now), double.end === undefined);
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
  const isOver = ({ call, windows }: ModelReservation) =>
    now >= call.expiresAt && windows.every(({ end }) => now >= end);
  model.reservations.splice(
    0,
    model.reservations.findIndex((reservation) => !isOver(reservation)),
  );
}

function alignedWindow(now: number) {
  const start = now - (now % span);
  return { start, end: start + span };
}
