import type { ErrorCode } from "../../engine/errors.ts";
import type {
  CounterReading,
  CounterReservation,
  CounterValue,
  ReserveCall,
  Shortfall,
} from "../../engine/ports/counters.ts";
import type { LedgerBacklog, LedgerEntry, Recovered } from "../../engine/ports/ledger.ts";
import type { SlotLease } from "../../engine/ports/slots.ts";
import type { MaybePromise } from "../../engine/runtime/maybe-promise.ts";

/** What the supervisor does for its workers, since a store file has one writer and its budgets are counted once. */
export interface StoreOperations {
  reserve(call: ReserveCall): CounterReservation | Shortfall;
  settle(reservationId: string, real: readonly number[], now: number): void;
  reduce(reservationId: string, real: readonly number[], now: number): void;
  release(reservationId: string, now: number): void;
  read(counters: readonly string[], now: number): MaybePromise<readonly (CounterReading | undefined)[]>;
  restore(values: readonly CounterValue[], now: number): MaybePromise<void>;
  acquire(lease: SlotLease, now: number, expiresAt: number): MaybePromise<number | undefined>;
  free(lease: SlotLease): MaybePromise<void>;
  append(entries: readonly LedgerEntry[], values: readonly CounterValue[]): Promise<void>;
  recover(now: number, isCounting: boolean): MaybePromise<Recovered>;
  prune(question: { readonly before: number; readonly sums?: boolean | undefined }): Promise<number>;
  checkpoint(): void;
}

/** The name of an operation. */
export type StoreOperation = keyof StoreOperations;

/** What an operation answers, once it is there. */
export type StoreResult<Name extends StoreOperation> = Awaited<ReturnType<StoreOperations[Name]>>;

/** One operation that a worker asks for. A number above 0 is answered under that number. */
export interface StoreRequest {
  readonly number: number;
  readonly name: StoreOperation;
  readonly parameters: readonly unknown[];
}

/** An error that crosses a process boundary; without a code it is a defect. */
export interface StoreFault {
  readonly code?: ErrorCode | undefined;
  readonly message: string;
  readonly param?: string | undefined;
}

/** The answer to the request of a number: a value, or why there is none. */
export interface StoreAnswer {
  readonly number: number;
  readonly value?: unknown;
  readonly fault?: StoreFault | undefined;
}

/** What a worker asks for in one turn of its event loop. All of it is done in one turn of the supervisor's. */
export interface StoreRequests {
  readonly kind: "store requests";
  readonly requests: readonly StoreRequest[];
}

/** What the supervisor has answers to, in one turn of its event loop. */
export interface StoreAnswers {
  readonly kind: "store answers";
  readonly answers: readonly StoreAnswer[];
  readonly backlog: LedgerBacklog;
}

/** One end of the channel between a worker and its supervisor. Messages arrive in the order in which they were sent. */
export interface WorkerChannel {
  send(message: StoreRequests | StoreAnswers): void;
  /** Calls `listener` with each message of the other end; the returned function stops that. */
  onMessage(listener: (message: unknown) => void): () => void;
  /** Calls `listener` when the other end is gone and all its messages have come. */
  onClose(listener: () => void): void;
}

/** True for a message of that kind; others pass through the same channel. */
export function isStoreMessage<Kind extends (StoreRequests | StoreAnswers)["kind"]>(
  message: unknown,
  kind: Kind,
): message is Extract<StoreRequests | StoreAnswers, { readonly kind: Kind }> {
  return typeof message === "object" && message !== null && Reflect.get(message, "kind") === kind;
}
