import { GatewayError } from "../../../src/engine/errors.ts";
import { isFailedTest } from "./client/faults.ts";
import { type KubeObject, objectOf } from "./client/kubernetes.ts";
import type { ObjectPath } from "./client/resources.ts";
import type { GardenerOperation } from "./projects.ts";

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchStep =
  | { readonly op: "test" | "add" | "replace"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string };

/** Times that a change is decided anew because somebody else's was faster. */
const attempts = 3;

/**
 * Reads an object, asks `decide` for the steps, and writes them only if nobody has changed it meanwhile; if somebody has, reads and
 * decides again, at most three times, then throws `conflict`. What `decide` throws is thrown, and nothing is changed. Lists are never
 * sent whole: a merge patch of one would drop what it leaves out.
 */
export async function changeObject(
  task: GardenerOperation,
  target: ObjectPath,
  decide: (object: KubeObject) => readonly JsonPatchStep[],
): Promise<KubeObject> {
  const { kubernetes, deadline } = task;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const object = await kubernetes.read(target, deadline);
    const steps = decide(object);
    if (steps.length === 0) return object;
    const unmoved: JsonPatchStep = {
      op: "test",
      path: "/metadata/resourceVersion",
      value: object.metadata.resourceVersion,
    };
    const answer = await kubernetes.tryPatch(target, { steps: [unmoved, ...steps] }, deadline);
    if (answer.status !== 409 && !isFailedTest(answer)) return objectOf(answer, { target });
  }
  const message = `The object \`${target.name ?? ""}\` was changed by others ${attempts} times meanwhile: try again.`;
  throw new GatewayError("conflict", message);
}
