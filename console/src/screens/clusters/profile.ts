import { api } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import type { OfferedVersion } from "./cluster.ts";

/** A cloud profile, as far as it is read here: what clusters can be made of. */
export interface CloudProfile {
  readonly name: string;
  readonly versions: readonly OfferedVersion[];
  readonly images: readonly { readonly name: string; readonly versions: readonly OfferedVersion[] }[];
  readonly machines: readonly MachineType[];
  readonly regions: readonly { readonly name: string; readonly zones: readonly string[] }[];
}

interface MachineType {
  readonly name: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly usable?: boolean;
}

interface ProfileSpec {
  readonly kubernetes?: { readonly versions?: readonly OfferedVersion[] };
  readonly machineImages?: CloudProfile["images"];
  readonly machineTypes?: readonly MachineType[];
  readonly regions?: readonly { readonly name: string; readonly zones?: readonly { readonly name: string }[] }[];
}

/** The cloud profiles of the region. */
export function useProfiles() {
  return useQuery({
    key: ["clusters.cloudProfiles"],
    read: async (signal) => (await api.clusters.cloudProfiles({}, signal)).map(toProfile),
    staleMs: freshFor.catalogue,
  });
}

function toProfile({
  metadata,
  spec,
}: {
  readonly metadata: object;
  readonly spec?: object | undefined;
}): CloudProfile {
  const { kubernetes, machineImages = [], machineTypes = [], regions = [] } = (spec ?? {}) as ProfileSpec; // seam: as the cluster API writes it
  return {
    name: String((metadata as { name?: unknown }).name ?? ""),
    versions: kubernetes?.versions ?? [],
    images: machineImages,
    machines: machineTypes.filter(({ usable }) => usable !== false),
    regions: regions.map(({ name, zones = [] }) => ({ name, zones: zones.map((zone) => zone.name) })),
  };
}

/** The machines of a profile as choices: their name with what they have. */
export function machineChoices({ machines }: Pick<CloudProfile, "machines">) {
  return machines.map(({ name, cpu, memory }) => [name, `${name} · ${cpu ?? "?"} CPU · ${memory ?? "?"}`] as const);
}

/** The images of a profile as choices, `name version`, the newest of each first. */
export function imageChoices({ images }: Pick<CloudProfile, "images">) {
  return images.flatMap(({ name, versions }) =>
    [...versions].reverse().map(({ version }) => [`${name} ${version}`, `${name} ${version}`] as const),
  );
}
