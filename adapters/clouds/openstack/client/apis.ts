import {
  type FaultShape,
  readDesignate,
  readGlance,
  readKeystone,
  readNamed,
  readNeutron,
  readOctavia,
} from "./fault-bodies.ts";

/** What is peculiar to one of OpenStack's services. */
interface ServiceRow {
  /** The name under which operators know it. */
  readonly title: string;
  /** Its names in the service catalogue, the newest first. */
  readonly types: readonly string[];
  /** What stands between the catalogue's address and our paths; catalogues differ in whether they have it already. */
  readonly version: string;
  /** The microversion that is asked for unless the options say otherwise. */
  readonly microversion?: { readonly name: "compute" | "volume"; readonly value: string };
  /** False where lists come whole and do not know `limit`. */
  readonly isPaged: boolean;
  readFault(body: unknown): FaultShape | undefined;
  /** Whether a refusal means that a quota is used up: each says so in its own way. */
  isOverQuota(status: number, fault: FaultShape): boolean;
}

function over(status: number, pattern: RegExp): ServiceRow["isOverQuota"] {
  return (got, { kind = "", message = "" }) => got === status && pattern.test(`${kind} ${message}`);
}

/** The services that are asked, with their wire's habits (portal-backends.md, sections 1 and 3). */
export const services = {
  identity: {
    title: "Keystone",
    types: ["identity"],
    version: "",
    isPaged: false,
    readFault: readKeystone,
    isOverQuota: () => false,
  },
  compute: {
    title: "Nova",
    types: ["compute"],
    version: "",
    microversion: { name: "compute", value: "2.87" },
    isPaged: true,
    readFault: readNamed,
    isOverQuota: over(403, /quota exceeded|exceeds quota/i),
  },
  volume: {
    title: "Cinder",
    types: ["block-storage", "volumev3", "volume"],
    version: "",
    microversion: { name: "volume", value: "3.64" },
    isPaged: true,
    readFault: readNamed,
    isOverQuota: over(413, /overLimit/),
  },
  network: {
    title: "Neutron",
    types: ["network"],
    version: "/v2.0",
    isPaged: true,
    readFault: readNeutron,
    isOverQuota: over(409, /^OverQuota /),
  },
  loadBalancer: {
    title: "Octavia",
    types: ["load-balancer"],
    version: "/v2.0/lbaas",
    isPaged: true,
    readFault: readOctavia,
    isOverQuota: over(403, /quota has been met/i),
  },
  dns: {
    title: "Designate",
    types: ["dns"],
    version: "/v2",
    isPaged: true,
    readFault: readDesignate,
    isOverQuota: over(413, /over_quota/),
  },
  image: {
    title: "Glance",
    types: ["image"],
    version: "/v2",
    isPaged: true,
    readFault: readGlance,
    isOverQuota: over(413, /quota|limit/i),
  },
} as const satisfies Record<string, ServiceRow>;

/** Our name of a service. */
export type ServiceName = keyof typeof services;

/** A service's row, with the optional columns visible. */
export function rowOf(service: ServiceName): ServiceRow {
  return services[service];
}
