import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Infrastructure, topologyOf } from "../../../../console/src/screens/infrastructure/topology.ts";

const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "__proto__", "constructor");
const project_id = fc.constantFrom("shop", "other");
const thing = fc.record({ id, project_id, name: fc.constantFrom("", "net", "web"), status: fc.constant("ACTIVE") });
const list = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { maxLength: 6 });
const own = (prefix: string) =>
  fc
    .uniqueArray(thing, { maxLength: 5, selector: (one) => one.id })
    .map((all) => all.map((one) => ({ ...one, id: `${prefix}-${one.id}` })));
const anyId = fc.tuple(fc.constantFrom("r", "n", "s", "b", "v"), id).map((parts) => parts.join("-"));

const infrastructure: fc.Arbitrary<Infrastructure> = fc
  .record({ routers: own("r"), networks: own("n"), servers: own("s"), balancers: own("b"), volumes: own("v") })
  .chain((all) =>
    fc
      .record({
        ports: list(fc.record({ network_id: anyId, device_id: anyId })),
        attachments: list(fc.record({ server_id: anyId })),
      })
      .map(({ ports, attachments }) => ({
        ...all,
        ports,
        servers: all.servers.map((one) => ({ ...one, addresses: { net: [] } })),
        volumes: all.volumes.map((one) => ({ ...one, attachments })),
      })),
  );

describe("the topology of a project", () => {
  it("has what is the project's, each once, and no two in one place", () => {
    fc.assert(
      fc.property(infrastructure, (all) => {
        const { nodes, height } = topologyOf(all, "shop");
        const things = [...all.routers, ...all.networks, ...all.servers, ...all.balancers, ...all.volumes];
        const expected = things.filter((one) => one.project_id === "shop").map((one) => one.id);
        expect(nodes.map((node) => node.id).sort()).toEqual(expected.sort());
        const places = nodes.map(({ column, row }) => `${column}/${row}`);
        expect(new Set(places).size).toBe(places.length);
        expect(nodes.every(({ row }) => row < height)).toBe(true);
      }),
    );
  });

  it("draws each line once, inwards, and only what a port, an address or an attachment says", () => {
    fc.assert(
      fc.property(infrastructure, (all) => {
        const { nodes, edges } = topologyOf(all, "shop");
        expect(new Set(edges.map(String)).size).toBe(edges.length);
        for (const [from, to] of edges) {
          const [one, other] = [nodes[from], nodes[to]];
          if (!one || !other) throw new Error("a line leads nowhere");
          expect(one.column).toBeLessThanOrEqual(other.column);
          const ends = [one.id, other.id].sort().join();
          const isPort = all.ports.some((port) => [port.network_id, port.device_id].sort().join() === ends);
          const isAddress = one.kind === "network" && one.name === "net" && other.kind === "server";
          const attached = all.volumes.find((volume) => volume.id === other.id)?.attachments ?? [];
          const isAttachment = attached.some(({ server_id }) => server_id === one.id);
          expect(isPort || isAddress || isAttachment).toBe(true);
        }
      }),
    );
  });

  it("joins a server with the network of its address, and with its volume", () => {
    const { nodes, edges } = topologyOf(
      {
        ...{ routers: [], balancers: [], ports: [] },
        networks: [{ id: "n", name: "net", project_id: "shop" }],
        servers: [{ id: "s", name: "web", project_id: "shop", addresses: { net: [] } }],
        volumes: [{ id: "v", name: "", project_id: "shop", attachments: [{ server_id: "s" }] }],
      },
      "shop",
    );
    expect(nodes.map(({ name, column }) => [name, column])).toEqual([
      ["net", 1],
      ["web", 2],
      ["v", 3],
    ]);
    expect(edges).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });
});
