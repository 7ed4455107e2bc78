import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { bindingField } from "../shared/clusters/shoot-spec.ts";
import { defaultWorkerName, hasWorkerFields } from "../shared/clusters/workers.ts";
import { type Binding, readBindingFor } from "./bindings.ts";
import { changeObject, type JsonPatchStep } from "./change.ts";
import type { KubeObject } from "./client/kubernetes.ts";
import { shown } from "./objects.ts";
import type { GardenerOperation } from "./projects.ts";
import { shootTarget } from "./shoots.ts";
import { stepsFor } from "./worker-groups.ts";

/** `PATCH /cluster/{namespace}/shoots/{shoot_name}`: all of the change or none of it. */
export async function changeShoot(task: GardenerOperation, input: InputOf<typeof clusters.changeShoot>) {
  const target = await shootTarget(task, input);
  const { namespace, secret_binding_name } = input;
  const binding =
    secret_binding_name === undefined ? undefined : await readBindingFor(task, namespace, secret_binding_name);
  const changed = await changeObject(task, target, (shoot) => [
    ...(hasWorkerFields(input) ? defaultGroupSteps(shoot, input) : []),
    ...ownSteps(shoot, input, binding),
  ]);
  return shown(changed);
}

/** Hibernates a cluster or wakes it up; one that is so already stays as it is. Its schedules stay. */
export async function setHibernation(
  task: GardenerOperation,
  input: InputOf<typeof clusters.hibernateShoot>,
  enabled: boolean,
) {
  const target = await shootTarget(task, input);
  const changed = await changeObject(task, target, ({ spec = {} }) => {
    const hibernation = (spec.hibernation ?? {}) as { readonly enabled?: boolean }; // seam: written by Gardener
    if ((hibernation.enabled ?? false) === enabled) return [];
    return [{ op: "add", path: "/spec/hibernation", value: { ...hibernation, enabled } }];
  });
  return shown(changed);
}

type ShootChange = InputOf<typeof clusters.changeShoot>;

/** Worker fields of a cluster are those of the group that was made with it (portal-resolved.md, section 7). */
function defaultGroupSteps(shoot: KubeObject, input: ShootChange): readonly JsonPatchStep[] {
  const steps = stepsFor(shoot, defaultWorkerName, input);
  if (steps !== undefined) return steps;
  const message = `The cluster has no worker group \`${defaultWorkerName}\` any more: change its worker groups one by one.`;
  throw new GatewayError("conflict", message);
}

function ownSteps(
  { spec = {} }: KubeObject,
  input: ShootChange,
  binding: Binding | undefined,
): readonly JsonPatchStep[] {
  const { kubernetes_version, purpose } = input;
  const kubernetes = (spec.kubernetes ?? {}) as { readonly version?: string }; // seam: written by Gardener
  const steps: JsonPatchStep[] = [];
  if (kubernetes_version !== undefined) {
    steps.push({ op: "add", path: "/spec/kubernetes", value: { ...kubernetes, version: kubernetes_version } });
  }
  if (purpose !== undefined) steps.push({ op: "add", path: "/spec/purpose", value: purpose });
  if (binding !== undefined) {
    const field: Readonly<Record<string, unknown>> = bindingField(
      binding,
      kubernetes_version ?? kubernetes.version ?? "",
    );
    for (const name of ["secretBindingName", "credentialsBindingName"]) {
      if (name in field) steps.push({ op: "add", path: `/spec/${name}`, value: field[name] });
      else if (name in spec) steps.push({ op: "remove", path: `/spec/${name}` }); // a cluster has one binding
    }
  }
  return steps;
}
