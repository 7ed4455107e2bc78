/** A thing of the infrastructure, as far as the drawing needs it. The services leave the shape of theirs open. */
export interface Thing {
  readonly id: string;
  readonly name?: string | undefined;
  readonly status?: string | undefined;
  readonly project_id?: string | undefined;
}

/** A port: where a router, a server or a load balancer is on a network. */
export interface Port {
  readonly project_id?: string | undefined;
  readonly network_id?: string | undefined;
  readonly device_id?: string | undefined;
}

/** A server with its networks by name. */
export interface ServerThing extends Thing {
  readonly addresses?: Readonly<Record<string, unknown>> | undefined;
}

/** A volume with the servers that it is attached to. */
export interface VolumeThing extends Thing {
  readonly attachments?: readonly { readonly server_id?: string | undefined }[] | undefined;
}

/** A load balancer with the network of its address. */
export interface BalancerThing extends Thing {
  readonly vip_network_id?: string | undefined;
}

/** What is drawn. */
export interface Infrastructure {
  readonly routers: readonly Thing[];
  readonly networks: readonly Thing[];
  readonly ports: readonly Port[];
  readonly servers: readonly ServerThing[];
  readonly balancers: readonly BalancerThing[];
  readonly volumes: readonly VolumeThing[];
}

export const kinds = ["router", "network", "server", "balancer", "volume"] as const;
/** What a node stands for. */
export type NodeKind = (typeof kinds)[number];

/** The column of each kind, from the outside in. */
const columns: Readonly<Record<NodeKind, number>> = { router: 0, network: 1, balancer: 2, server: 2, volume: 3 };

/** A node with its place in the grid. */
export interface TopologyNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly name: string;
  readonly status: string;
  readonly column: number;
  readonly row: number;
}

/** The drawing of one project. Edges name nodes of it by their position in `nodes`. */
export interface Topology {
  readonly nodes: readonly TopologyNode[];
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** Rows of the longest column. */
  readonly height: number;
}

/**
 * Returns the drawing of a project's infrastructure. A line stands for what the services say: a port, an address, an attachment. What
 * they do not connect stays unconnected.
 */
export function topologyOf(all: Infrastructure, projectId: string): Topology {
  const isOwn = ({ project_id }: { readonly project_id?: string | undefined }) => project_id === projectId;
  const [routers, networks, balancers] = [all.routers, all.networks, all.balancers].map((list) => list.filter(isOwn));
  const servers = all.servers.filter(isOwn);
  const volumes = all.volumes.filter(isOwn);
  const nodes = place([
    ...(routers ?? []).map((one) => nodeOf("router", one)),
    ...(networks ?? []).map((one) => nodeOf("network", one)),
    ...(balancers ?? []).map((one) => nodeOf("balancer", one)),
    ...servers.map((one) => nodeOf("server", one)),
    ...volumes.map((one) => nodeOf("volume", one)),
  ]);
  const pairs = [
    ...all.ports.map(({ network_id, device_id }) => [network_id, device_id] as const),
    ...all.balancers.map(({ vip_network_id, id }) => [vip_network_id, id] as const),
    ...servers.flatMap(({ id, addresses = {} }) =>
      Object.keys(addresses).flatMap((name) =>
        (networks ?? []).filter((one) => one.name === name).map((one) => [one.id, id] as const),
      ),
    ),
    ...volumes.flatMap(({ id, attachments = [] }) => attachments.map(({ server_id }) => [server_id, id] as const)),
  ];
  const height = Math.max(0, ...nodes.map(({ row }) => row + 1));
  return { nodes, edges: edgesOf(nodes, pairs), height };
}

type Unplaced = Omit<TopologyNode, "row">;

function nodeOf(kind: NodeKind, { id, name, status }: Thing): Unplaced {
  return { id, kind, name: name || id, status: status ?? "", column: columns[kind] };
}

/** Puts each node below those that came before it in its column. */
function place(nodes: readonly Unplaced[]): readonly TopologyNode[] {
  const filled = new Map<number, number>();
  return nodes.map((node) => {
    const row = filled.get(node.column) ?? 0;
    filled.set(node.column, row + 1);
    return { ...node, row };
  });
}

/** The lines between nodes that are both there, each once, from the outer to the inner one. */
function edgesOf(
  nodes: readonly TopologyNode[],
  pairs: readonly (readonly [string | undefined, string | undefined])[],
): Topology["edges"] {
  const at = new Map(nodes.map(({ id }, position) => [id, position]));
  const found = new Map<string, readonly [number, number]>();
  for (const [one, other] of pairs) {
    const ends = [at.get(one ?? ""), at.get(other ?? "")];
    const [from, to] = ends;
    if (from === undefined || to === undefined || from === to) continue;
    const isInward = (nodes[from]?.column ?? 0) <= (nodes[to]?.column ?? 0);
    const edge = isInward ? ([from, to] as const) : ([to, from] as const);
    found.set(edge.join(), edge);
  }
  return [...found.values()];
}
