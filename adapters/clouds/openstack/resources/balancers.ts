import { GatewayError } from "../../../../src/engine/errors.ts";
import type { AreaBackend } from "../../../../src/portal/regions.ts";
import { idOf, objectOf, textOf, withoutNothing } from "../client/from-wire.ts";
import type { CloudContext } from "../cloud-context.ts";
import { type ResourceCall, readLoadBalancer, scopeOfProject } from "./owned.ts";

type BalancerCalls = Pick<Required<AreaBackend<"iaas">>, "createLoadBalancer" | "deleteLoadBalancer">;

/** Octavia's load balancers. They are made and deleted with the portal's own token: a plain member's is refused. */
export function balancerCalls(cloudContext: CloudContext): BalancerCalls {
  const { cloud } = cloudContext;
  return {
    createLoadBalancer: ({ project_id, name, network_id, description }, call) =>
      cloudContext.run(call, async (deadline) => {
        await scopeOfProject(cloudContext, project_id, { call, deadline });
        await checkNetwork(cloudContext, { project_id, network_id }, { call, deadline });
        const loadbalancer = withoutNothing({ project_id, name, description, vip_network_id: network_id });
        const request = { service: "loadBalancer", method: "POST", path: ["loadbalancers"] } as const;
        const made = objectOf((await cloud.ask({ ...request, body: { loadbalancer } }, deadline)).loadbalancer);
        return { id: idOf(made?.id), status: textOf(made?.provisioning_status) ?? "PENDING_CREATE" };
      }),
    deleteLoadBalancer: ({ loadbalancer_id }, call) =>
      cloudContext.run(call, async (deadline) => {
        await readLoadBalancer(cloudContext, loadbalancer_id, { call, deadline });
        const path = ["loadbalancers", loadbalancer_id];
        const query = { cascade: "true" };
        await cloud.ask({ service: "loadBalancer", method: "DELETE", path, query }, deadline);
        return undefined;
      }),
  };
}

interface NetworkOfProject {
  readonly project_id: string;
  readonly network_id: string;
}

/** The address of a balancer lies in a network of its project, or in one that is shared with all. */
async function checkNetwork(
  { cloud }: CloudContext,
  { project_id, network_id }: NetworkOfProject,
  { deadline }: ResourceCall,
): Promise<void> {
  const path = ["networks", network_id];
  const network = objectOf((await cloud.find({ service: "network", path }, deadline))?.network);
  if (network !== undefined && (idOf(network.project_id) === project_id || network.shared === true)) return;
  const message = `\`network_id\`: the project has no network \`${network_id}\`.`;
  throw new GatewayError("invalid_request", message, { param: "network_id" });
}
