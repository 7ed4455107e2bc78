import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { StoredKubeObject } from "./kube-objects.ts";

/** The field under which a cluster holds the operation that runs on it; no answer shows it. */
export const operationField = "tollgate:operation";

/** The sizes of worker groups by name. */
const Sizes = z.record(z.string(), z.int());

/** What Gardener would be doing with a cluster: everything that is shown of it follows from this, the specification and the time. */
const ShootOperation = z.object({
  type: z.enum(["Create", "Reconcile", "Delete"]),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** Milliseconds. */
  takes: z.number(),
  /** Stops once for lack of machines, before it is tried again. */
  isFailing: z.boolean(),
  /** What was there when it began. */
  before: z.object({ sizes: Sizes, hibernated: z.boolean() }),
});
export type ShootOperation = z.output<typeof ShootOperation>;

const Spec = z.looseObject({
  hibernation: z.looseObject({ enabled: z.boolean().optional() }).optional(),
  provider: z
    .looseObject({ workers: z.array(z.looseObject({ name: z.string(), minimum: z.number() })).optional() })
    .optional(),
});

/** Milliseconds that operations take on the portal's clock. */
const durations = { Create: 60_000, Reconcile: 20_000, Delete: 30_000 } as const;

/** A failing operation stops at this percentage, for so many milliseconds. */
const failing = { at: 40, pause: 30_000 } as const;

/** Below this percentage a new cluster has no API server. */
const apiServerAt = 50;

const cause = {
  description: "Worker machines could not be created: the flavor has no free host at the moment. It is tried again.",
  codes: ["ERR_INFRA_RESOURCES_DEPLETED"],
};

/** A cluster as it is at an instant. */
export interface ShootState {
  readonly object: StoredKubeObject;
  /** Machines of each worker group by name. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly hasApiServer: boolean;
}

interface Progress {
  /** 0 to 100. */
  readonly percent: number;
  readonly state: "Processing" | "Error" | "Succeeded";
}

function progressOf({ at, takes, isFailing }: ShootOperation, now: number): Progress {
  const passed = Math.max(0, now - at);
  const stop = isFailing ? (takes * failing.at) / 100 : Number.POSITIVE_INFINITY;
  if (passed >= stop && passed < stop + failing.pause) return { percent: failing.at, state: "Error" };
  const worked = passed < stop ? passed : passed - failing.pause;
  const percent = worked >= takes ? 100 : Math.floor((worked * 100) / takes);
  return { percent, state: percent === 100 ? "Succeeded" : "Processing" };
}

/** The operation that is stored with a cluster; one without has been ready since it was made. */
function operationOf(stored: StoredKubeObject): ShootOperation {
  const parsed = ShootOperation.safeParse(stored[operationField]);
  if (parsed.success) return parsed.data;
  const at = Date.parse(String(stored.metadata.creationTimestamp ?? "")) || 0;
  return { type: "Create", at, takes: 0, isFailing: false, before: { sizes: {}, hibernated: false } };
}

function wantedOf({ spec }: StoredKubeObject): ShootOperation["before"] {
  const { hibernation, provider } = Spec.safeParse(spec).data ?? {};
  const hibernated = hibernation?.enabled === true;
  const workers = (provider?.workers ?? []).map(({ name, minimum }) => [name, hibernated ? 0 : minimum] as const);
  return { sizes: Object.fromEntries(workers), hibernated };
}

/** A stored cluster as it is at an instant, without what is stored only; undefined once its deletion is over. */
export function shootAt(stored: StoredKubeObject, now: number): ShootState | undefined {
  const operation = operationOf(stored);
  const progress = progressOf(operation, now);
  const isOver = progress.state === "Succeeded";
  if (operation.type === "Delete" && isOver) return undefined;
  const { hibernated } = isOver ? wantedOf(stored) : operation.before;
  const isReached = operation.type !== "Create" || progress.percent >= apiServerAt;
  const hasApiServer = operation.type !== "Delete" && isReached;
  const { [operationField]: _operation, ...shown } = stored;
  const status = { ...statusOf(operation, progress, now), hibernated };
  return { object: { ...shown, status }, sizes: sizesAt(stored, operation, progress), hasApiServer };
}

