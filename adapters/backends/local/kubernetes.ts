import type { KubeAnswer, KubeRequest, KubeSender } from "../gardener/index.ts";
import { reviewShoot } from "./admission.ts";
import { type Ground, newUuid, nowOf } from "./endpoint.ts";
import type { Thing } from "./inventory.ts";
import { answer, coreApi, deleted, type KubePath, type KubeThing, objectId, readPath, refuse } from "./kube-objects.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { applyMerge, applySteps, type PatchStep } from "./patch.ts";

/** What the API works with: the services' ground, and the key that signs tokens. */
export interface KubeGround extends Ground {
  readonly signingKey: Uint8Array;
}

/** Deletions of these must be confirmed by an annotation. */
const confirmed = ["projects", "shoots"];
const confirmation = "confirmation.gardener.cloud/deletion";

/** Gardener's Kubernetes API over the inventory, with the refusals that the real one gives. Nothing is ever on its way: what is made is ready. */
export function localKubernetes(ground: KubeGround, opened: () => Promise<void>): KubeSender {
  const inTurn = ground.turn("kubernetes");
  return async ({ body, ...given }) => {
    await opened();
    const request = body === undefined ? given : { ...given, body: JSON.parse(JSON.stringify(body)) }; // as it would arrive
    const path = readPath(request.path);
    if (path === undefined) return { status: 404, body: "404 page not found" };
    const run = () => serve(request, path, ground);
    return request.method === "GET" ? run() : inTurn(run);
  };
}

async function serve(request: KubeRequest, path: KubePath, ground: KubeGround): Promise<KubeAnswer> {
  if (path.subresource !== undefined) return makeKubeconfig(request, path, ground);
  if (request.method === "POST") return create(request, path, ground);
  if (path.name === undefined) return list(path, ground);
  const found = await read(path, ground);
  if (found === undefined) return missing(path);
  if (request.method === "PATCH") return patch(request, { path, found }, ground);
  if (request.method === "DELETE") return remove(path, found, ground);
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
async function read(path: KubePath, { inventory, secrets }: KubeGround): Promise<KubeThing | undefined> {
  const found = await inventory.find(kindOf(path), objectId(path.namespace, path.name ?? ""));
  return found && openSecret(found, secrets);
}

function openSecret(thing: Thing, secrets: Ground["secrets"]): KubeThing {
  const { data, ...rest } = thing;
  const opened = typeof data === "string" ? { ...rest, data: JSON.parse(secrets.tryOpen(data) ?? "null") } : thing;
  return opened as unknown as KubeThing; // seam: written by `keep`
}

async function keep(path: KubePath, object: KubeThing, { inventory, secrets }: KubeGround): Promise<void> {
  const { name, namespace } = object.metadata;
  const sealed = object.data === undefined ? object : { ...object, data: secrets.seal(JSON.stringify(object.data)) };
  await inventory.put(kindOf(path), objectId(namespace, name), sealed);
}

async function list(path: KubePath, { inventory, secrets }: KubeGround): Promise<KubeAnswer> {
  const all = (await inventory.list(kindOf(path))).map((thing) => openSecret(thing, secrets));
  const items = all.filter(({ metadata }) => path.namespace === undefined || metadata.namespace === path.namespace);
  return answer(200, { kind: "List", apiVersion: "v1", metadata: {}, items });
}

async function create(request: KubeRequest, at: KubePath, ground: KubeGround): Promise<KubeAnswer> {
  const body = request.body as KubeThing;
  const path = { ...at, name: body.metadata.name };
  const refused = await reviewNew(path, ground);
  if (refused !== undefined) return refused;
  const place = path.namespace === undefined ? {} : { namespace: path.namespace };
  const version = { uid: newUuid(ground), resourceVersion: "1", generation: 1, creationTimestamp: nowOf(ground) };
  const metadata = { ...body.metadata, ...place, ...version };
  const object = withStatus(path, encodeStrings({ ...body, metadata }), ground);
  const shootRefusal = path.plural === "shoots" ? await review({ object }, path, ground) : undefined;
  if (shootRefusal !== undefined) return shootRefusal;
  await keep(path, object, ground);
  if (path.plural === "projects") await makeNamespace(object, ground);
  return answer(201, object);
}

async function reviewNew(path: KubePath, ground: KubeGround): Promise<KubeAnswer | undefined> {
  const { namespace, plural, name } = path;
  if (
    namespace !== undefined &&
    (await ground.inventory.find("kube.namespaces", objectId(undefined, namespace))) === undefined
  ) {
    const message = `namespaces "${namespace}" not found`;
    return refuse({ code: 404, reason: "NotFound", message }, { plural: "namespaces", name: namespace });
  }
  if ((await read(path, ground)) === undefined) return undefined;
  return refuse({ code: 409, reason: "AlreadyExists", message: `${plural} "${name}" already exists` }, path);
}

/** What Gardener's controllers do a moment later. */
async function makeNamespace({ spec }: KubeThing, ground: KubeGround): Promise<void> {
  const name = String(spec?.namespace ?? "");
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name, uid: newUuid(ground) } };
  await ground.inventory.put("kube.namespaces", objectId(undefined, name), namespace);
}

