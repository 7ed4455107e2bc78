import { localPlace } from "../../../../src/portal/call/sealed-places.ts";
import type { KubeAnswer, KubeRequest, KubeSender } from "../../gardener/index.ts";
import { newUuid, nowOf, type ServiceContext } from "../endpoint.ts";
import type { Resource } from "../inventory.ts";
import { reviewShoot } from "./admission.ts";
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
import { writeKubeconfig } from "./kubeconfig.ts";
import { applyMerge, applySteps, type PatchStep } from "./patch.ts";

/** What the API works with: the services' ground, and the key that signs tokens. */
export interface KubeContext extends ServiceContext {
  readonly signingKey: Uint8Array;
}

/** Deletions of these must be confirmed by an annotation. */
const confirmed = ["projects", "shoots"];
const confirmation = "confirmation.gardener.cloud/deletion";

/** Gardener's Kubernetes API over the inventory, with the refusals that the real one gives. Nothing is ever on its way: what is made is ready. */
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
  if (path.subresource !== undefined) return makeKubeconfig(request, path, context);
  if (request.method === "POST") return create(request, path, context);
  if (path.name === undefined) return list(path, context);
  const found = await read(path, context);
  if (found === undefined) return missing(path);
  if (request.method === "PATCH") return patch(request, { path, found }, context);
  if (request.method === "DELETE") return remove(path, found, context);
  return answer(200, found);
}

function missing(path: KubePath): KubeAnswer {
  const message = `${path.plural} "${path.name}" not found`;
  return refuse({ code: 404, reason: "NotFound", message }, path);
}

function kindOf({ plural }: KubePath): string {
  return `kube.${plural}`;
}

/** Secrets hold credentials: their data is kept sealed. It is null where it cannot be opened any more, which no real one's is. */
async function read(path: KubePath, context: KubeContext): Promise<StoredKubeObject | undefined> {
  const found = await context.inventory.find(kindOf(path), objectId(path.namespace, path.name ?? ""));
  return found && openSecret(path, found, context);
}

function openSecret(path: KubePath, item: Resource, context: KubeContext): StoredKubeObject {
  const object = item as unknown as StoredKubeObject; // seam: written by `save`
  if (typeof item.data !== "string") return object;
  const plain = context.secrets.tryOpen(item.data, dataPlace(path, object, context));
  return { ...object, data: JSON.parse(plain ?? "null") };
}

function dataPlace(path: KubePath, { metadata }: StoredKubeObject, { region }: KubeContext): string {
  return localPlace(`${region}/${kindOf(path)}/${objectId(metadata.namespace, metadata.name)}`, "data");
}

async function save(path: KubePath, object: StoredKubeObject, context: KubeContext): Promise<void> {
  const { name, namespace } = object.metadata;
  const { secrets, inventory } = context;
  const seal = () => secrets.seal(JSON.stringify(object.data), dataPlace(path, object, context));
  const sealed = object.data === undefined ? object : { ...object, data: seal() };
  await inventory.put(kindOf(path), objectId(namespace, name), sealed);
}

