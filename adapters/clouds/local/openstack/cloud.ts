import { isGatewayError } from "../../../../src/engine/errors.ts";
import type { ServiceName } from "../../openstack/client/apis.ts";
import type { Cloud, CloudRequest, Wire } from "../../openstack/client/cloud.ts";
import { refusalError } from "../../openstack/client/faults.ts";
import type { CloudApi, ServiceContext } from "../endpoint.ts";
import { identity } from "./identity.ts";
import { inventoryService } from "./lists.ts";

/** The services of the embedded cloud; what is asked of them, and how their answers are read, is what OpenStack is asked. */
const services: Readonly<Record<ServiceName, CloudApi>> = {
  identity,
  compute: inventoryService("compute"),
  volume: inventoryService("volume"),
  network: inventoryService("network"),
  loadBalancer: inventoryService("loadBalancer"),
  dns: inventoryService("dns"),
  image: inventoryService("image"),
};

/** The administrator whom the portal is. */
const session = {
  token: "",
  project: undefined,
  user: { id: "tollgate", domainId: "default" },
  isAdmin: true,
  catalog: [],
  renewAt: Number.POSITIVE_INFINITY,
};

/** The embedded cloud as OpenStack's own operations ask a cloud: no sockets, no tokens, everything in the store. */
export function localCloud(context: ServiceContext, opened: () => Promise<void>): Cloud {
  const inTurn = context.turn("cloud");
  const serve = async ({
    service,
    method = "GET",
    path,
    query = {},
    body,
    isSecret,
    scope,
  }: CloudRequest): Promise<Wire> => {
    await opened();
    const sent = JSON.parse(JSON.stringify(body ?? {})) as Wire;
    const request = {
      method,
      path,
      query,
      body: sent,
      project: scope && "projectId" in scope ? scope.projectId : undefined,
    };
    const run = () => services[service](request, context);
    const answer = await (method === "GET" ? run() : inTurn(run)); // writes look at names first: one at a time
    if (answer.status < 400) return (answer.body ?? {}) as Wire;
    const wire = { status: answer.status, headers: {}, body: JSON.stringify(answer.body) };
    throw refusalError({ service, answer: wire, isSecret });
  };
  return {
    ask: serve,
    async find(request) {
      try {
        return await serve(request);
      } catch (thrown) {
        if (isGatewayError(thrown) && thrown.code === "not_found") return undefined;
        throw thrown;
      }
    },
    list: async ({ key, ...request }) => ((await serve(request))[key] ?? []) as Wire[],
    has: async () => true,
    session: async () => session,
    canEnter: async () => true,
  };
}
