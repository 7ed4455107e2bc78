import type { KubeAnswer, KubeRequest, KubeSender } from "../../gardener/index.ts";
import { newUuid, nowOf } from "../endpoint.ts";
import {
  answer,
  coreApi,
  deleted,
  type KubePath,
  objectId,
  readPath,
  refuse,
  type StoredKubeObject,
} from "./kube-objects.ts";
import { type KubeContext, kindOf, listObjects, read, readStored, save, shownOf } from "./kube-store.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { shootAt } from "./lifecycle.ts";
import { applyMerge, applySteps, type PatchStep } from "./patch.ts";
import { changeShoot, makeShoot, removeShoot, review } from "./shoots.ts";

const roles: Readonly<Record<string, "admin" | "viewer">> = { adminkubeconfig: "admin", viewerkubeconfig: "viewer" };

/** A kubeconfig of a cluster; a cluster that has no API server yet, or none any more, gives none. */
async function makeKubeconfig(
  { body }: KubeRequest,
  path: KubePath,
  context: KubeContext,
): Promise<KubeAnswer | undefined> {
  const role = roles[path.subresource ?? ""];
  const stored = await readStored(path, context);
  if (role === undefined || stored === undefined) return undefined;
  if (shootAt(stored, context.clock.now())?.hasApiServer !== true) {
    const message = "no kube-apiserver advertised addresses in Shoot .status.advertisedAddresses";
    return refuse({ code: 422, reason: "Invalid", message }, path);
  }
  const { expirationSeconds } = (body as { spec: { expirationSeconds: number } }).spec;
  const issuedAt = Math.floor(context.clock.now() / 1000);
  const { namespace = "", name: shoot = "" } = path;
  const server = `${context.clusterEndpoint()}/${namespace}/${shoot}`;
  const expiresAt = issuedAt + expirationSeconds;
  const project = namespace.replace(/^garden-/, "");
  const plan = { role, project, shoot, uid: stored.metadata.uid ?? "", server, issuedAt, expiresAt };
  const status = {
    kubeconfig: Buffer.from(writeKubeconfig(plan, context.signingKey)).toString("base64"),
    expirationTimestamp: new Date(expiresAt * 1000).toISOString(),
  };
  return answer(201, { apiVersion: coreApi, kind: "KubeconfigRequest", spec: { expirationSeconds }, status });
}

/** Deletions of these must be confirmed by an annotation. */
const confirmed = ["projects", "shoots"];
const confirmation = "confirmation.gardener.cloud/deletion";

/** Gardener's Kubernetes API over the inventory, with the refusals that the real one gives. Clusters are made, changed and deleted over the clock's time. */
export function localKubernetes(context: KubeContext, opened: () => Promise<void>): KubeSender {
  const inTurn = context.turn("kubernetes");
  return async ({ body, ...provided }) => {
    await opened();
    const request = body === undefined ? provided : { ...provided, body: JSON.parse(JSON.stringify(body)) }; // as it would arrive
    const path = readPath(request.path);
    if (path === undefined) return { status: 404, body: "404 page not found" };
    const run = () => serve(request, path, context);
    return request.method === "GET" ? run() : inTurn(run);
  };
}

async function serve(request: KubeRequest, path: KubePath, context: KubeContext): Promise<KubeAnswer> {
  if (path.subresource !== undefined) return (await makeKubeconfig(request, path, context)) ?? missing(path);
  if (request.method === "POST") return create(request, path, context);
  if (path.name === undefined) return list(path, context);
  const stored = await readStored(path, context);
  const found = stored && shownOf(path, stored, context);
  if (stored === undefined || found === undefined) return missing(path);
  if (request.method === "PATCH") return patch(request, { path, found, stored }, context);
  if (request.method === "DELETE") return remove(path, stored, context);
  return answer(200, found);
}

function missing(path: KubePath): KubeAnswer {
  const message = `${path.plural} "${path.name}" not found`;
  return refuse({ code: 404, reason: "NotFound", message }, path);
}

async function list(path: KubePath, context: KubeContext): Promise<KubeAnswer> {
  return answer(200, { kind: "List", apiVersion: "v1", metadata: {}, items: await listObjects(path, context) });
}

async function create(request: KubeRequest, at: KubePath, serviceContext: KubeContext): Promise<KubeAnswer> {
  const body = request.body as StoredKubeObject;
  const path = { ...at, name: body.metadata.name };
  const refused = await reviewNew(path, serviceContext);
  if (refused !== undefined) return refused;
  const context = path.namespace === undefined ? {} : { namespace: path.namespace };
  const version = {
    uid: newUuid(serviceContext),
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: nowOf(serviceContext),
  };
  const metadata = { ...body.metadata, ...context, ...version };
  const object = withStatus(path, encodeStrings({ ...body, metadata }));
  const shootRefusal = path.plural === "shoots" ? await review({ object }, path, serviceContext) : undefined;
  if (shootRefusal !== undefined) return shootRefusal;
  const stored = path.plural === "shoots" ? await makeShoot(object, serviceContext) : object;
  await save(path, stored, serviceContext);
  if (path.plural === "projects") await makeNamespace(object, serviceContext);
  return answer(201, shownOf(path, stored, serviceContext));
}

