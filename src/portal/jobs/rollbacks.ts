import { toGatewayError } from "../../engine/errors.ts";
import { createAborter } from "../../engine/runtime/abortable.ts";
import type { StoredCloudRollback } from "../../operations/records/cloud.ts";
import type { PortalDeps } from "../area.ts";
import { readAll } from "../tenancy/record-access.ts";
import { isOfLostAnswer, overAfterMs } from "./late-steps.ts";

/** Milliseconds between two looks for rollbacks. */
export const rollbacksEveryMs = 20_000;

const minute = 60_000;

/** Milliseconds before the next attempt: a minute, then three times as long each time, an hour at most. */
function pauseAfter(attempts: number): number {
  return Math.min(minute * 3 ** attempts, 60 * minute);
}

/**
 * Takes back what failed operations have left at the clouds. The process that writes the next attempt into a record makes this one; a
 * record goes when nothing is left, and where an answer was lost, when nothing can come late any more.
 */
export async function finishRollbacks({
  records,
  regions,
  clock,
}: Pick<PortalDeps, "records" | "regions" | "clock">): Promise<void> {
  const now = clock.now();
  const due = (await readAll(records, "cloud_rollback")).filter(({ retry_at }) => retry_at <= now);
  for (const { id, region } of due) {
    const backend = regions[region]?.rollbacks;
    const stored = await records.get("cloud_rollback", id);
    if (backend === undefined || stored === undefined || stored.record.retry_at > now) continue;
    const attempts = stored.record.attempts + 1;
    const claimed: StoredCloudRollback = { ...stored.record, attempts, retry_at: now + pauseAfter(attempts - 1) };
    const outcome = await records.put("cloud_rollback", claimed, stored.version);
    if (outcome.kind !== "stored") continue;
    try {
      await backend.takeBack(stored.record, { records, signal: createAborter() });
      const lastLook = Date.parse(claimed.created_at) + overAfterMs;
      const isEarly = claimed.steps.some(isOfLostAnswer) && lastLook > now;
      if (!isEarly) await records.remove("cloud_rollback", id, outcome.version);
      else await records.put("cloud_rollback", { ...claimed, state: "pending", retry_at: lastLook }, outcome.version);
    } catch (thrown) {
      const failed: StoredCloudRollback = { ...claimed, message: toGatewayError(thrown).message };
      await records.put("cloud_rollback", failed, outcome.version); // moved: the operation itself has written again
    }
  }
}
