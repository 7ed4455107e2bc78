import type { KubeObject } from "./client/kubernetes.ts";
import { type ObjectPath, resources } from "./client/resources.ts";

/** Annotations that repeat a whole object, secrets included, and are of no use to callers. */
const hiddenAnnotations = ["kubectl.kubernetes.io/last-applied-configuration"];

/** An object as callers read it: without who wrote which field, and without copies of itself. */
export function shown({ metadata, spec, status }: KubeObject) {
  return {
    metadata: shownMetadata(metadata),
    ...(spec === undefined ? {} : { spec }),
    ...(status === undefined ? {} : { status }),
  };
}

/** The metadata of an object as callers read it. */
export function shownMetadata({ managedFields: _, annotations, ...metadata }: KubeObject["metadata"]) {
  if (annotations === undefined) return metadata;
  const stored = Object.entries(annotations).filter(([name]) => !hiddenAnnotations.includes(name));
  return stored.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(stored) };
}

/** What is said of a deletion: Kubernetes' own `Status`, also where it answers with an object that goes only later. */
export function deletionStatus(answer: unknown, { resource, name }: ObjectPath) {
  const { details, uid } = readDeletion(answer);
  const { api, kind, plural } = resources[resource];
  const group = api.includes("/") ? { group: api.split("/")[0] } : {};
  const own = {
    name,
    ...group,
    kind: details ? plural : kind.toLowerCase().concat("s"),
    ...(uid === undefined ? {} : { uid }),
  };
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", details: details ?? own };
}

interface Deletion {
  readonly kind?: string;
  readonly details?: Record<string, unknown>;
  readonly metadata?: { readonly uid?: string };
}

function readDeletion(answer: unknown): { details: Record<string, unknown> | undefined; uid: string | undefined } {
  const { kind, details, metadata } = (answer ?? {}) as Deletion; // seam: JSON of a server; fields are looked at one by one
  return { details: kind === "Status" && typeof details === "object" ? details : undefined, uid: metadata?.uid };
}
