import { isGatewayError } from "../../engine/errors.ts";
import type { CounterReservation, Counters, CounterValue } from "../../engine/ports/counters.ts";
import type { Ledger } from "../../engine/ports/ledger.ts";
import type { Store } from "../../engine/ports/store.ts";
import { afterPromises } from "../../engine/runtime/loop-turn.ts";
import { type AbandonedReservations, abandonedReservations, type WorkerReservation } from "./abandoned.ts";
import {
  isStoreMessage,
  type StoreAnswer,
  type StoreFault,
  type StoreOperations,
  type StoreRequest,
  type WorkerChannel,
} from "./messages.ts";

/** What a server is opened over. */
export interface StoreServerOptions {
  /** Opens the store; called when a worker first asks for something, and again after a failure. */
  readonly open: () => Promise<Store>;
  /** Counters of this process alone, which answer at once. */
  readonly counters: Counters;
}

/** The store and the counters of a gateway, for its workers. */
export interface StoreServer {
  /** Answers a worker until it ends; its reservations then lapse when they expire. */
  attach(channel: WorkerChannel): void;
  /** Waits for the end of all workers, writes what waits, and closes the store. */
  close(): Promise<void>;
}

/** What serves all workers. */
interface SharedCounts {
  readonly counters: Counters;
  readonly abandoned: AbandonedReservations;
}

/** Opens a server that has not opened its store yet: the first worker makes the file. */
export function openStoreServer({ open, counters }: StoreServerOptions): StoreServer {
  const shared: SharedCounts = { counters, abandoned: abandonedReservations(counters) };
  let store: Store | undefined;
  let opening: Promise<Store> | undefined;
  const ends = new Set<Promise<void>>(); // of workers that run
  const openOnce = (): Promise<Store> => {
    opening ??= open().then(
      (opened) => {
        store = opened;
        return opened;
      },
      (thrown) => {
        opening = undefined;
        throw thrown;
      },
    );
    return opening;
  };
  return {
    attach(channel) {
      const reservations = new Map<string, WorkerReservation>();
      const outbox = openOutbox(channel, () => store?.ledger.backlog?.() ?? { waiting: 0, lost: 0 });
      channel.onMessage((message) => {
        if (!isStoreMessage(message, "store requests")) return;
        const { requests } = message;
        const run = ({ ledger }: Store) => {
          const operations = operationsOf({ ...shared, ledger, reservations });
          for (const request of requests) answer(operations, request, outbox);
        };
        if (store) run(store);
        else
          openOnce().then(run, (thrown) =>
            requests.forEach(({ number }) => void outbox({ number, fault: faultOf(thrown) })),
          );
      });
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      ends.add(ended);
      channel.onClose(() => {
        shared.abandoned.add(reservations.values());
        ends.delete(ended);
        resolve();
      });
    },
    async close() {
      await Promise.all(ends);
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

/** What the operations of one worker work with. */
interface WorkerScope extends SharedCounts {
  readonly ledger: Ledger;
  readonly reservations: Map<string, WorkerReservation>;
}

/** A worker's operations. Values of settlements go to the ledger in the turn in which they are made, as the port asks. */
function operationsOf({ counters, abandoned, ledger, reservations }: WorkerScope): StoreOperations {
  const note = (values: readonly CounterValue[]) => {
    if (values.length > 0) void ledger.append([], values).catch(() => {}); // the values are written with the next entries
  };
  const take = (id: string): CounterReservation | undefined => {
    const found = reservations.get(id)?.reservation;
    reservations.delete(id);
    return found;
  };
  return {
    reserve(call) {
      note(abandoned.lapse(call.now));
      const outcome = now(counters.reserve(call));
      if (outcome.kind === "shortfall") return outcome;
      reservations.set(outcome.id, { reservation: outcome, reduced: undefined });
      const { kind, id, expiresAt, held } = outcome;
      return { kind, id, expiresAt, held };
    },
    settle(id, real, at) {
      const reservation = take(id);
      if (reservation) note(now(counters.settle(reservation, real, at)).values);
    },
    reduce(id, real, at) {
      const found = reservations.get(id);
      if (!found) return;
      reservations.set(id, { ...found, reduced: real });
      void counters.reduce?.(found.reservation, real, at);
    },
    release(id, at) {
      const reservation = take(id);
      if (reservation) void counters.release(reservation, at);
    },
    read: (names, at) => counters.read(names, at),
    restore: (values, at) => counters.restore?.(values, at),
    acquire: (lease, at, expiresAt) => counters.slots?.acquire(lease, at, expiresAt),
    free: (lease) => counters.slots?.free(lease),
    append: (entries, values) => ledger.append(entries, values),
    recover: (at, isCounting) => ledger.recover(at, isCounting),
    prune: (question) => ledger.prune(question),
    checkpoint: () => ledger.checkpoint(),
  };
}

/** An answer of counters in memory, which is no promise. */
function now<Value>(value: Value | Promise<Value>): Value {
  if (value instanceof Promise) throw new TypeError("The counters of a store server must answer at once.");
  return value;
}

/** Carries a request out; its answer, where one is wanted, goes out when it is there. */
function answer(operations: StoreOperations, { number, name, parameters }: StoreRequest, outbox: Outbox): void {
  const fail = (thrown: unknown) => {
    if (number > 0) outbox({ number, fault: faultOf(thrown) });
  };
  const succeed = (value: unknown) => {
    if (number > 0) outbox({ number, value });
  };
  try {
    const value: unknown = Reflect.apply(operations[name], operations, parameters);
    if (value instanceof Promise) value.then(succeed, fail);
    else succeed(value);
  } catch (thrown) {
    fail(thrown);
  }
}

function faultOf(thrown: unknown): StoreFault {
  if (isGatewayError(thrown)) return { code: thrown.code, message: thrown.message, param: thrown.param };
  return { message: thrown instanceof Error ? thrown.message : String(thrown) };
}

type Outbox = (answer: StoreAnswer) => void;

/** Answers of one turn of the event loop travel as one message. */
function openOutbox(
  channel: WorkerChannel,
  backlog: () => { readonly waiting: number; readonly lost: number },
): Outbox {
  let answers: StoreAnswer[] = [];
  const flush = () => {
    const sent = answers;
    answers = [];
    channel.send({ kind: "store answers", answers: sent, backlog: backlog() });
  };
  return (answer) => {
    if (answers.push(answer) === 1) afterPromises(flush);
  };
}
