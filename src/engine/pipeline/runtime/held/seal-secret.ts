import type { Clock, Entropy } from "../../../ports/clock.ts";
import type { Records } from "../../../ports/records.ts";
import type { MaybePromise } from "../../../runtime/maybe-promise.ts";
import { callPort } from "../port-call.ts";
import type { PortTimeout } from "../port-timeout.ts";
import { type IdSeal, idSeal, sealSecretBytes } from "./id-seal.ts";

/** Where the secret is kept, and what a new one is made of. */
interface SealSecretPorts {
  readonly records: Pick<Records, "get" | "put">;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly timeouts: PortTimeout;
}

/** The id of the record that holds the secret. */
const recordId = "response-ids";

/**
 * The seal of a store: every process over the store has the same. The first use makes the secret; of several processes that begin at once,
 * the first one's counts. Rejects with `store_unavailable` when the store does not answer; the next use asks it again.
 */
export function sealOfStore(ports: SealSecretPorts): () => MaybePromise<IdSeal> {
  let known: IdSeal | undefined;
  let coming: Promise<IdSeal> | undefined;
  return () => {
    if (known) return known;
    coming ??= readSecret(ports)
      .then((secret) => {
        known = idSeal(secret);
        return known;
      })
      .finally(() => {
        coming = undefined;
      });
    return coming;
  };
}

async function readSecret({ records, clock, entropy, timeouts }: SealSecretPorts): Promise<Uint8Array> {
  const read = async () => (await callPort("store", () => records.get("secret", recordId), timeouts))?.record.value;
  let value = await read();
  if (value === undefined) {
    const created_at = new Date(clock.now()).toISOString();
    const fresh = Buffer.from(entropy(sealSecretBytes)).toString("base64");
    await callPort("store", () => records.put("secret", { id: recordId, created_at, value: fresh }, 0), timeouts);
    value = (await read()) ?? fresh; // another process may have been faster
  }
  return Buffer.from(value, "base64");
}