async function list(path: KubePath, context: KubeContext): Promise<KubeAnswer> {
  const all = (await context.inventory.list(kindOf(path))).map((item) => openSecret(path, item, context));
  const items = all.filter(({ metadata }) => path.namespace === undefined || metadata.namespace === path.namespace);
  return answer(200, { kind: "List", apiVersion: "v1", metadata: {}, items });
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
  const object = withStatus(path, encodeStrings({ ...body, metadata }), serviceContext);
  const shootRefusal = path.plural === "shoots" ? await review({ object }, path, serviceContext) : undefined;
  if (shootRefusal !== undefined) return shootRefusal;
  await save(path, object, serviceContext);
  if (path.plural === "projects") await makeNamespace(object, serviceContext);
  return answer(201, object);
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

function withStatus({ plural }: KubePath, object: StoredKubeObject, context: KubeContext): StoredKubeObject {
  if (plural === "projects") return { ...object, status: { phase: "Ready" } };
  if (plural !== "shoots") return object;
  const lastOperation = { type: "Reconcile", state: "Succeeded", progress: 100, lastUpdateTime: nowOf(context) };
  return { ...object, status: { lastOperation, hibernated: false } };
}

interface ObjectChange {
  readonly object: StoredKubeObject;
  readonly former?: StoredKubeObject;
}

async function review(
  { object, former }: ObjectChange,
  path: KubePath,
  context: KubeContext,
): Promise<KubeAnswer | undefined> {
  const { cloudProfileName, cloudProfile } = object.spec ?? {};
  const name = cloudProfileName ?? (cloudProfile as { name?: string } | undefined)?.name;
  const profile = await read({ plural: "cloudprofiles", name: String(name ?? "") }, context);
  const refusal = reviewShoot({ shoot: object, former, profile, now: context.clock.now() });
  return refusal && refuse(refusal, path);
}

interface Patching {
  readonly path: KubePath;
  readonly found: StoredKubeObject;
}

async function patch({ body, contentType }: KubeRequest, { path, found }: Patching, context: KubeContext) {
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
  await save(path, object, context);
  return answer(200, object);
}

async function remove(path: KubePath, { metadata, spec }: StoredKubeObject, context: KubeContext): Promise<KubeAnswer> {
  const { plural, name } = path;
  if (confirmed.includes(plural) && metadata.annotations?.[confirmation] !== "true") {
    const message = `${plural} "${name}" is forbidden: must have a "${confirmation}" annotation to delete`;
    return refuse({ code: 403, reason: "Forbidden", message }, path);
  }
  if (await isBound(path, context)) {
    return refuse({ code: 409, reason: "Conflict", message: `${plural} "${name}" is used by a cluster` }, path);
  }
  await context.inventory.remove(kindOf(path), objectId(path.namespace, name ?? ""));
  if (plural === "projects") await clearNamespace(String(spec?.namespace ?? ""), context);
  return deleted(path, metadata.uid);
}

const bindingFields: Readonly<Record<string, string>> = {
  secretbindings: "secretBindingName",
  credentialsbindings: "credentialsBindingName",
};

/** True for a binding that a cluster of its namespace uses: a cluster may have been made since the caller looked. */
async function isBound({ plural, namespace, name }: KubePath, { inventory }: KubeContext): Promise<boolean> {
  const field = bindingFields[plural];
  if (field === undefined) return false;
  const shoots = (await inventory.list("kube.shoots")) as unknown as StoredKubeObject[]; // seam: written by `save`
  return shoots.some(({ metadata, spec }) => metadata.namespace === namespace && spec?.[field] === name);
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

const roles: Readonly<Record<string, "admin" | "viewer">> = { adminkubeconfig: "admin", viewerkubeconfig: "viewer" };

async function makeKubeconfig({ body }: KubeRequest, path: KubePath, context: KubeContext): Promise<KubeAnswer> {
  const role = roles[path.subresource ?? ""];
  if (role === undefined || (await read(path, context)) === undefined) return missing(path);
  const { expirationSeconds } = (body as { spec: { expirationSeconds: number } }).spec;
  const issuedAt = Math.floor(context.clock.now() / 1000);
  const plan = {
    role,
    project: (path.namespace ?? "").replace(/^garden-/, ""),
    shoot: path.name ?? "",
    issuedAt,
    expiresAt: issuedAt + expirationSeconds,
  };
  const status = {
    kubeconfig: Buffer.from(writeKubeconfig(plan, context.signingKey)).toString("base64"),
    expirationTimestamp: new Date(plan.expiresAt * 1000).toISOString(),
  };
  return answer(201, { apiVersion: coreApi, kind: "KubeconfigRequest", spec: { expirationSeconds }, status });
}
