import { randomUUID } from "node:crypto";
import type { Inventory, Resource } from "../../../adapters/clouds/local/index.ts";
import type { Furniture } from "./iaas-inventory.ts";

/** What the comment of {@link Furniture} lists, by the kind of its list. */
function furnitureOf(project_id: string, suffix: string): Readonly<Record<string, readonly Resource[]>> {
  const mine = { project_id };
  const pool = randomUUID();
  const policy = randomUUID();
  const group = randomUUID();
  const active = { ...mine, provisioning_status: "ACTIVE" };
  const flavor = { original_name: `flavor-${suffix}`, vcpus: 1, ram: 512, disk: 1 };
  const rule = { ...mine, security_group_id: group, direction: "egress", protocol: null };
  const port = { ...mine, admin_state_up: true };
  const size = { size: 1, status: "available" };
  return {
    servers: [
      {
        name: `server-${suffix}`,
        status: "ACTIVE",
        tenant_id: project_id,
        metadata: { suite: "yes" },
        flavor,
        image: "",
      },
    ],
    networks: [
      {
        ...mine,
        name: `network-${suffix}`,
        status: "ACTIVE",
        admin_state_up: true,
        shared: false,
        "router:external": false,
      },
      {
        project_id: randomUUID().replaceAll("-", ""),
        name: `external-${suffix}`,
        status: "ACTIVE",
        admin_state_up: true,
        shared: false,
        "router:external": true,
      },
    ],
    subnets: [{ ...mine, cidr: "10.7.0.0/24" }],
    ports: ["compute:nova", "network:router_interface"].map((device_owner) => ({ ...port, device_owner })),
    routers: [{ ...mine, name: `router-${suffix}`, status: "ACTIVE", admin_state_up: true }],
    floatingips: [{ ...mine, status: "DOWN" }],
    security_groups: [{ ...mine, id: group, name: `group-${suffix}` }],
    security_group_rules: ["IPv4", "IPv6"].map((ethertype) => ({ ...rule, ethertype })),
    loadbalancers: [{ ...active, name: `balancer-${suffix}`, admin_state_up: true }],
    listeners: [{ ...active, name: `listener-${suffix}`, protocol: "HTTP", protocol_port: 80 }],
    pools: [{ ...active, id: pool, name: `pool-${suffix}`, protocol: "HTTP", lb_algorithm: "ROUND_ROBIN" }],
    members: [{ ...active, pool_id: pool, address: "10.7.0.9", protocol_port: 80, weight: 1 }],
    healthmonitors: [{ ...active, type: "HTTP", delay: 5, timeout: 3, max_retries: 2 }],
    l7policies: [{ ...active, id: policy, action: "REJECT", position: 1 }],
    l7rules: [{ ...active, l7policy_id: policy, type: "PATH", compare_type: "STARTS_WITH", value: "/x" }],
    volume_types: [{ name: `type-${suffix}`, is_public: false, extra_specs: {} }],
    volumes: [
      {
        ...size,
        name: `volume-${suffix}`,
        volume_type: `type-${suffix}`,
        bootable: "false",
        encrypted: false,
        "os-vol-tenant-attr:tenant_id": project_id,
      },
    ],
    snapshots: [{ ...size, name: `snapshot-${suffix}`, "os-extended-snapshot-attributes:project_id": project_id }],
    backups: [
      { ...size, name: `backup-${suffix}`, is_incremental: false, "os-backup-project-attr:project_id": project_id },
    ],
  };
}

/** Fills and empties projects of an embedded cloud, by its inventory. */
export function localFurniture(inventory: Inventory, suffix: string): Furniture {
  const made: [kind: string, id: string][] = [];
  return {
    async furnish(projectId) {
      for (const [kind, things] of Object.entries(furnitureOf(projectId, suffix))) {
        for (const thing of things) {
          const id = String(thing.id ?? randomUUID());
          await inventory.put(kind, id, { ...thing, id });
          made.push([kind, id]);
        }
      }
    },
    async clear() {
      for (const [kind, id] of made.splice(0)) await inventory.remove(kind, id);
    },
  };
}
