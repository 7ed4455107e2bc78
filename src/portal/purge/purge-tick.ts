import { type GatewayError, isGatewayError, toGatewayError } from "../../engine/errors.ts";
import type { StoredLeftover, StoredProjectPurge } from "../../operations/records/cloud.ts";
import type { PortalDeps } from "../area.ts";
import type { PortalCall } from "../call/call.ts";
import { operator } from "../call/operator.ts";
import { inParallel } from "../locks/in-parallel.ts";
import { readAll } from "../tenancy/record-access.ts";
import { countByKind, readContents, removeContents } from "./contents.ts";
import { endTask, isStopped, showProgress } from "./purge-task.ts";
import { afterRound, claim, isDue, type PurgeRound } from "./states.ts";

/** Milliseconds between two looks for purges. */
export const purgesEveryMs = 5_000;

/** The purges that one process works on at a time. */
const atOnce = 4;

/**
 * Makes one attempt of each purge that is due: it begins the deletion of what is left, and deletes the project when nothing is. All its state
 * is in the store and every attempt can be repeated: any number of processes may run it, and any of them may die at any point.
 */
export async function purgeTick(deps: PortalDeps, callIn: (region: string) => PortalCall): Promise<void> {
  const due = (await readAll(deps.records, "project_purge")).filter((purge) => isDue(purge, deps.clock.now()));
  const failures: unknown[] = [];
  await inParallel(due, atOnce, ({ id }) =>
    attempt(deps, id, callIn).catch((thrown: unknown) => void failures.push(thrown)),
  );
  if (failures.length > 0) throw failures[0];
}

async function attempt(deps: PortalDeps, id: string, callIn: (region: string) => PortalCall): Promise<void> {
  const { records, clock } = deps;
  const stored = await records.get("project_purge", id);
  if (!stored || !isDue(stored.record, clock.now())) return;
  const claimed = claim(stored.record, clock.now());
  const outcome = await records.put("project_purge", claimed, stored.version);
  if (outcome.kind !== "stored") return;
  if (await isStopped(deps, claimed)) return endPurge(deps, claimed, "stopped");
  const round = await makeRound(deps, claimed, callIn(claimed.region));
  if (round === "deleted") return endPurge(deps, claimed, "done");
  const next = afterRound(claimed, round);
  await records.put("project_purge", next, outcome.version); // moved: this process counted as dead
  if (next.state === "stuck") await endTask(deps, next, { state: "failed", message: stuckMessage(next) });
  else await showProgress(deps, next);
}

/** First the task, then the record: who dies in between ends it again. */
async function endPurge(deps: PortalDeps, purge: StoredProjectPurge, state: "done" | "stopped"): Promise<void> {
  await endTask(deps, purge, { state });
  await deps.records.remove("project_purge", purge.id);
}

function stuckMessage({ region, left, left_count, message }: StoredProjectPurge): string {
  const more = left_count > left.length ? ` and ${left_count - left.length} more` : "";
  const what = left_count === 0 ? "" : ` It still has ${countByKind(left, region)}${more}.`;
  return `The purge is stuck: nothing went for a long time.${what}${message === null ? "" : ` ${message}`}`;
}

/** What is left with why, or that the project is gone. */
async function makeRound(
  deps: PortalDeps,
  { id, region }: StoredProjectPurge,
  call: PortalCall,
): Promise<PurgeRound | "deleted"> {
  const look = { regions: deps.regions, project_id: id, call };
  let left: StoredLeftover[] = [];
  try {
    left = await readContents(look);
    if (left.length > 0) {
      const refused = await removeContents(look);
      return {
        left: left.map((one) => refused.find((other) => isSame(one, other)) ?? one),
        message: null,
        now: deps.clock.now(),
      };
    }
    await deps.call({ method: "DELETE", path: `/iaas/project/${id}`, caller: operator, region });
    return "deleted";
  } catch (thrown) {
    if (isMissing(thrown)) return "deleted";
    return { left, message: toGatewayError(thrown).message, now: deps.clock.now() };
  }
}

function isSame(one: StoredLeftover, other: StoredLeftover): boolean {
  return one.id === other.id && one.kind === other.kind && one.region === other.region;
}

function isMissing(thrown: unknown): thrown is GatewayError {
  return isGatewayError(thrown) && thrown.code === "not_found" && thrown.param === "project_id";
}
