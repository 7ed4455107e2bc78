import { useEffect, useState } from "preact/hooks";
import type { AnswerOf } from "../../../../src/operations/calls.ts";
import type { Areas } from "../../../../src/operations/portal/table.ts";
import { api, rowOf } from "../../api/client.ts";
import { freshFor, useQuery } from "../../api/query.ts";
import { isPermitted } from "../../api/session.ts";
import type { BalancerThing, Port, ServerThing, Thing, VolumeThing } from "./topology.ts";

/** Words of services for what is on its way to another state. */
const passing = new Set([
  "build",
  "creating",
  "deleting",
  "attaching",
  "detaching",
  "downloading",
  "reserved",
  "reboot",
]);

/** True where a thing will be in another state soon. */
export function isPassing({ status = "" }: Pick<Thing, "status">): boolean {
  return passing.has(status.toLowerCase());
}

/** Milliseconds between two reads: fewer while something is on its way. */
function usePace<Read extends { readonly value: readonly Thing[] | undefined }>(read: (everyMs: number) => Read): Read {
  const [isBusy, setBusy] = useState(false);
  const query = read(isBusy ? 2_000 : 15_000);
  const isNowBusy = (query.value ?? []).some(isPassing);
  useEffect(() => setBusy(isNowBusy), [isNowBusy]);
  return query;
}

/** The servers that the caller sees. */
export function useServers() {
  return usePace((everyMs) =>
    useQuery({
      key: ["iaas.servers"],
      read: (signal) => api.iaas.servers({}, signal),
      isEnabled: isPermitted(rowOf("iaas.servers")[2]),
      everyMs,
    }),
  );
}

/** The projects that the caller sees. */
export function useProjects() {
  return useQuery({
    key: ["iaas.projects"],
    read: (signal) => api.iaas.projects({}, signal),
    isEnabled: isPermitted(rowOf("iaas.projects")[2]),
    staleMs: freshFor.catalogue,
  });
}

type Project = AnswerOf<Areas["iaas"]["projects"]>[number];

/** The projects in which something can be made: not those that are being deleted, or are left of a deletion or a failed creation. */
export function usableProjects(projects: readonly Project[] | undefined): (readonly [id: string, name: string])[] {
  return (projects ?? []).flatMap(({ id, name, state }) => (state === undefined ? [[id, name] as const] : []));
}

/** A volume, as far as it is read here. */
export interface Volume extends VolumeThing {
  readonly size?: number;
  readonly volume_type?: string;
  readonly availability_zone?: string;
  readonly created_at?: string;
  readonly encrypted?: boolean;
  readonly bootable?: string;
  /** The project, as the service calls it. */
  readonly "os-vol-tenant-attr:tenant_id"?: string;
}

/** The volumes that the caller sees, each with its project. */
export function useVolumes() {
  return usePace((everyMs) =>
    useQuery({
      key: ["iaas.volumes", "list"],
      read: async (signal) => {
        const { volumes } = await api.iaas.volumes({}, signal);
        // seam: the specification leaves the shape of a volume open
        return (volumes as readonly Volume[]).map((one) => ({
          ...one,
          project_id: one["os-vol-tenant-attr:tenant_id"],
        }));
      },
      isEnabled: isPermitted(rowOf("iaas.volumes")[2]),
      everyMs,
    }),
  );
}

/** Something on a network, with whatever fields its service gives it. */
export type NetworkThing = Thing & Readonly<Record<string, unknown>>;

/** Networks and their parts, as lists. */
export interface NetworkLists {
  readonly networks: readonly NetworkThing[];
  readonly routers: readonly NetworkThing[];
  readonly ports: readonly (Port & NetworkThing)[];
  readonly floating_ips: readonly NetworkThing[];
  readonly security_groups: readonly NetworkThing[];
}

/** The networks that the caller sees. */
export function useNetworks() {
  return useQuery({
    key: ["iaas.networks"],
    read: async (signal) => (await api.iaas.networks({}, signal)) as unknown as NetworkLists, // seam: the shape is open
    isEnabled: isPermitted(rowOf("iaas.networks")[2]),
  });
}

/** The load balancers that the caller sees. */
export function useBalancers() {
  return useQuery({
    key: ["iaas.loadBalancers"],
    read: async (signal) =>
      (await api.iaas.loadBalancers({}, signal)).loadbalancers as readonly (BalancerThing & NetworkThing)[],
    isEnabled: isPermitted(rowOf("iaas.loadBalancers")[2]),
  });
}

/** The networks of a server by name, each with its addresses. */
export function addressesOf({ addresses = {} }: ServerThing): string {
  const lines = Object.entries(addresses).map(([network, list]) => {
    const all = Array.isArray(list) ? list.map((one) => String((one as { addr?: unknown }).addr ?? "")) : [];
    return `${network}: ${all.filter(Boolean).join(", ") || "–"}`;
  });
  return lines.join(" · ");
}
