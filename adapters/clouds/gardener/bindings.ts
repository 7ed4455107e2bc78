import { z } from "zod";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import type { ShootBinding } from "../shared/clusters/shoot-spec.ts";
import { type KubeObject, missingError } from "./client/kubernetes.ts";
import { deletionStatus, shownMetadata } from "./objects.ts";
import { type GardenerOperation, projectOfNamespace } from "./projects.ts";

const reference = z.looseObject({ name: z.string().optional(), namespace: z.string().optional() });

/** What a binding of either kind says beside its metadata. */
const Fields = z.object({
  secretRef: reference.optional(),
  credentialsRef: reference.optional(),
  provider: z.record(z.string(), z.unknown()).optional(),
});

/** A binding of either kind in the shape of the newer one. */
export interface Binding extends ShootBinding {
  readonly metadata: KubeObject["metadata"];
  readonly provider: Record<string, unknown>;
  readonly credentialsRef: z.output<typeof reference>;
}

function bindingOf(object: KubeObject, isCredentialsBinding: boolean): Binding {
  const {
    secretRef,
    credentialsRef = { apiVersion: "v1", kind: "Secret", ...secretRef },
    provider = {},
  } = Fields.parse(object);
  return { name: object.metadata.name, metadata: object.metadata, provider, credentialsRef, isCredentialsBinding };
}

function shownBinding({ metadata, provider, credentialsRef }: Binding) {
  return { credentialsRef, metadata: shownMetadata(metadata), provider };
}

/** The bindings of a namespace of both kinds; a Gardener that is too old for the newer kind has none of it. */
export async function bindingsOf({ kubernetes, deadline }: GardenerOperation, namespace: string): Promise<Binding[]> {
  const older = await kubernetes.list({ resource: "secretBinding", namespace }, deadline);
  const newer = await kubernetes.list({ resource: "credentialsBinding", namespace }, deadline);
  return [...older.map((object) => bindingOf(object, false)), ...newer.map((object) => bindingOf(object, true))];
}

/** The binding of a name, of whichever kind; the newer kind wins. */
async function findBinding(
  { kubernetes, deadline }: GardenerOperation,
  namespace: string,
  name: string,
): Promise<Binding | undefined> {
  const newer = await kubernetes.find({ resource: "credentialsBinding", namespace, name }, deadline);
  if (newer !== undefined) return bindingOf(newer, true);
  const older = await kubernetes.find({ resource: "secretBinding", namespace, name }, deadline);
  return older === undefined ? undefined : bindingOf(older, false);
}

/** The binding that a field of a cluster names. Throws `not_found` with that field. */
export async function readBindingFor(task: GardenerOperation, namespace: string, name: string): Promise<Binding> {
  const binding = await findBinding(task, namespace, name);
  if (binding !== undefined) return binding;
  const message = `There is no secret binding \`${name}\` in the namespace.`;
  throw new GatewayError("not_found", message, { param: "secret_binding_name" });
}

/** `GET /cluster/{namespace}/secretbindings`. */
export async function listBindings(task: GardenerOperation, { namespace }: { readonly namespace: string }) {
  await projectOfNamespace(task, namespace);
  return (await bindingsOf(task, namespace)).map(shownBinding);
}

/** `GET /cluster/{namespace}/secretbindings/{secret_binding_name}`. */
export async function readBinding(
  task: GardenerOperation,
  { namespace, secret_binding_name: name }: InputOf<typeof clusters.secretBinding>,
) {
  await projectOfNamespace(task, namespace);
  const binding = await findBinding(task, namespace, name);
  if (binding === undefined) throw missingError({ resource: "secretBinding", namespace, name });
  return [shownBinding(binding)];
}

/** `POST /cluster/{namespace}/secretbindings`. A secret that is not there is said here: Gardener would answer 403. */
export async function createBinding(task: GardenerOperation, input: InputOf<typeof clusters.createSecretBinding>) {
  const { namespace, secret_name, secretbinding_name } = input;
  await projectOfNamespace(task, namespace);
  const secret = await task.kubernetes.find({ resource: "secret", namespace, name: secret_name }, task.deadline);
  if (secret === undefined) {
    throw new GatewayError("not_found", `There is no secret \`${secret_name}\` in the namespace.`, {
      param: "secret_name",
    });
  }
  const secretRef = { name: secret_name, namespace };
  const provider = { type: task.options.shoots?.providerType ?? "openstack" };
  const body = { metadata: { name: secretbinding_name }, provider, secretRef };
  const created = await task.kubernetes.create(
    { target: { resource: "secretBinding", namespace }, body },
    task.deadline,
  );
  return { metadata: shownMetadata(created.metadata), provider, secretRef };
}

/**
 * `DELETE /cluster/{namespace}/secretbindings/{secret_binding_name}`: refused while a cluster uses it. Gardener would take the deletion
 * and wait for the cluster's end, which it then could no longer bring about.
 */
export async function deleteBinding(
  task: GardenerOperation,
  { namespace, secret_binding_name: name }: InputOf<typeof clusters.deleteSecretBinding>,
) {
  await projectOfNamespace(task, namespace);
  const { kubernetes, deadline } = task;
  const binding = await findBinding(task, namespace, name);
  if (binding === undefined) throw missingError({ resource: "secretBinding", namespace, name });
  const field = binding.isCredentialsBinding ? "credentialsBindingName" : "secretBindingName";
  const users = (await kubernetes.list({ resource: "shoot", namespace }, deadline)).filter(
    ({ spec }) => spec?.[field] === name,
  );
  if (users.length > 0) {
    const names = users.map(({ metadata }) => metadata.name).join(", ");
    const message = `The secret binding \`${name}\` is used by the cluster ${names}.`;
    throw new GatewayError("conflict", message, { param: "secret_binding_name" });
  }
  const resource = binding.isCredentialsBinding ? "credentialsBinding" : "secretBinding";
  const target = { resource, namespace, name } as const;
  return deletionStatus(await kubernetes.remove(target, deadline), target);
}
