import { z } from "zod";
import type { KubeAnswer } from "../../gardener/index.ts";
import { newUuid, nowOf } from "../endpoint.ts";
import type { Resource } from "../inventory.ts";
import type { ClusterCall } from "./cluster-call.ts";
import { namespaceNames } from "./cluster-views.ts";
import { answer, refuse } from "./kube-objects.ts";
import type { KubeContext } from "./kube-store.ts";
import { applyMerge } from "./patch.ts";

/** A cluster holds no more config maps than this. */
const most = 100;

const ConfigMap = z.object({
  metadata: z.looseObject({
    name: z
      .string()
      .max(253)
      .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/),
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  data: z.record(z.string(), z.string()).optional(),
  binaryData: z.record(z.string(), z.base64()).optional(),
  immutable: z.boolean().optional(),
});
type ConfigMap = z.output<typeof ConfigMap>;

/** The kind of a cluster's own objects in the inventory. */
const kindOf = (uid: string) => `cluster.${uid}`;

/** What of a path names config maps: all of the cluster's, those of a namespace, or one. */
interface ConfigMapPath {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

function pathOf([, , first, namespace, , name]: readonly string[]): ConfigMapPath {
  return first === "namespaces" ? { namespace, name } : {};
}

const plural = "configmaps";

/** Lists, reads and writes the config maps of a cluster. */
export async function configMaps(call: ClusterCall, context: KubeContext): Promise<KubeAnswer> {
  const path = pathOf(call.path);
  const { method } = call;
  const isRead = method === "GET" || method === "HEAD";
  if (isRead && path.name === undefined) return list(call, path, context);
  if (path.namespace === undefined || (method === "POST") !== (path.name === undefined))
    return refuse({ code: 405, reason: "MethodNotAllowed", message: `${method} is not served here` }, { plural });
  if (!namespaceNames.includes(path.namespace)) return notFound("namespaces", path.namespace);
  const write = () => change(call, { namespace: path.namespace ?? "", name: path.name }, context);
  if (!isRead) return context.turn(kindOf(call.uid))(write);
  const found = await context.inventory.find(kindOf(call.uid), `${path.namespace}/${path.name}`);
  return found === undefined ? notFound(plural, path.name ?? "") : answer(200, found);
}

function notFound(kind: string, name: string): KubeAnswer {
  return refuse({ code: 404, reason: "NotFound", message: `${kind} "${name}" not found` }, { plural: kind, name });
}

async function list({ uid }: ClusterCall, { namespace }: ConfigMapPath, { inventory }: KubeContext) {
  const all = await inventory.list(kindOf(uid));
  const items = all.filter(({ metadata }) => {
    return namespace === undefined || (metadata as { namespace: string }).namespace === namespace;
  });
  return answer(200, { kind: "ConfigMapList", apiVersion: "v1", metadata: { resourceVersion: "1" }, items });
}

interface WrittenPlace {
  readonly namespace: string;
  readonly name?: string | undefined;
}

async function change(call: ClusterCall, { namespace, name: named }: WrittenPlace, context: KubeContext) {
  const { inventory } = context;
  const { method, uid } = call;
  const kind = kindOf(uid);
  const present = named === undefined ? undefined : await inventory.find(kind, `${namespace}/${named}`);
  if (named !== undefined && present === undefined) return notFound(plural, named);
  if (method === "DELETE") {
    await inventory.remove(kind, `${namespace}/${named}`);
    return answer(200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" });
  }
  const parsed = ConfigMap.safeParse(method === "PATCH" ? applyMerge(present, call.body) : call.body);
  if (!parsed.success) return invalid(parsed.error.issues[0]);
  const { name } = parsed.data.metadata;
  if (named !== undefined && name !== named) return invalid({ path: ["metadata", "name"], message: "cannot change" });
  const refused = named === undefined ? await refuseNew({ kind, namespace, name }, context) : undefined;
  if (refused !== undefined) return refused;
  const written = objectOf(parsed.data, { namespace, present }, context);
  await inventory.put(kind, `${namespace}/${name}`, written);
  return answer(named === undefined ? 201 : 200, written);
}

function invalid(issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): KubeAnswer {
  const field = issue?.path.map(String).join(".") ?? "";
  const message = `ConfigMap is invalid: ${field}: ${issue?.message ?? "cannot be read"}`;
  return refuse({ code: 422, reason: "Invalid", message, field }, { plural });
}

interface NewConfigMap {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

async function refuseNew({ kind, namespace, name }: NewConfigMap, { inventory }: KubeContext) {
  if ((await inventory.find(kind, `${namespace}/${name}`)) !== undefined) {
    const message = `${plural} "${name}" already exists`;
    return refuse({ code: 409, reason: "AlreadyExists", message }, { plural, name });
  }
  if ((await inventory.list(kind)).length < most) return undefined;
  const message = `configmaps "${name}" is forbidden: exceeded quota: the embedded cluster holds ${most} of them`;
  return refuse({ code: 403, reason: "Forbidden", message }, { plural, name });
}

interface WrittenOver {
  readonly namespace: string;
  readonly present: Resource | undefined;
}

function objectOf({ metadata, ...fields }: ConfigMap, { namespace, present }: WrittenOver, context: KubeContext) {
  const former = (present?.metadata ?? {}) as { uid?: string; creationTimestamp?: string; resourceVersion?: string };
  const own = {
    namespace,
    uid: former.uid ?? newUuid(context),
    creationTimestamp: former.creationTimestamp ?? nowOf(context),
    resourceVersion: String(Number(former.resourceVersion ?? 0) + 1),
  };
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { ...metadata, ...own }, ...fields };
}

/** Forgets what a cluster holds: it goes with the cluster. */
export async function clearCluster(uid: string, { inventory }: Pick<KubeContext, "inventory">): Promise<void> {
  for (const { metadata } of await inventory.list(kindOf(uid))) {
    const { namespace, name } = metadata as { namespace: string; name: string };
    await inventory.remove(kindOf(uid), `${namespace}/${name}`);
  }
}
