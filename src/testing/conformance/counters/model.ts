import type { Hold, ReserveCall, Window } from "../../../engine/ports/counters.ts";

/** A reservation as the model keeps it: never forgotten, so that every sum can be made afresh. */
export interface ModelReservation {
  readonly call: ReserveCall;
  /** For each hold, the window that it was reserved in. */
  readonly windows: readonly Window[];
  /** What it was narrowed to. */
  narrowed: readonly number[] | undefined;
  /** What it was settled with; `released` when it was given back. */
  end: readonly number[] | "released" | undefined;
}

/** What a counter holds by the rules. */
export interface ModelCount extends Window {
  readonly used: number;
  readonly reserved: number;
}

/** The history of some counters, from which the rules of the port are sums: there is no running state that could go wrong. */
export interface CountersModel {
  readonly reservations: ModelReservation[];
  /** The window that each counter opened last. */
  readonly windows: Map<string, Window>;
}

/** A history in which nothing happened yet. */
export function beginModel(): CountersModel {
  return { reservations: [], windows: new Map() };
}

/** What a counter holds at `now`; `undefined` without an open window. */
export function countInModel(model: CountersModel, counter: string, now: number): ModelCount | undefined {
  const window = model.windows.get(counter);
  if (!window || now >= window.end) return undefined;
  const held = model.reservations.flatMap((reservation) => listAmounts(reservation, { counter, window, now }));
  const used = held.reduce((sum, amount) => sum + amount.used, 0);
  return { ...window, used, reserved: held.reduce((sum, amount) => sum + amount.reserved, 0) };
}

/** Reserves by the rules: the ticket, or the position of the first hold that does not fit. */
export function reserveInModel(model: CountersModel, call: ReserveCall): ModelReservation | number {
  const position = call.holds.findIndex((hold) => !fits(model, hold, call.now));
  if (position >= 0) return position;
  const windows = call.holds.map(({ counter, opens }) => {
    const last = model.windows.get(counter);
    const window = last && call.now < last.end ? last : opens;
    model.windows.set(counter, window);
    return window;
  });
  const reservation: ModelReservation = { call, windows, narrowed: undefined, end: undefined };
  model.reservations.push(reservation);
  return reservation;
}

function fits(model: CountersModel, { counter, amount, limit }: Hold, now: number): boolean {
  const count = countInModel(model, counter, now);
  return (count ? count.used + count.reserved : 0) + amount <= limit;
}

/** Where and when to look at a ticket. */
interface Look {
  readonly counter: string;
  readonly window: Window;
  readonly now: number;
}

function listAmounts({ call, windows, narrowed, end }: ModelReservation, { counter, window, now }: Look) {
  return call.holds.flatMap((hold, position) => {
    if (hold.counter !== counter || windows[position] !== window || end === "released") return [];
    if (end) return [{ used: end[position] ?? 0, reserved: 0 }];
    if (narrowed) return [{ used: 0, reserved: narrowed[position] ?? 0 }];
    return [{ used: 0, reserved: now < call.expiresAt || hold.isHard ? hold.amount : 0 }];
  });
}
