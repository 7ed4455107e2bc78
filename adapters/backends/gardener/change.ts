import { GatewayError } from "../../../src/errors.ts";
import { isFailedTest } from "./faults.ts";
import { type KubeObject, objectOf } from "./kubernetes.ts";
import type { Task } from "./projects.ts";
import type { Target } from "./resources.ts";

/** One step of a JSON patch (RFC 6902). */
export type Step =
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
  task: Task,
  target: Target,
  decide: (object: KubeObject) => readonly Step[],
): Promise<KubeObject> {
  const { kubernetes, work } = task;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const object = await kubernetes.read(target, work);
    const steps = decide(object);
    if (steps.length === 0) return object;
    const unmoved: Step = { op: "test", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion };
    const answer = await kubernetes.tryPatch(target, { steps: [unmoved, ...steps] }, work);
    if (answer.status !== 409 && !isFailedTest(answer)) return objectOf(answer, { target });
  }
  const message = `The object \`${target.name ?? ""}\` was changed by others ${attempts} times meanwhile: try again.`;
  throw new GatewayError("conflict", message);
}
