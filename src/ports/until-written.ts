import { GatewayError } from "../errors.ts";

/** Somebody else was faster: what was decided was decided on a record that is no more. */
export const overtaken = Symbol("overtaken");

/** Times that a change is decided anew. Each time somebody else got through, so that only a store which says so without end comes here. */
const mostTries = 100;

/** Decides and writes again for as long as `attempt` was overtaken. Throws `store_unavailable` where that does not end. */
export async function untilWritten<Value>(attempt: () => Promise<Value | typeof overtaken>): Promise<Value> {
  for (let tries = 0; tries < mostTries; tries++) {
    const outcome = await attempt();
    if (outcome !== overtaken) return outcome;
  }
  const message = `The store says ${mostTries} times in a row that others have changed the record meanwhile: try again.`;
  throw new GatewayError("store_unavailable", message, { param: "store" });
}
