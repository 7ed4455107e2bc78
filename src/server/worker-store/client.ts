import { GatewayError } from "../../engine/errors.ts";
import type { LedgerBacklog } from "../../engine/ports/ledger.ts";
import { afterPromises } from "../../engine/runtime/loop-turn.ts";
import {
  isStoreMessage,
  type StoreAnswer,
  type StoreFault,
  type StoreOperation,
  type StoreOperations,
  type StoreRequest,
  type StoreResult,
  type WorkerChannel,
} from "./messages.ts";

/** A worker's connection to the supervisor that has the store. */
export interface StoreClient {
  /** Asks for an operation and resolves with its answer; rejects with its error, or with `shutting_down` once closed. */
  ask<Name extends StoreOperation>(
    name: Name,
    ...parameters: Parameters<StoreOperations[Name]>
  ): Promise<StoreResult<Name>>;
  /** Asks for an operation whose answer nothing depends on. Operations are carried out in the order in which they were asked for. */
  send<Name extends StoreOperation>(name: Name, ...parameters: Parameters<StoreOperations[Name]>): void;
  /** The ledger's backlog at the last answer. */
  backlog(): LedgerBacklog;
  /** Stops listening; what waits for an answer is rejected. */
  close(): void;
}

interface AwaitedAnswer {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a client. All that is asked for in one turn of the event loop travels as one message. */
export function openStoreClient(channel: WorkerChannel): StoreClient {
  const waiting = new Map<number, AwaitedAnswer>();
  let backlog: LedgerBacklog = { waiting: 0, lost: 0 };
  let requests: StoreRequest[] = [];
  let last = 0;
  let isClosed = false;
  let isLooking = false;
  const flush = () => {
    const sent = requests;
    requests = [];
    channel.send({ kind: "store requests", requests: sent });
  };
  const enqueue = (request: StoreRequest) => {
    if (requests.push(request) === 1) afterPromises(flush);
  };
  const forget = channel.onMessage((message) => {
    if (!isStoreMessage(message, "store answers")) return;
    backlog = message.backlog;
    for (const answer of message.answers) settle(waiting, answer);
  });
  /** While no calls are begun nothing is asked for, and no answer says that they may be. */
  const lookAgain = () => {
    if (isLooking) return;
    isLooking = true;
    const end = () => {
      isLooking = false;
    };
    client.ask("read", [], 0).then(end, end);
  };
  const client: StoreClient = {
    ask(name, ...parameters) {
      if (isClosed) return Promise.reject(closed());
      const number = ++last;
      enqueue({ number, name, parameters });
      return new Promise((resolve, reject) => void waiting.set(number, { resolve, reject }));
    },
    send(name, ...parameters) {
      if (!isClosed) enqueue({ number: 0, name, parameters });
    },
    backlog() {
      if (backlog.isFull && !isClosed) lookAgain();
      return backlog;
    },
    close() {
      isClosed = true;
      forget();
      for (const { reject } of waiting.values()) reject(closed());
      waiting.clear();
    },
  };
  return client;
}

function settle(waiting: Map<number, AwaitedAnswer>, { number, value, fault }: StoreAnswer): void {
  const found = waiting.get(number);
  waiting.delete(number);
  if (fault) found?.reject(errorOf(fault));
  else found?.resolve(value as never); // the answer to the operation that was asked for under this number
}

function errorOf({ code, message, param }: StoreFault): Error {
  return code === undefined ? new Error(message) : new GatewayError(code, message, { param });
}

function closed(): GatewayError {
  return new GatewayError("shutting_down", "The store is closed.");
}
