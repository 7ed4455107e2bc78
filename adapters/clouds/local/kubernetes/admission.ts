import { z } from "zod";
import { compareVersions, ProfileSpec } from "../../shared/clusters/profiles.ts";
import type { KubeRefusal, StoredKubeObject } from "./kube-objects.ts";

/** Purposes that a cluster may have. */
const purposes = ["evaluation", "testing", "development", "production"];

const named = z.looseObject({ name: z.string() });

/** What of a cluster is compared with its cloud profile. */
const ShootSpec = z.looseObject({
  region: z.string().optional(),
  purpose: z.string().optional(),
  kubernetes: z.looseObject({ version: z.string().optional() }).optional(),
  provider: z
    .looseObject({
      workers: z
        .array(
          z.looseObject({
            name: z.string(),
            machine: z.looseObject({
              type: z.string(),
              image: z.looseObject({ name: z.string(), version: z.string().optional() }).optional(),
            }),
            zones: z.array(z.string()).optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});
type ShootSpec = z.output<typeof ShootSpec>;

/** A cluster that is made or changed, the cloud profile that it names, and what it was before. */
export interface ShootReview {
  readonly shoot: StoredKubeObject;
  readonly former?: StoredKubeObject | undefined;
  readonly profile: StoredKubeObject | undefined;
  readonly now: number;
}

/** Says what Gardener would refuse of a cluster: values that its cloud profile does not have, with those that it has; else nothing. */
export function reviewShoot({ shoot, former, profile, now }: ShootReview): KubeRefusal | undefined {
  const spec = ShootSpec.parse(shoot.spec ?? {});
  const known = ProfileSpec.safeParse(profile?.spec).data;
  if (known === undefined) return forbid("spec.cloudProfileName", "could not find the cloud profile");
  const before = former === undefined ? undefined : ShootSpec.parse(former.spec ?? {});
  return (
    reviewPurpose(spec) ??
    reviewVersion({ spec, before, known, now }) ??
    reviewRegion(spec, known) ??
    reviewWorkers(spec, known)
  );
}

function forbid(field: string, what: string): KubeRefusal {
  return { code: 403, reason: "Forbidden", message: `shoot is forbidden: ${field}: ${what}`, field };
}

function unsupported(field: string, value: string, allowed: readonly string[]): KubeRefusal {
  return forbid(
    field,
    `Unsupported value: "${value}": supported values: ${allowed.map((one) => `"${one}"`).join(", ")}`,
  );
}

function reviewPurpose({ purpose }: ShootSpec): KubeRefusal | undefined {
  if (purpose === undefined || purposes.includes(purpose)) return undefined;
  const { message } = unsupported("spec.purpose", purpose, purposes);
  return { code: 422, reason: "Invalid", message, field: "spec.purpose" };
}

interface VersionReview {
  readonly spec: ShootSpec;
  readonly before: ShootSpec | undefined;
  readonly known: ProfileSpec;
  readonly now: number;
}

/** A version that has expired is left where it is, and taken by nobody else; none goes back. */
function reviewVersion({ spec, before, known, now }: VersionReview): KubeRefusal | undefined {
  const field = "spec.kubernetes.version";
  const version = spec.kubernetes?.version ?? "";
  const present = before?.kubernetes?.version;
  if (version === present) return undefined;
  if (present !== undefined && compareVersions(version, present) < 0) {
    const message = `shoot is invalid: ${field}: Forbidden: kubernetes version downgrade is not supported`;
    return { code: 422, reason: "Invalid", message, field };
  }
  const isGood = ({ expirationDate }: { expirationDate?: string | undefined }) =>
    expirationDate === undefined || Date.parse(expirationDate) > now;
  const versions = (known.kubernetes?.versions ?? []).filter(isGood).map((one) => one.version);
  return versions.includes(version) ? undefined : unsupported(field, version, versions);
}

function reviewRegion({ region = "" }: ShootSpec, { regions = [] }: ProfileSpec): KubeRefusal | undefined {
  const names = regions.map(({ name }) => name);
  return names.includes(region) ? undefined : unsupported("spec.region", region, names);
}

function namesOf(list: unknown, field: "name" | "version" = "name"): string[] {
  const shape = field === "name" ? named : z.looseObject({ version: z.string() });
  const parsed = z.array(shape).safeParse(list);
  return parsed.success ? parsed.data.map((one) => String(one[field])) : [];
}

function reviewWorkers({ region, provider }: ShootSpec, known: ProfileSpec): KubeRefusal | undefined {
  const workers = provider?.workers ?? [];
  if (workers.length === 0) return forbid("spec.provider.workers", "must have at least one worker group");
  const types = (known.machineTypes ?? []).filter(({ usable }) => usable !== false).map(({ name }) => name);
  const zones = namesOf(known.regions?.find(({ name }) => name === region)?.zones);
  for (const [at, { machine, zones: filters = [] }] of workers.entries()) {
    const field = `spec.provider.workers[${at}]`;
    if (!types.includes(machine.type)) return unsupported(`${field}.machine.type`, machine.type, types);
    const zone = filters.find((one) => !zones.includes(one));
    if (zone !== undefined) return unsupported(`${field}.zones`, zone, zones);
    const refused = machine.image && reviewImage(`${field}.machine.image`, machine.image, known);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

interface ShootImage {
  readonly name: string;
  readonly version?: string | undefined;
}

// The field is part of the words.
function reviewImage(
  field: string,
  { name, version }: ShootImage,
  { machineImages = [] }: ProfileSpec,
): KubeRefusal | undefined {
  const image = machineImages.find((one) => one.name === name);
  if (image === undefined) return unsupported(`${field}.name`, name, namesOf(machineImages));
  const versions = namesOf(image.versions, "version");
  if (version === undefined || versions.includes(version)) return undefined;
  return unsupported(`${field}.version`, version, versions);
}