/** Groups grow and shrink machine by machine. */
function sizesAt(stored: StoredKubeObject, { type, before }: ShootOperation, { percent }: Progress) {
  const after = type === "Delete" ? {} : wantedOf(stored).sizes;
  const names = new Set([...Object.keys(before.sizes), ...Object.keys(after)]);
  const entries = [...names].map((name) => {
    const [from, to] = [before.sizes[name] ?? 0, after[name] ?? 0];
    return [name, from + Math.trunc(((to - from) * percent) / 100)] as const;
  });
  return Object.fromEntries(entries.filter(([name, size]) => size > 0 || name in after));
}

const verbs = { Create: "creation", Reconcile: "change", Delete: "deletion" } as const;

function statusOf(operation: ShootOperation, { percent, state }: Progress, now: number) {
  const time = new Date(state === "Succeeded" ? operation.at + operation.takes : now).toISOString();
  const words = { Processing: "is running", Error: `stopped: ${cause.description}`, Succeeded: "is done" }[state];
  const description = `The ${verbs[operation.type]} of the cluster ${words}`.concat(state === "Error" ? "" : ".");
  const lastOperation = { type: operation.type, state, progress: percent, description, lastUpdateTime: time };
  const lastErrors = state === "Error" ? { lastErrors: [{ ...cause, lastUpdateTime: time }] } : {};
  return { lastOperation, conditions: conditionsOf(operation, { percent, state }, time), ...lastErrors };
}

// The conditions are Gardener's own, in its order.
function conditionsOf({ type }: ShootOperation, { percent, state }: Progress, lastTransitionTime: string) {
  const isNew = type === "Create";
  const reached = {
    APIServerAvailable: !isNew || percent >= apiServerAt,
    ControlPlaneHealthy: !isNew || percent >= apiServerAt,
    EveryNodeReady: state === "Succeeded",
    SystemComponentsHealthy: state === "Succeeded" || type === "Reconcile",
  };
  return Object.entries(reached).map(([condition, isReached]) => {
    const status = isReached ? "True" : state === "Error" ? "False" : "Progressing";
    const message = isReached ? "As it should be." : state === "Error" ? cause.description : "Not yet.";
    return { type: condition, status, reason: isReached ? "Healthy" : "Unready", message, lastTransitionTime };
  });
}

/** What begins a new operation on a cluster. */
export interface ShootBeginning {
  readonly type: ShootOperation["type"];
  readonly now: number;
  readonly isFailing?: boolean;
}

/** A cluster to be stored, on which an operation begins. `former` is what is stored of it. */
export function beginOn(
  object: StoredKubeObject,
  former: StoredKubeObject | undefined,
  { type, now, isFailing = false }: ShootBeginning,
): StoredKubeObject {
  const state = former && shootAt(former, now);
  const hibernated = (state?.object.status as { hibernated?: boolean } | undefined)?.hibernated === true;
  const before = { sizes: { ...state?.sizes }, hibernated };
  const operation: ShootOperation = { type, at: now, takes: durations[type], isFailing, before };
  return { ...withoutStatus(object), [operationField]: operation };
}

/** A cluster to be stored after a change: a change of its specification begins an operation, unless another one must end first. */
export function changedShoot(
  object: StoredKubeObject,
  former: StoredKubeObject,
  beginning: Omit<ShootBeginning, "type">,
): StoredKubeObject {
  const running = operationOf(former);
  const mustEnd = running.type === "Delete" || !hasEnded(running, beginning.now, "Create");
  if (mustEnd || isDeepStrictEqual(object.spec, former.spec))
    return { ...withoutStatus(object), [operationField]: former[operationField] };
  return beginOn(object, former, { ...beginning, type: "Reconcile" });
}

function hasEnded(operation: ShootOperation, now: number, type: ShootOperation["type"]): boolean {
  return operation.type !== type || progressOf(operation, now).state === "Succeeded";
}

/** A cluster to be stored on which nothing runs: it has been ready since it was made. */
export function settledShoot({ [operationField]: _operation, ...stored }: StoredKubeObject): StoredKubeObject {
  return withoutStatus(stored as StoredKubeObject);
}

/** True for a cluster that is being deleted. */
export function isBeingDeleted(stored: StoredKubeObject): boolean {
  return operationOf(stored).type === "Delete";
}

/** What is shown of a cluster follows from its operation and is never stored. */
function withoutStatus({ status: _status, ...object }: StoredKubeObject): StoredKubeObject {
  return object as StoredKubeObject;
}
