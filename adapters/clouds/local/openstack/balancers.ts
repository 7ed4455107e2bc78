import {
  newUuid,
  nowOf,
  requestOf,
  type ServiceAnswer,
  type ServiceContext,
  type ServiceRequest,
} from "../endpoint.ts";
import { drawFault } from "../faults.ts";
import { onItsWay, type Resource } from "../inventory.ts";
import { findBalancerExceeded } from "./quotas.ts";

/** Milliseconds that changes take on the portal's clock. */
const durations = { build: 15_000, remove: 5_000 };

/** Octavia's field of what is being done with a balancer. */
const field = "provisioning_status";

/** Octavia's calls that make and delete load balancers; undefined for any other call. */
export async function serveBalancers(
  { method, path, body }: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceAnswer | undefined> {
  const [kind, id] = path;
  if (method === "GET" || kind !== "loadbalancers") return undefined;
  return id === undefined ? createBalancer(requestOf(body, "loadbalancer"), context) : deleteBalancer(id, context);
}

async function createBalancer(asked: Resource, context: ServiceContext): Promise<ServiceAnswer> {
  const { name, description = "", project_id, vip_network_id } = asked;
  const exceeded = await findBalancerExceeded(String(project_id), context);
  if (exceeded !== undefined) return fault(403, `Quota has been met for resources: ${exceeded}`);
  const taken = (await context.inventory.list("loadbalancers")).length;
  const balancer = {
    ...{ id: newUuid(context), name, description, project_id, admin_state_up: true, provider: "local" },
    ...{ vip_network_id, vip_address: `10.0.${Math.floor(taken / 200) % 256}.${20 + (taken % 200)}` },
    ...{
      listeners: [],
      pools: [],
      operating_status: "OFFLINE",
      created_at: nowOf(context),
      updated_at: nowOf(context),
    },
  };
  const isFailing = await drawFault(context);
  const end = isFailing ? { next: "ERROR" } : { next: "ACTIVE", nextFields: { operating_status: "ONLINE" } };
  const states = { field, status: "PENDING_CREATE", after: durations.build, now: context.clock.now(), ...end };
  await context.inventory.put("loadbalancers", balancer.id, onItsWay(balancer, states));
  return { status: 201, body: { loadbalancer: { ...balancer, [field]: "PENDING_CREATE" } } };
}

/** Listeners, pools and what hangs on them go with their balancer. */
async function deleteBalancer(id: string, context: ServiceContext): Promise<ServiceAnswer> {
  const { inventory, clock } = context;
  const balancer = await inventory.find("loadbalancers", id);
  if (balancer === undefined) return fault(404, `Load Balancer ${id} not found.`);
  if (String(balancer[field]).startsWith("PENDING"))
    return fault(409, `Load Balancer ${id} is immutable and cannot be updated.`);
  for (const kind of ["listeners", "pools"]) {
    for (const part of await inventory.list(kind))
      if (part.loadbalancer_id === id) await inventory.remove(kind, String(part.id));
  }
  const states = { field, status: "PENDING_DELETE", after: durations.remove, now: clock.now() };
  await inventory.put("loadbalancers", id, onItsWay(balancer, states));
  return { status: 204 };
}

function fault(status: number, faultstring: string): ServiceAnswer {
  return { status, body: { faultcode: "Client", faultstring, debuginfo: null } };
}
