import type { PortalCall } from "../../../src/portal/call/call.ts";
import type { AreaBackend } from "../../../src/portal/regions.ts";

/** A back end of clusters under test, and what a real installation would do around it. */
export interface ClusterSubject {
  readonly backend: AreaBackend<"clusters">;
  /** Unlike in every run: part of every name and id that a cloud keeps. */
  readonly suffix: string;
  /** A call by the provider, and one by a client who may see nothing of it. */
  readonly provider: PortalCall;
  readonly stranger: PortalCall;
  /** The cloud profile {@link cloudProfileSpec} under the name `cp-<suffix>`. */
  readonly profile: string;
  /** Makes the namespace of a new project, which Gardener's controllers do later than the project. */
  makeNamespace(name: string): Promise<void>;
}

/** The cloud profile that the suite is told with; seeded into every back end. */
export const cloudProfileSpec = {
  type: "openstack",
  kubernetes: {
    versions: [
      { version: "1.26.4", expirationDate: "2020-01-01T00:00:00Z" },
      { version: "1.27.5" },
      { version: "1.28.1", classification: "preview" },
    ],
  },
  machineImages: [{ name: "ubuntu", versions: [{ version: "22.4.0" }, { version: "22.4.1" }] }],
  machineTypes: [
    { name: "m1.large", architecture: "amd64", cpu: "4", gpu: "0", memory: "8Gi", usable: true },
    {
      name: "m1.small",
      cpu: "2",
      gpu: "0",
      memory: "4Gi",
      storage: { class: "standard", size: "20Gi", type: "default" },
    },
  ],
  regions: [{ name: "r1", zones: [{ name: "z1" }, { name: "z2" }] }],
  providerConfig: {
    apiVersion: "openstack.provider.extensions.gardener.cloud/v1alpha1",
    kind: "CloudProfileConfig",
    constraints: {
      floatingPools: [{ name: "elsewhere", region: "r9" }, { name: "public" }],
      loadBalancerProviders: [{ name: "amphora", region: "r9" }, { name: "octavia" }],
    },
  },
};
