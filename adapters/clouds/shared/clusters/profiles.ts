import { z } from "zod";

const texts = z.array(z.unknown());
const quantity = z.union([z.string(), z.number()]).transform(String);

/** A version of Kubernetes in a cloud profile. */
const Version = z.looseObject({
  version: z.string(),
  expirationDate: z.string().optional(),
  classification: z.string().optional(),
});
type Version = z.output<typeof Version>;

/** What a cloud profile says of what clusters can be made of; fields that nobody here reads are left alone. */
export const ProfileSpec = z.looseObject({
  kubernetes: z.looseObject({ versions: z.array(Version).optional() }).optional(),
  machineImages: z.array(z.looseObject({ name: z.string(), versions: texts.optional() })).optional(),
  machineTypes: z
    .array(
      z.looseObject({
        name: z.string(),
        architecture: z.string().optional(),
        cpu: quantity,
        gpu: quantity,
        memory: quantity,
        storage: z.record(z.string(), z.unknown()).optional(),
        usable: z.boolean().optional(),
      }),
    )
    .optional(),
  regions: z.array(z.looseObject({ name: z.string(), zones: texts.optional() })).optional(),
});
export type ProfileSpec = z.output<typeof ProfileSpec>;

export function imagesOf({ machineImages = [] }: ProfileSpec) {
  return machineImages.map(({ name, versions = [] }) => ({ name, versions }));
}

export function regionsOf({ regions = [] }: ProfileSpec) {
  return regions.map(({ name, zones = [] }) => ({ name, zones }));
}

/** Machine types; what the profile leaves out is said, as Gardener would take it. */
export function machineTypesOf({ machineTypes = [] }: ProfileSpec) {
  return machineTypes.map(({ architecture = "amd64", cpu, gpu, memory, name, storage, usable = true }) => {
    return { architecture, cpu, gpu, memory, name, ...(storage === undefined ? {} : { storage }), usable };
  });
}

/** The versions of Kubernetes, and the one to take when nothing else matters: the newest that has not expired and is no preview. */
export function kubernetesVersionsOf({ kubernetes }: ProfileSpec, now: number) {
  const versions = kubernetes?.versions ?? [];
  const newestFirst = versions.toSorted((one, other) => compareVersions(other.version, one.version));
  const current = newestFirst.filter((version) => !isExpired(version, now));
  const chosen = current.find(({ classification }) => classification !== "preview") ?? current[0] ?? newestFirst[0];
  return { defaultVersion: chosen?.version ?? "", versions };
}

function isExpired({ expirationDate, classification }: Version, now: number): boolean {
  if (classification === "expired") return true;
  return expirationDate !== undefined && Date.parse(expirationDate) <= now;
}

/** Below 0 when the first version is the older one; compares number by number, `1.9` below `1.10`. */
export function compareVersions(one: string, other: string): number {
  const ours = numbersOf(one);
  const theirs = numbersOf(other);
  for (let n = 0; n < Math.max(ours.length, theirs.length); n++) {
    const difference = (ours[n] ?? 0) - (theirs[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function numbersOf(version: string): number[] {
  return (version.replace(/^v/, "").split(/[-+]/)[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);
}
