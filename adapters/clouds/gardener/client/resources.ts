import { GatewayError } from "../../../../src/engine/errors.ts";

const gardener = "core.gardener.cloud/v1beta1";

/** The kinds of object that the portal works with: their API, their plural in paths, and what they are called in messages. */
export const resources = {
  project: { api: gardener, kind: "Project", plural: "projects", title: "cluster project" },
  shoot: { api: gardener, kind: "Shoot", plural: "shoots", title: "cluster" },
  cloudProfile: { api: gardener, kind: "CloudProfile", plural: "cloudprofiles", title: "cloud profile" },
  secretBinding: { api: gardener, kind: "SecretBinding", plural: "secretbindings", title: "secret binding" },
  credentialsBinding: {
    api: "security.gardener.cloud/v1alpha1",
    kind: "CredentialsBinding",
    plural: "credentialsbindings",
    title: "credentials binding",
  },
  secret: { api: "v1", kind: "Secret", plural: "secrets", title: "secret" },
} as const satisfies Record<string, { api: string; kind: string; plural: string; title: string }>;

/** A row of {@link resources}. */
export type ResourceName = keyof typeof resources;

/** An object, or all of a kind when it has no name; `namespace` is absent for what belongs to none, and for all of them. */
export interface ObjectPath {
  readonly resource: ResourceName;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

/** The path of an object or a list. A name that no object can have is `not_found`, and never part of a path. */
export function pathOf({ resource, namespace, name, subresource }: ObjectPath): string {
  const { api, plural } = resources[resource];
  const root = api === "v1" ? "/api/v1" : `/apis/${api}`;
  const within = namespace === undefined ? "" : `/namespaces/${segment(namespace, "namespace")}`;
  const own = name === undefined ? "" : `/${segment(name, resources[resource].title)}`;
  return `${root}${within}/${plural}${own}${subresource === undefined ? "" : `/${subresource}`}`;
}

function segment(name: string, title: string): string {
  if (name.length <= 253 && /^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/.test(name)) return name;
  throw new GatewayError("not_found", `There is no ${title} of this name.`);
}
