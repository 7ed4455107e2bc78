import { hrefOf } from "../../app/router.ts";
import { text } from "../../i18n/texts.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { StatusWord } from "./status.tsx";
import type { NodeKind, Topology, TopologyNode } from "./topology.ts";

const cell = { width: 230, height: 58, boxWidth: 180, boxHeight: 42 } as const;
const columnCount = 4;

const icons: Readonly<Record<NodeKind, IconName>> = {
  router: "route",
  network: "network",
  balancer: "layers",
  server: "server",
  volume: "disk",
};

/** The screen of a node; routers and load balancers are in the lists of the same screen. */
const placeOf = ({ kind, id }: TopologyNode): string =>
  kind === "server"
    ? hrefOf(`servers/${id}`)
    : kind === "volume"
      ? hrefOf(`volumes/${id}`)
      : hrefOf("networks", { tab: `${kind}s` });

/** The drawing of a project, and the same as a list for those who do not see it. */
export function TopologyMap({ name, topology }: { readonly name: string; readonly topology: Topology }) {
  const { nodes, edges, height } = topology;
  const label = text("infra.map_of", { name });
  return (
    <>
      <section class="table-frame topology" aria-label={label} tabIndex={0}>
        <svg width={columnCount * cell.width - (cell.width - cell.boxWidth)} height={Math.max(1, height) * cell.height}>
          <title>{label}</title>
          {edges.map(([from, to]) => (
            <path key={`${from}-${to}`} class="topology-line" d={lineOf(nodes[from], nodes[to])} />
          ))}
          {nodes.map((node) => (
            <NodeBox key={node.id} node={node} />
          ))}
        </svg>
      </section>
      <details>
        <summary>{text("infra.as_list")}</summary>
        <NodeList topology={topology} />
      </details>
    </>
  );
}

const leftOf = ({ column }: TopologyNode) => column * cell.width;
const middleOf = ({ row }: TopologyNode) => row * cell.height + cell.height / 2;

/** A curve from the right side of a node to the left side of another; within a column from side to side. */
function lineOf(from: TopologyNode | undefined, to: TopologyNode | undefined): string {
  if (!from || !to) return "";
  const start = leftOf(from) + cell.boxWidth;
  const end = from.column === to.column ? leftOf(to) + cell.boxWidth : leftOf(to);
  const bend = from.column === to.column ? start + 30 : (start + end) / 2;
  return `M${start},${middleOf(from)}C${bend},${middleOf(from)} ${bend},${middleOf(to)} ${end},${middleOf(to)}`;
}

/** Longer names are cut: the tooltip and the list have them whole. */
const longestName = 20;

function NodeBox({ node }: { readonly node: TopologyNode }) {
  const { name, kind, status } = node;
  const [x, y] = [leftOf(node), middleOf(node)];
  return (
    <a href={placeOf(node)} class="topology-node">
      <title>{[text(`infra.${kind}`), name, status].filter(Boolean).join(" · ")}</title>
      <rect x={x + 0.5} y={y - cell.boxHeight / 2} width={cell.boxWidth - 1} height={cell.boxHeight} rx="7" />
      <text x={x + 12} y={y - 3}>
        {name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name}
      </text>
      <text class="topology-sub" x={x + 12} y={y + 13}>
        {[text(`infra.${kind}`), status].filter(Boolean).join(" · ")}
      </text>
    </a>
  );
}

function NodeList({ topology: { nodes, edges } }: { readonly topology: Topology }) {
  return (
    <ul class="plan">
      {nodes.map((node, position) => {
        const to = edges.flatMap(([one, other]) => (one === position ? [nodes[other]?.name] : []));
        return (
          <li key={node.id}>
            <Icon name={icons[node.kind]} />
            <a href={placeOf(node)}>{node.name}</a>
            <StatusWord status={node.status} />
            {to.length > 0 && <span class="faint">{text("infra.leads_to", { names: to.join(", ") })}</span>}
          </li>
        );
      })}
    </ul>
  );
}