/** `stringData` is for writing only: it is read as `data`, in base64. */
function encodeStrings(object: KubeThing): KubeThing {
  const { stringData, data, ...rest } = object as KubeThing & { stringData?: Record<string, string>; data?: object };
  if (stringData === undefined) return object;
  const encoded = Object.entries(stringData).map(([name, text]) => [name, Buffer.from(text).toString("base64")]);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as KubeThing;
}

function withStatus({ plural }: KubePath, object: KubeThing, ground: KubeGround): KubeThing {
  if (plural === "projects") return { ...object, status: { phase: "Ready" } };
  if (plural !== "shoots") return object;
  const lastOperation = { type: "Reconcile", state: "Succeeded", progress: 100, lastUpdateTime: nowOf(ground) };
  return { ...object, status: { lastOperation, hibernated: false } };
}

interface Change {
  readonly object: KubeThing;
  readonly former?: KubeThing;
}

async function review({ object, former }: Change, path: KubePath, ground: KubeGround): Promise<KubeAnswer | undefined> {
  const { cloudProfileName, cloudProfile } = object.spec ?? {};
  const name = cloudProfileName ?? (cloudProfile as { name?: string } | undefined)?.name;
  const profile = await read({ plural: "cloudprofiles", name: String(name ?? "") }, ground);
  const refusal = reviewShoot({ shoot: object, former, profile, now: ground.clock.now() });
  return refusal && refuse(refusal, path);
}

interface Patching {
  readonly path: KubePath;
  readonly found: KubeThing;
}

async function patch({ body, contentType }: KubeRequest, { path, found }: Patching, ground: KubeGround) {
  const isMerge = contentType === "application/merge-patch+json";
  const changed = isMerge ? (applyMerge(found, body) as KubeThing) : applySteps(found, body as readonly PatchStep[]);
  if (changed === undefined) {
    const message = "the server rejected our request due to an error in our request";
    return answer(422, { kind: "Status", apiVersion: "v1", status: "Failure", message, reason: "Invalid", code: 422 });
  }
  const resourceVersion = String(Number(found.metadata.resourceVersion ?? 0) + 1);
  const object = encodeStrings({ ...changed, metadata: { ...changed.metadata, resourceVersion } });
  const refused = path.plural === "shoots" ? await review({ object, former: found }, path, ground) : undefined;
  if (refused !== undefined) return refused;
  await keep(path, object, ground);
  return answer(200, object);
}

async function remove(path: KubePath, { metadata, spec }: KubeThing, ground: KubeGround): Promise<KubeAnswer> {
  const { plural, name } = path;
  if (confirmed.includes(plural) && metadata.annotations?.[confirmation] !== "true") {
    const message = `${plural} "${name}" is forbidden: must have a "${confirmation}" annotation to delete`;
    return refuse({ code: 403, reason: "Forbidden", message }, path);
  }
  await ground.inventory.remove(kindOf(path), objectId(path.namespace, name ?? ""));
  if (plural === "projects") await clearNamespace(String(spec?.namespace ?? ""), ground);
  return deleted(path, metadata.uid);
}

/** With a project goes its namespace, and what is in it. */
async function clearNamespace(namespace: string, { inventory }: KubeGround): Promise<void> {
  for (const plural of ["shoots", "secretbindings", "credentialsbindings", "secrets"]) {
    for (const thing of await inventory.list(`kube.${plural}`)) {
      const { metadata } = thing as unknown as KubeThing; // seam: written by `keep`
      if (metadata.namespace === namespace)
        await inventory.remove(`kube.${plural}`, objectId(namespace, metadata.name));
    }
  }
  await inventory.remove("kube.namespaces", objectId(undefined, namespace));
}

const roles: Readonly<Record<string, "admin" | "viewer">> = { adminkubeconfig: "admin", viewerkubeconfig: "viewer" };

async function makeKubeconfig({ body }: KubeRequest, path: KubePath, ground: KubeGround): Promise<KubeAnswer> {
  const role = roles[path.subresource ?? ""];
  if (role === undefined || (await read(path, ground)) === undefined) return missing(path);
  const { expirationSeconds } = (body as { spec: { expirationSeconds: number } }).spec;
  const issuedAt = Math.floor(ground.clock.now() / 1000);
  const plan = {
    role,
    project: (path.namespace ?? "").replace(/^garden-/, ""),
    shoot: path.name ?? "",
    issuedAt,
    expiresAt: issuedAt + expirationSeconds,
  };
  const status = {
    kubeconfig: Buffer.from(writeKubeconfig(plan, ground.signingKey)).toString("base64"),
    expirationTimestamp: new Date(plan.expiresAt * 1000).toISOString(),
  };
  return answer(201, { apiVersion: coreApi, kind: "KubeconfigRequest", spec: { expirationSeconds }, status });
}
