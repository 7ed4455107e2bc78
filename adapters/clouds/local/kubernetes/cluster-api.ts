import { parseJson } from "../../../shared/http/fault.ts";
import type { KubeAnswer } from "../../gardener/index.ts";
import type { ClusterCall, ClusterRequest } from "./cluster-call.ts";
import { configMaps } from "./cluster-objects.ts";
import { namespacesOf, nodesOf, podsOf } from "./cluster-views.ts";
import { answer, refuse } from "./kube-objects.ts";
import { type KubeContext, readStored } from "./kube-store.ts";
import { readToken } from "./kubeconfig.ts";
import { shootAt } from "./lifecycle.ts";

const reads = ["GET", "HEAD"];

/**
 * Answers for the API of an embedded cluster: version, discovery, namespaces, nodes, pods and config maps. A kubeconfig's token decides:
 * the admin's may write, the viewer's may only read (403), any other one is refused (401), as is every token of a cluster that is not there.
 */
export async function serveCluster(request: ClusterRequest, context: KubeContext): Promise<KubeAnswer> {
  const [bare = "", query = ""] = request.address.split("?");
  const [, namespace = "", name = "", ...path] = bare.split("/");
  const target = { plural: "shoots", namespace, name };
  const stored = await readStored(target, context);
  const now = context.clock.now();
  const uid = stored?.metadata.uid ?? "";
  const token = /^Bearer +(\S+)$/i.exec(request.authorization ?? "")?.[1] ?? "";
  const holder = readToken(token, { key: context.signingKey, uid, now });
  const state = stored && shootAt(stored, now);
  if (holder === undefined || state === undefined)
    return refuse({ code: 401, reason: "Unauthorized", message: "Unauthorized" }, { plural: "" });
  const plural = path.at(-1) ?? "";
  if (!state.hasApiServer || (state.object.status as { hibernated?: boolean }).hibernated === true) {
    const message = "the API server of the cluster does not run at the moment";
    return refuse({ code: 503, reason: "ServiceUnavailable", message }, { plural });
  }
  const { method } = request;
  if (!reads.includes(method) && !holder.canWrite) {
    const message = `User "${holder.name}" cannot ${method.toLowerCase()} at the path "/${path.join("/")}"`;
    return refuse({ code: 403, reason: "Forbidden", message }, { plural });
  }
  if (new URLSearchParams(query).get("watch") !== null) {
    const message = "the embedded cluster sends no watches: list again";
    return refuse({ code: 405, reason: "MethodNotAllowed", message }, { plural });
  }
  const text = reads.includes(method) ? "" : await request.body();
  if (text === undefined)
    return refuse({ code: 413, reason: "RequestEntityTooLarge", message: "the object is too long" }, { plural });
  const call = { state, uid, method, path, body: parseJson(text) };
  return (await answerCall(call, context)) ?? refuse(nowhere, { plural });
}

const nowhere = { code: 404, reason: "NotFound", message: "the server could not find the requested resource" };

async function answerCall(call: ClusterCall, context: KubeContext): Promise<KubeAnswer | undefined> {
  const [root = "", version, ...rest] = call.path;
  if (root !== "api" || version === undefined) return answerRoot(call);
  if (version !== "v1") return undefined;
  if (rest.length === 0) return answer(200, resourceList);
  const plural = rest[0] === "namespaces" && rest.length > 2 ? rest[2] : rest[0];
  if (plural === "configmaps") return configMaps(call, context);
  if (!reads.includes(call.method))
    return refuse({ code: 405, reason: "MethodNotAllowed", message: `${plural} can only be read` }, { plural: "" });
  const namespace = rest[0] === "namespaces" && rest.length > 2 ? rest[1] : undefined;
  const name = namespace === undefined ? rest[1] : rest[3];
  const kinds: Readonly<Record<string, { kind: string; items: () => readonly ClusterObject[] }>> = {
    namespaces: { kind: "Namespace", items: () => namespacesOf(call) },
    nodes: { kind: "Node", items: () => nodesOf(call) },
    pods: { kind: "Pod", items: () => podsOf(call) },
  };
  const asked = Object.hasOwn(kinds, plural ?? "") ? kinds[plural ?? ""] : undefined;
  if (asked === undefined) return undefined;
  const items = asked.items().filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
  if (name === undefined)
    return answer(200, { kind: `${asked.kind}List`, apiVersion: "v1", metadata: { resourceVersion: "1" }, items });
  const found = items.find(({ metadata }) => metadata.name === name);
  const message = `${plural} "${name}" not found`;
  return found
    ? answer(200, found)
    : refuse({ code: 404, reason: "NotFound", message }, { plural: plural ?? "", name });
}

/** An object of a cluster as its API writes it. */
export interface ClusterObject {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function answerRoot({ state, method, path }: ClusterCall): KubeAnswer | undefined {
  if (!reads.includes(method)) return undefined;
  const { kubernetes } = state.object.spec as { kubernetes?: { version?: string } };
  const gitVersion = `v${kubernetes?.version ?? "0.0.0"}`;
  const [major = "", minor = ""] = gitVersion.slice(1).split(".");
  const answers: Readonly<Record<string, unknown>> = {
    version: { major, minor, gitVersion, platform: "linux/amd64" },
    api: { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] },
    apis: { kind: "APIGroupList", apiVersion: "v1", groups: [] },
  };
  const address = path.join("/");
  const asked = Object.hasOwn(answers, address) ? answers[address] : undefined;
  if (asked !== undefined) return answer(200, asked);
  return ["healthz", "livez", "readyz"].includes(address) ? { status: 200, body: "ok" } : undefined;
}

const resource = (name: string, kind: string, verbs: readonly string[]) => {
  return { name, singularName: kind.toLowerCase(), namespaced: !/^n/.test(name), kind, verbs };
};

const resourceList = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "v1",
  resources: [
    resource("configmaps", "ConfigMap", ["create", "delete", "get", "list", "patch", "update"]),
    resource("namespaces", "Namespace", ["get", "list"]),
    resource("nodes", "Node", ["get", "list"]),
    resource("pods", "Pod", ["get", "list"]),
  ],
};
