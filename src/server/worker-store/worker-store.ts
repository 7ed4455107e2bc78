import type { Store } from "../../engine/ports/store.ts";
import type { ChosenStore } from "../open-engine.ts";
import { openStoreClient, type StoreClient } from "./client.ts";
import { clientCounters } from "./client-counters.ts";
import type { WorkerChannel } from "./messages.ts";

/** What the store needs to know of its worker. */
interface StoreWorker {
  readonly channel: WorkerChannel;
  /** True for the one that starts alone. */
  readonly announces: boolean;
}

/** A worker's store over a file, with counters that all workers share. The first worker restores them. */
export function workerStore(store: Store, { channel, announces }: StoreWorker): ChosenStore {
  const client = openStoreClient(channel);
  return { ...clientStore(store, client), counters: clientCounters(client, announces) };
}

/**
 * A worker's store over a file: it reads the file and writes records by itself, and hands what is written to the ledger to the supervisor,
 * its only writer. An entry is safe once the supervisor has committed it.
 */
function clientStore(store: Store, client: StoreClient): Store {
  return {
    ...store,
    ledger: {
      ...store.ledger,
      append: (entries, values = []) => client.ask("append", entries, values),
      recover: (now, isCounting = true) => client.ask("recover", now, isCounting),
      prune: (question) => client.ask("prune", question),
      checkpoint: () => client.send("checkpoint"),
      backlog: () => client.backlog(),
    },
    async close() {
      client.close();
      await store.close();
    },
  };
}
