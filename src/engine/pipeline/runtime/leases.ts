import type { Clock } from "../../ports/clock.ts";
import type { SlotLease, Slots } from "../../ports/slots.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import {
  createWaitingRoom,
  type Waiting,
  type WaitingRoom,
  type WaitingRoomOptions,
} from "../../runtime/queue/waiting-room.ts";

/** Milliseconds for which slots are held without a sign of life: what a killed process held comes back after them. */
const leaseMs = 60_000;
/** Milliseconds between two signs of life. */
const renewalMs = 20_000;
/** Milliseconds after which full counters are asked again: another process may have given slots back. */
const pollMs = 100;

/** What a call takes of the bounds of its key, and whose it is. */
export interface KeyLease extends SlotLease {
  readonly keyId: string;
}

/** The slots that this process's calls hold of keys, projects and customers, and those who wait for one. */
export interface Leases {
  /** True when the call got its slots; it is not asked for while others of its key wait. */
  take(lease: KeyLease): MaybePromise<boolean>;
  /** A place among those who wait, first come, first served within a key and in turns between keys. */
  wait(lease: KeyLease): Waiting<true>;
  /** Gives the slots back. Never rejects: what the counters do not take back now comes back by itself. */
  free(lease: KeyLease): void;
}

/** What of this process is held, and who waits. */
interface LeaseState {
  readonly slots: Slots;
  readonly clock: Clock;
  readonly held: Set<KeyLease>;
  readonly room: WaitingRoom<string, true>;
  /** Who waits, by key; keys in the order of their turns. */
  readonly lines: Map<string, KeyLease[]>;
  isSweeping: boolean;
  isSweptAgain: boolean;
  stopPolling: (() => void) | undefined;
  stopRenewing: (() => void) | undefined;
}

/** Leases over the counters, which have the last word: other processes take slots of the same bounds. */
export function createLeases(slots: Slots, clock: Clock, options: WaitingRoomOptions): Leases {
  const room = createWaitingRoom<string, true>(options);
  const idle = { isSweeping: false, isSweptAgain: false, stopPolling: undefined, stopRenewing: undefined };
  const state: LeaseState = { slots, clock, held: new Set(), room, lines: new Map(), ...idle };
  const { lines } = state;
  return {
    take: (lease) => (lines.has(lease.keyId) ? false : ask(state, lease)),
    wait(lease) {
      const waiting = room.wait(lease.keyId, 1, (isTaken) => {
        if (isTaken) free(state, lease);
        else leave(state, lease);
      });
      lines.set(lease.keyId, [...(lines.get(lease.keyId) ?? []), lease]);
      state.stopPolling ??= clock.after(pollMs, () => poll(state));
      return waiting;
    },
    free: (lease) => free(state, lease),
  };
}

function ask(state: LeaseState, lease: KeyLease): MaybePromise<boolean> {
  const now = state.clock.now();
  const full = state.slots.acquire(lease, now, now + leaseMs);
  return full instanceof Promise ? full.then((position) => hold(state, lease, position)) : hold(state, lease, full);
}

function hold(state: LeaseState, lease: KeyLease, full: number | undefined): boolean {
  if (full !== undefined) return false;
  state.held.add(lease);
  state.stopRenewing ??= state.clock.after(renewalMs, () => renew(state));
  return true;
}

function renew(state: LeaseState): void {
  const { clock, held, slots } = state;
  state.stopRenewing = held.size === 0 ? undefined : clock.after(renewalMs, () => renew(state));
  const now = clock.now();
  for (const lease of held)
    ignore(
      () => slots.acquire(lease, now, now + leaseMs),
      () => {
        if (!held.has(lease)) ignore(() => slots.free(lease)); // it ended while it was renewed
      },
    );
}

function free(state: LeaseState, lease: KeyLease): void {
  const { held, slots } = state;
  if (!held.delete(lease)) return;
  if (held.size === 0) state.stopRenewing = void state.stopRenewing?.();
  ignore(
    () => slots.free(lease),
    () => void sweep(state),
  );
}

/** Asks for the first of each key in turn, until no call of a round is admitted. */
async function sweep(state: LeaseState): Promise<void> {
  state.isSweptAgain = true;
  if (state.isSweeping) return;
  state.isSweeping = true;
  while (state.isSweptAgain) {
    state.isSweptAgain = false;
    for (const key of [...state.lines.keys()]) if (await serveFirst(state, key)) state.isSweptAgain = true;
  }
  state.isSweeping = false;
}

async function serveFirst(state: LeaseState, key: string): Promise<boolean> {
  const { lines, room } = state;
  const [lease] = lines.get(key) ?? [];
  if (!lease) return false;
  const asked = Promise.resolve(lease).then((first) => ask(state, first));
  const isTaken = await asked.catch(() => false); // asked again soon, up to the deadline
  if (!isTaken) return false;
  if (lines.get(key)?.[0] !== lease)
    free(state, lease); // gave up meanwhile
  else {
    leave(state, lease);
    room.admit(key, true);
  }
  return true;
}

function leave(state: LeaseState, lease: KeyLease): void {
  const { lines } = state;
  const line = lines.get(lease.keyId)?.filter((other) => other !== lease) ?? [];
  lines.delete(lease.keyId); // to the end of the turns
  if (line.length > 0) lines.set(lease.keyId, line);
  if (lines.size === 0) state.stopPolling = void state.stopPolling?.();
}

function poll(state: LeaseState): void {
  state.stopPolling = state.clock.after(pollMs, () => poll(state));
  void sweep(state);
}

/** Does what may fail: a lease that is not renewed or freed expires. */
function ignore(work: () => MaybePromise<unknown>, then: () => void = () => {}): void {
  try {
    const done = work();
    if (done instanceof Promise) done.catch(() => {}).finally(then);
    else then();
  } catch {
    then();
  }
}
