import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { changedWorker, newWorker, shownWorker, Worker, type WorkerFields } from "../shared/clusters/workers.ts";
import { changeObject, type JsonPatchStep } from "./change.ts";
import type { KubeObject } from "./client/kubernetes.ts";
import { shown } from "./objects.ts";
import type { GardenerOperation } from "./projects.ts";
import { readShoot, type ShootName, shootTarget } from "./shoots.ts";

const path = "/spec/provider/workers";

interface ShootProvider {
  readonly workers?: unknown;
}

/** The worker groups of a cluster in order. */
function workersOf({ spec }: KubeObject): Worker[] {
  const { workers } = (spec?.provider ?? {}) as ShootProvider; // seam: the list is parsed below
  const parsed = Worker.array().safeParse(workers ?? []);
  if (parsed.success) return parsed.data;
  throw new GatewayError("backend_error", "The worker groups of the cluster cannot be read.", { cause: parsed.error });
}

/**
 * The steps that change one group and no other. The group's place in the list is tested, so that a list which was put in another
 * order meanwhile is not changed in the wrong place.
 */
export function stepsFor(shoot: KubeObject, name: string, fields: WorkerFields): readonly JsonPatchStep[] | undefined {
  const workers = workersOf(shoot);
  const at = workers.findIndex((worker) => worker.name === name);
  const worker = workers[at];
  if (worker === undefined) return undefined;
  return [isStillAt(at, name), { op: "replace", path: `${path}/${at}`, value: changedWorker(worker, fields) }];
}

function isStillAt(at: number, name: string): JsonPatchStep {
  return { op: "test", path: `${path}/${at}/name`, value: name };
}

function missingGroup(name: string): GatewayError {
  const message = `The cluster has no worker group \`${name}\`.`;
  return new GatewayError("not_found", message, { param: "worker_group_name" });
}

/** `GET …/workergroups`. */
export async function listWorkerGroups(task: GardenerOperation, name: ShootName) {
  return workersOf(await readShoot(task, name)).map(shownWorker);
}

/** `GET …/workergroups/{worker_group_name}`. */
export async function readWorkerGroup(task: GardenerOperation, input: InputOf<typeof clusters.workerGroup>) {
  const found = workersOf(await readShoot(task, input)).find(({ name }) => name === input.worker_group_name);
  if (found === undefined) throw missingGroup(input.worker_group_name);
  return shownWorker(found);
}

/** `POST …/workergroups`. */
export async function createWorkerGroup(task: GardenerOperation, input: InputOf<typeof clusters.createWorkerGroup>) {
  const { worker_name, ...fields } = input;
  const worker = newWorker(worker_name, fields);
  const target = await shootTarget(task, input);
  const changed = await changeObject(task, target, (shoot) => {
    const workers = workersOf(shoot);
    if (workers.some(({ name }) => name === worker_name)) {
      const message = `The cluster has a worker group \`${worker_name}\` already.`;
      throw new GatewayError("conflict", message, { param: "worker_name" });
    }
    return workers.length === 0
      ? [{ op: "add", path, value: [worker] }]
      : [{ op: "add", path: `${path}/-`, value: worker }];
  });
  return shown(changed);
}

/** `PATCH …/workergroups/{worker_group_name}`. */
export async function changeWorkerGroup(task: GardenerOperation, input: InputOf<typeof clusters.changeWorkerGroup>) {
  const target = await shootTarget(task, input);
  const changed = await changeObject(task, target, (shoot) => {
    const steps = stepsFor(shoot, input.worker_group_name, input);
    if (steps === undefined) throw missingGroup(input.worker_group_name);
    return steps;
  });
  return shown(changed);
}

/** `DELETE …/workergroups/{worker_group_name}`: the last one stays, since a cluster must have one. */
export async function deleteWorkerGroup(task: GardenerOperation, input: InputOf<typeof clusters.deleteWorkerGroup>) {
  const { worker_group_name } = input;
  const target = await shootTarget(task, input);
  const changed = await changeObject(task, target, (shoot) => {
    const workers = workersOf(shoot);
    const at = workers.findIndex(({ name }) => name === worker_group_name);
    if (at === -1) throw missingGroup(worker_group_name);
    if (workers.length === 1) throw new GatewayError("conflict", "A cluster must keep at least one worker group.");
    return [isStillAt(at, worker_group_name), { op: "remove", path: `${path}/${at}` }];
  });
  return shown(changed);
}
