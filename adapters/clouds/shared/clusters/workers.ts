import { z } from "zod";
import { GatewayError } from "../../../../src/engine/errors.ts";

/** The worker group that is made with every cluster, and that a change of the cluster changes. */
export const defaultWorkerName = "default";

/** A worker group inside a cluster's specification, with whatever else stands there. */
export const Worker = z.looseObject({
  name: z.string(),
  machine: z.looseObject({
    type: z.string().optional(),
    image: z.looseObject({ name: z.string().optional(), version: z.string().optional() }).optional(),
  }),
  minimum: z.int(),
  maximum: z.int(),
  zones: z.array(z.string()).optional(),
});
export type Worker = z.output<typeof Worker>;

/** The fields by which callers describe a worker group. */
export interface WorkerFields {
  readonly image_name?: string | undefined;
  readonly image_version?: string | undefined;
  readonly maximum_workers?: number | undefined;
  readonly minimum_workers?: number | undefined;
  readonly iaas_flavor?: string | undefined;
  readonly zones?: readonly string[] | undefined;
}

const workerFields = [
  "image_name",
  "image_version",
  "maximum_workers",
  "minimum_workers",
  "iaas_flavor",
  "zones",
] as const satisfies readonly (keyof WorkerFields)[];

/** Whether a change of a cluster is one of its default worker group. */
export function hasWorkerFields(fields: WorkerFields): boolean {
  return workerFields.some((name) => fields[name] !== undefined);
}

/** A new worker group: one machine by default, and no more than the minimum unless a maximum is given. */
export function newWorker(name: string, fields: WorkerFields): Worker {
  const minimum = fields.minimum_workers ?? Math.min(1, fields.maximum_workers ?? 1);
  const maximum = fields.maximum_workers ?? Math.max(1, minimum);
  const image = { name: fields.image_name, version: fields.image_version };
  const worker = {
    name,
    machine: { type: fields.iaas_flavor, image },
    minimum,
    maximum,
    zones: [...(fields.zones ?? [])],
  };
  checkCounts(worker);
  return worker;
}

/**
 * The worker group with what the fields say, everything else as it was. Another image without a version has none, so that the
 * newest is taken: the old image's version would mean nothing.
 */
export function changedWorker(worker: Worker, fields: WorkerFields): Worker {
  const { image_name, image_version, iaas_flavor, minimum_workers, maximum_workers, zones } = fields;
  const changed: Worker = {
    ...worker,
    machine: {
      ...worker.machine,
      ...(iaas_flavor === undefined ? {} : { type: iaas_flavor }),
      ...imageChange(worker, image_name, image_version),
    },
    minimum: minimum_workers ?? worker.minimum,
    maximum: maximum_workers ?? worker.maximum,
    ...(zones === undefined ? {} : { zones: [...zones] }),
  };
  checkCounts(changed);
  return changed;
}

function imageChange({ machine: { image } }: Worker, name: string | undefined, version: string | undefined) {
  if (name === undefined && version === undefined) return {};
  const isOther = name !== undefined && name !== image?.name;
  const { version: old, ...rest } = image ?? {};
  const filters = version ?? (isOther ? undefined : old);
  const named = name === undefined ? {} : { name };
  return { image: { ...rest, ...named, ...(filters === undefined ? {} : { version: filters }) } };
}

function checkCounts({ minimum, maximum }: Pick<Worker, "minimum" | "maximum">): void {
  if (minimum <= maximum) return;
  const message = `\`minimum_workers\` (${minimum}) must not be above \`maximum_workers\` (${maximum}).`;
  throw new GatewayError("invalid_request", message, { param: "minimum_workers" });
}

/** A worker group as callers read it. */
export function shownWorker({ name, machine, minimum, maximum, zones = [] }: Worker) {
  return { machine, maximum, minimum, name, zones };
}
