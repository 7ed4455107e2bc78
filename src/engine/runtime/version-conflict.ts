import { GatewayError } from "../errors.ts";

/** Another writer was faster: the decision was based on an outdated record. */
export const versionConflict = Symbol("overtaken");

/** Times that a change is decided anew. Another writer won each time, so only a store that reports this endlessly gets here. */
const mostTries = 100;

/** Decides and writes again for as long as `attempt` loses. Throws `store_unavailable` where that does not end. */
export async function retryOnConflict<Value>(attempt: () => Promise<Value | typeof versionConflict>): Promise<Value> {
  for (let tries = 0; tries < mostTries; tries++) {
    const outcome = await attempt();
    if (outcome !== versionConflict) return outcome;
  }
  const message = `The store says ${mostTries} times in a row that others have changed the record meanwhile: try again.`;
  throw new GatewayError("store_unavailable", message, { param: "store" });
}
