import { GatewayError } from "../../../src/engine/errors.ts";
import type { InputOf } from "../../../src/operations/calls.ts";
import type { clusters } from "../../../src/operations/portal/infrastructure/clusters.ts";
import { unreadable } from "../../../src/portal/call/secrets.ts";
import { bindingsOf } from "./bindings.ts";
import { type KubeObject, missingError } from "./client/kubernetes.ts";
import { deletionStatus, shownMetadata } from "./objects.ts";
import { type GardenerOperation, projectOfNamespace } from "./projects.ts";

/** Our fields and the keys of an OpenStack secret as Gardener reads them. */
const keys = {
  domain_name: "domainName",
  project_name: "tenantName",
  app_credential_id: "applicationCredentialID",
  app_credential_name: "applicationCredentialName",
  app_credential_secret: "applicationCredentialSecret",
} as const;

/** Keys of `data` that are no secrets. */
const plainKeys = [
  "domainName",
  "tenantName",
  "applicationCredentialID",
  "applicationCredentialName",
  "username",
  "authURL",
];

/** What helps where the data of a secret cannot be opened any more. */
const again = `set all of ${Object.keys(keys).join(", ")} again`;

type SecretFields = { readonly [Field in keyof typeof keys]?: string | undefined };

function stringDataOf(fields: SecretFields): Record<string, string> {
  const entries = Object.entries(keys).map(([field, key]) => [key, fields[field as keyof typeof keys]]);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Data that the embedded cloud cannot open any more, whose secrets are all of infrastructure credentials; Kubernetes' own is never null. */
function isUnreadable({ data }: KubeObject): boolean {
  return data === null;
}

/** Whether a secret is one of infrastructure credentials: a namespace also holds the certificates and keys of its clusters. */
function isCredential(secret: KubeObject): boolean {
  if (isUnreadable(secret)) return true;
  const { data } = secret;
  return typeof data === "object" && data !== null && "tenantName" in data && "domainName" in data;
}

/** A secret as callers read it: base64 values of what is no secret, nothing of what is. */
function shownSecret({ metadata, data, type }: KubeObject) {
  const entries = Object.entries((data ?? {}) as Record<string, unknown>).filter(([key]) => plainKeys.includes(key));
  return {
    data: Object.fromEntries(entries),
    metadata: shownMetadata(metadata),
    ...(typeof type === "string" ? { type } : {}),
  };
}

/** `GET /cluster/{namespace}/secrets`. */
export async function listSecrets(task: GardenerOperation, { namespace }: { readonly namespace: string }) {
  await projectOfNamespace(task, namespace);
  const secrets = await task.kubernetes.list({ resource: "secret", namespace }, task.deadline);
  return secrets.filter(isCredential).map(shownSecret);
}

interface SecretName {
  readonly namespace: string;
  readonly secret_name: string;
}

async function readCredential(task: GardenerOperation, { namespace, secret_name }: SecretName): Promise<KubeObject> {
  await projectOfNamespace(task, namespace);
  const target = { resource: "secret", namespace, name: secret_name } as const;
  const secret = await task.kubernetes.read(target, task.deadline);
  if (!isCredential(secret)) throw missingError(target);
  return secret;
}

/** `GET /cluster/{namespace}/secrets/{secret_name}`. */
export async function readSecret(task: GardenerOperation, name: SecretName) {
  const secret = await readCredential(task, name);
  if (isUnreadable(secret)) throw unreadable(again);
  return [shownSecret(secret)];
}

/** `POST /cluster/{namespace}/secrets`. */
export async function createSecret(task: GardenerOperation, input: InputOf<typeof clusters.createSecret>) {
  const { namespace, secret_name, ...fields } = input;
  await projectOfNamespace(task, namespace);
  const body = { metadata: { name: secret_name }, type: "Opaque", stringData: stringDataOf(fields) };
  const target = { resource: "secret", namespace } as const;
  return shownSecret(await task.kubernetes.create({ target, body, isSecret: true }, task.deadline));
}

/** `PATCH /cluster/{namespace}/secrets/{secret_name}`. */
export async function changeSecret(task: GardenerOperation, input: InputOf<typeof clusters.changeSecret>) {
  const { namespace, secret_name, ...fields } = input;
  const present = await readCredential(task, input);
  const isWhole = Object.keys(keys).every((field) => fields[field as keyof typeof keys] !== undefined);
  if (isUnreadable(present) && !isWhole) throw unreadable(again);
  const target = { resource: "secret", namespace, name: secret_name } as const;
  const patch = { merge: { stringData: stringDataOf(fields) }, isSecret: true };
  return shownSecret(await task.kubernetes.patch(target, patch, task.deadline));
}

/** `DELETE /cluster/{namespace}/secrets/{secret_name}`: refused while a binding names it, which only Gardener's controllers would do. */
export async function deleteSecret(task: GardenerOperation, name: SecretName) {
  await readCredential(task, name);
  const { namespace, secret_name } = name;
  const users = (await bindingsOf(task, namespace)).filter(({ credentialsRef }) => credentialsRef.name === secret_name);
  if (users.length > 0) {
    const names = users.map(({ metadata }) => metadata.name).join(", ");
    throw new GatewayError("conflict", `The secret \`${secret_name}\` is bound by ${names}.`, { param: "secret_name" });
  }
  const target = { resource: "secret", namespace, name: secret_name } as const;
  return deletionStatus(await task.kubernetes.remove(target, task.deadline), target);
}
