import { GatewayError, isGatewayError } from "../../errors.ts";
import type { Records } from "../../ports/records.ts";
import type { MaybePromise } from "../../runtime/maybe-promise.ts";
import type { PortTimeout } from "./port-timeout.ts";

/** Ports whose adapter may be the user's own. */
type Port = "cache" | "counters" | "store";

/**
 * A port's answer to an administrator of the engine, awaited no longer than `timeouts` allows. A failure that is no GatewayError
 * is reported as the port's, which `param` names; its own words, in `cause`, are for the log, since they may reveal anything.
 */
export async function callPort<Value>(
  port: Port,
  ask: () => MaybePromise<Value>,
  timeouts?: PortTimeout,
): Promise<Value> {
  try {
    const answer = ask();
    if (!(answer instanceof Promise)) return answer;
    return await (timeouts ? timeouts.wait(answer, port) : answer);
  } catch (thrown) {
    if (isGatewayError(thrown)) throw thrown;
    throw new GatewayError("internal", `The ${port} failed; \`cause\` is what was thrown.`, {
      param: port,
      cause: thrown,
    });
  }
}

/** The records that a registry uses. */
export type GuardedRecords = Pick<Records, "get" | "list" | "put" | "remove" | "batch">;

/** The records of a store, each call within the timeout. */
export function guardRecords(records: Records, timeouts: PortTimeout): GuardedRecords {
  const ask = <Value>(answer: () => MaybePromise<Value>): Promise<Value> => callPort("store", answer, timeouts);
  return {
    get: (kind, id) => ask(() => records.get(kind, id)),
    list: (kind, question) => ask(() => records.list(kind, question)),
    put: (kind, record, expected) => ask(() => records.put(kind, record, expected)),
    remove: (kind, id, expected) => ask(() => records.remove(kind, id, expected)),
    batch: (writes) => ask(() => records.batch(writes)),
  };
}