async function reviewNew(path: KubePath, context: KubeContext): Promise<KubeAnswer | undefined> {
  const { namespace, plural, name } = path;
  if (
    namespace !== undefined &&
    (await context.inventory.find("kube.namespaces", objectId(undefined, namespace))) === undefined
  ) {
    const message = `namespaces "${namespace}" not found`;
    return refuse({ code: 404, reason: "NotFound", message }, { plural: "namespaces", name: namespace });
  }
  if ((await read(path, context)) === undefined) return undefined;
  return refuse({ code: 409, reason: "AlreadyExists", message: `${plural} "${name}" already exists` }, path);
}

/** What Gardener's controllers do a moment later. */
async function makeNamespace({ spec }: StoredKubeObject, context: KubeContext): Promise<void> {
  const name = String(spec?.namespace ?? "");
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name, uid: newUuid(context) } };
  await context.inventory.put("kube.namespaces", objectId(undefined, name), namespace);
}

/** `stringData` is for writing only: it is read as `data`, in base64. */
function encodeStrings(object: StoredKubeObject): StoredKubeObject {
  const { stringData, data, ...rest } = object as StoredKubeObject & {
    stringData?: Record<string, string>;
    data?: object;
  };
  if (stringData === undefined) return object;
  const encoded = Object.entries(stringData).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as StoredKubeObject;
}

function withStatus({ plural }: KubePath, object: StoredKubeObject): StoredKubeObject {
  return plural === "projects" ? { ...object, status: { phase: "Ready" } } : object;
}

interface Patching {
  readonly path: KubePath;
  /** As it is answered. */
  readonly found: StoredKubeObject;
  readonly stored: StoredKubeObject;
}

async function patch({ body, contentType }: KubeRequest, { path, found, stored }: Patching, context: KubeContext) {
  const isMerge = contentType === "application/merge-patch+json";
  const changed = isMerge
    ? (applyMerge(found, body) as StoredKubeObject)
    : applySteps(found, body as readonly PatchStep[]);
  if (changed === undefined) {
    const message = "the server rejected our request due to an error in our request";
    return answer(422, { kind: "Status", apiVersion: "v1", status: "Failure", message, reason: "Invalid", code: 422 });
  }
  const resourceVersion = String(Number(found.metadata.resourceVersion ?? 0) + 1);
  const object = encodeStrings({ ...changed, metadata: { ...changed.metadata, resourceVersion } });
  const refused = path.plural === "shoots" ? await review({ object, former: found }, path, context) : undefined;
  if (refused !== undefined) return refused;
  const written = path.plural === "shoots" ? await changeShoot(object, stored, context) : object;
  await save(path, written, context);
  return answer(200, shownOf(path, written, context));
}

async function remove(path: KubePath, stored: StoredKubeObject, context: KubeContext): Promise<KubeAnswer> {
  const { plural, name } = path;
  const { metadata, spec } = stored;
  if (confirmed.includes(plural) && metadata.annotations?.[confirmation] !== "true") {
    const message = `${plural} "${name}" is forbidden: must have a "${confirmation}" annotation to delete`;
    return refuse({ code: 403, reason: "Forbidden", message }, path);
  }
  if (await isBound(path, context)) {
    return refuse({ code: 409, reason: "Conflict", message: `${plural} "${name}" is used by a cluster` }, path);
  }
  if (plural === "shoots") return removeShoot(path, stored, context);
  await context.inventory.remove(kindOf(path), objectId(path.namespace, name ?? ""));
  if (plural === "projects") await clearNamespace(String(spec?.namespace ?? ""), context);
  return deleted(path, metadata.uid);
}

const bindingFields: Readonly<Record<string, string>> = {
  secretbindings: "secretBindingName",
  credentialsbindings: "credentialsBindingName",
};

/** True for a binding that a cluster of its namespace uses: a cluster may have been made since the caller looked. */
async function isBound({ plural, namespace, name }: KubePath, context: KubeContext): Promise<boolean> {
  const field = bindingFields[plural];
  if (field === undefined) return false;
  const shoots = await listObjects({ plural: "shoots", namespace }, context);
  return shoots.some(({ spec }) => spec?.[field] === name);
}

/** With a project goes its namespace, and what is in it. */
async function clearNamespace(namespace: string, { inventory }: KubeContext): Promise<void> {
  for (const plural of ["shoots", "secretbindings", "credentialsbindings", "secrets"]) {
    for (const item of await inventory.list(`kube.${plural}`)) {
      const { metadata } = item as unknown as StoredKubeObject; // seam: written by `keep`
      if (metadata.namespace === namespace)
        await inventory.remove(`kube.${plural}`, objectId(namespace, metadata.name));
    }
  }
  await inventory.remove("kube.namespaces", objectId(undefined, namespace));
}
