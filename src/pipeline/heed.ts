import { GatewayError, isGatewayError } from "../errors.ts";
import type { MaybePromise } from "../ports/maybe-promise.ts";
import type { Records } from "../ports/records.ts";
import type { Patience } from "./patience.ts";

/** What somebody may have brought an adapter of their own for. */
type Port = "cache" | "counters" | "store";

/**
 * What a port answers to whoever manages an engine, waited for no longer than `patience` has. A failure that is no GatewayError is told
 * as the port's, which `param` names; its own words, in `cause`, are for the log: nobody knows what they give away.
 */
export async function heed<Value>(port: Port, ask: () => MaybePromise<Value>, patience?: Patience): Promise<Value> {
  try {
    const answer = ask();
    if (!(answer instanceof Promise)) return answer;
    return await (patience ? patience.wait(answer, port) : answer);
  } catch (thrown) {
    if (isGatewayError(thrown)) throw thrown;
    throw new GatewayError("internal", `The ${port} failed; \`cause\` is what was thrown.`, {
      param: port,
      cause: thrown,
    });
  }
}

/** The records that a registry uses. */
export type HeededRecords = Pick<Records, "get" | "list" | "put" | "remove">;

/** The records of a store, heeded. */
export function heedRecords(records: Records, patience: Patience): HeededRecords {
  const ask = <Value>(answer: () => MaybePromise<Value>): Promise<Value> => heed("store", answer, patience);
  return {
    get: (kind, id) => ask(() => records.get(kind, id)),
    list: (kind, question) => ask(() => records.list(kind, question)),
    put: (kind, record, expected) => ask(() => records.put(kind, record, expected)),
    remove: (kind, id, expected) => ask(() => records.remove(kind, id, expected)),
  };
}
