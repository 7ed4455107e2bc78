import { z } from "zod";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { InputOf } from "../../../../src/operations/calls.ts";
import type { clusters } from "../../../../src/operations/portal/infrastructure/clusters.ts";
import { compareVersions } from "./profiles.ts";
import { defaultWorkerName, newWorker } from "./workers.ts";

const extension = "openstack.provider.extensions.gardener.cloud/v1alpha1";

/** What a cloud profile's `providerConfig` says of OpenStack. */
const ProviderConfig = z.looseObject({
  constraints: z
    .looseObject({
      floatingPools: z
        .array(
          z.looseObject({ name: z.string(), region: z.string().optional(), nonConstraining: z.boolean().optional() }),
        )
        .optional(),
      loadBalancerProviders: z.array(z.looseObject({ name: z.string(), region: z.string().optional() })).optional(),
    })
    .optional(),
});

/** What every cluster is made with beside what the caller says. */
export interface ShootDefaults {
  /** The kind of infrastructure; `openstack` unless given. */
  readonly providerType?: string | undefined;
  /** Network plugin when the caller names none; `calico` unless given. */
  readonly networkType?: string | undefined;
  /** The pool of floating addresses; unless given, the first that the cloud profile has for the region. */
  readonly floatingPool?: string | undefined;
  /** Who makes load balancers; unless given, the first of the cloud profile, else `octavia`. */
  readonly loadBalancerProvider?: string | undefined;
  /** Addresses of the workers; `10.250.0.0/16` unless given. */
  readonly workerNetwork?: string | undefined;
}

/** The binding that a cluster names: which one, and of which kind. */
export interface ShootBinding {
  readonly name: string;
  /** The newer kind, which clusters name in another field. */
  readonly isCredentialsBinding: boolean;
}

/** All that the specification of a new cluster is made from. */
export interface ShootPlan {
  readonly input: InputOf<typeof clusters.createShoot>;
  readonly binding: ShootBinding;
  /** `spec.providerConfig` of the cloud profile. */
  readonly providerConfig: unknown;
  readonly defaults: ShootDefaults;
}

/** From this version on Gardener wants the newer names of fields. */
const newerFields = "1.34";

/** The specification of a new cluster: what the caller says, and what Gardener needs beside it. */
export function shootSpec({ input, binding, providerConfig, defaults }: ShootPlan) {
  const { kubernetes_version: version, purpose, region, network_type } = input;
  const workerNetwork = defaults.workerNetwork ?? "10.250.0.0/16";
  return {
    ...profileField(input.cloud_profile_name, version),
    ...bindingField(binding, version),
    region,
    purpose,
    kubernetes: { version },
    networking: { type: network_type ?? defaults.networkType ?? "calico", nodes: workerNetwork },
    provider: {
      type: defaults.providerType ?? "openstack",
      ...openstackConfig({ providerConfig, defaults, region, workerNetwork }),
      workers: [newWorker(defaultWorkerName, input)],
    },
  };
}

function isNewer(version: string): boolean {
  return compareVersions(version, newerFields) >= 0;
}

function profileField(name: string, version: string) {
  return isNewer(version) ? { cloudProfile: { kind: "CloudProfile", name } } : { cloudProfileName: name };
}

/** The field by which a cluster names its binding. Throws `invalid_request` for an old binding and a Kubernetes that knows none. */
export function bindingField({ name, isCredentialsBinding }: ShootBinding, version: string) {
  if (isCredentialsBinding) return { credentialsBindingName: name };
  if (!isNewer(version)) return { secretBindingName: name };
  const message = `Kubernetes ${version} takes no SecretBinding: \`secret_binding_name\` must name a CredentialsBinding.`;
  throw new GatewayError("invalid_request", message, { param: "secret_binding_name" });
}

interface ShootContext {
  readonly providerConfig: unknown;
  readonly defaults: ShootDefaults;
  readonly region: string;
  readonly workerNetwork: string;
}

function openstackConfig({ providerConfig, defaults, region, workerNetwork }: ShootContext) {
  if ((defaults.providerType ?? "openstack") !== "openstack") return {};
  const { floatingPools = [], loadBalancerProviders = [] } =
    ProviderConfig.safeParse(providerConfig).data?.constraints ?? {};
  const fits = (one: { readonly region?: string | undefined }) => one.region === undefined || one.region === region;
  const inRegion = (one: { readonly region?: string | undefined }) => one.region === region;
  const pool = defaults.floatingPool ?? (floatingPools.find(inRegion) ?? floatingPools.find(fits))?.name;
  if (pool === undefined) {
    const message = `The cloud profile names no floating pool for the region ${region}: set \`shoots.floatingPool\` of the back end.`;
    throw new GatewayError("invalid_configuration", message, { param: "shoots.floatingPool" });
  }
  const listed = loadBalancerProviders.find(inRegion) ?? loadBalancerProviders.find(fits);
  const loadBalancerProvider = defaults.loadBalancerProvider ?? listed?.name ?? "octavia";
  return {
    infrastructureConfig: {
      apiVersion: extension,
      kind: "InfrastructureConfig",
      floatingPoolName: pool,
      networks: { workers: workerNetwork },
    },
    controlPlaneConfig: { apiVersion: extension, kind: "ControlPlaneConfig", loadBalancerProvider },
  };
}
