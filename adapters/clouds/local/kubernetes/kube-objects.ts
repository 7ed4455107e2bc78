import type { KubeAnswer } from "../../gardener/index.ts";

/** The API group and version of Gardener's own kinds. */
export const coreApi = "core.gardener.cloud/v1beta1";

/** An object as the Kubernetes API writes it. */
export interface StoredKubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** The key of an object in the inventory. */
export function objectId(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

/** A parsed path: `/apis/core.gardener.cloud/v1beta1/namespaces/garden-a/shoots/web/adminkubeconfig`. */
export interface KubePath {
  readonly plural: string;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** Plurals that the API serves. */
const served = [
  "namespaces",
  "secrets",
  "projects",
  "shoots",
  "cloudprofiles",
  "secretbindings",
  "credentialsbindings",
];

/** What a path asks for; nothing for a path that is not served. */
export function readPath(path: string): KubePath | undefined {
  const [bare = ""] = path.split("?");
  const parts = bare.replace(/^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\//, "").split("/");
  const isNamespaced = parts[0] === "namespaces" && parts.length > 2;
  const [plural = "", name, subresource] = isNamespaced ? parts.slice(2) : parts;
  if (!served.includes(plural)) return undefined;
  return { plural, namespace: isNamespaced ? parts[1] : undefined, name, subresource };
}

/** A refusal of the Kubernetes API: status code, reason and words. */
export interface KubeRefusal {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** The field that is wrong. */
  readonly field?: string | undefined;
}

export function answer(status: number, body: unknown): KubeAnswer {
  return { status, body: JSON.stringify(body) };
}

/** A refusal as a `Status`. */
export function refuse({ code, reason, message, field }: KubeRefusal, { plural, name }: KubePath): KubeAnswer {
  const causes = field === undefined ? {} : { causes: [{ reason: "FieldValueInvalid", message, field }] };
  const details = { ...(name === undefined ? {} : { name }), kind: plural, ...causes };
  return answer(code, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason,
    details,
    code,
  });
}

/** What is said of a deletion that is done. */
export function deleted({ plural, name }: KubePath, uid: string | undefined): KubeAnswer {
  const details = { name, kind: plural, uid };
  return answer(200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details });
}
