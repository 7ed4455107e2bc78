import { isGatewayError } from "../../../src/engine/errors.ts";
import type { Reports } from "../../../src/engine/ports/store.ts";
import type { Database } from "../../shared/postgres/database.ts";
import { readEntries } from "./ledger/entries.ts";
import { readLastUsed } from "./ledger/last-used.ts";
import { queryUsage } from "./ledger/usage.ts";

/** Milliseconds for which a replica that failed is not asked again. */
const restMs = 5_000;

/**
 * Reports that a replica answers, as far as it has replayed; one that fails is passed over for five seconds, and the primary answers. An
 * entry that the replica does not have yet is looked for at the primary.
 */
export function replicaReports(primary: Database, replica: Database): Reports {
  let isResting = false;
  const rest = () => {
    isResting = true;
    setTimeout(() => {
      isResting = false;
    }, restMs).unref();
  };
  const read = async <Result>(work: (database: Database) => Promise<Result>): Promise<Result> => {
    if (isResting) return work(primary);
    try {
      return await work(replica);
    } catch (thrown) {
      if (isGatewayError(thrown) && thrown.code === "invalid_request") throw thrown;
      rest();
      return work(primary);
    }
  };
  return {
    query: (question) => read((database) => queryUsage(database, question)),
    async entries(question) {
      const page = await read((database) => readEntries(database, question));
      return question.id !== undefined && page.entries.length === 0 ? readEntries(primary, question) : page;
    },
    lastUsed: (keyIds) => read((database) => readLastUsed(database, keyIds)),
  };
}
