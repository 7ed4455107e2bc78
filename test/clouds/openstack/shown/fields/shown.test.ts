import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { iaasOf } from "../../../../../adapters/clouds/openstack/iaas.ts";
import {
  balancerFields,
  networkFields,
  serverFields,
  volumeFields,
} from "../../../../../adapters/clouds/openstack/shown/fields.ts";
import type { FieldList } from "../../../../../adapters/clouds/openstack/shown/narrow.ts";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { callAt } from "../../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../../portal-kinds.ts";
import { scripted } from "../../../support/openstack/scripted.ts";

const at = "2026-11-20T12:00:00.000Z";
const customer = { reseller: "r1", client_id: "c1" };
const project = { id: "p1", ...customer, user_id: null, region: "eu-1", created_at: at, updated_at: at };

type Json = Record<string, unknown>;

/** A cloud that answers every list with the same things, under whichever key the list has. */
async function opened(bodies: Readonly<Record<string, unknown>>, place: typeof customer | Record<string, never>) {
  const { records } = withPortalKinds(memoryStore());
  await records.put("cloud_project", project, 0);
  const { site, requests } = scripted(({ url }) => {
    const { pathname } = new URL(url);
    const last =
      pathname
        .replace(/\/detail$/, "")
        .split("/")
        .at(-1)
        ?.replaceAll("-", "_") ?? "";
    if (pathname.endsWith("/projects/p1")) return { body: { project: { id: "p1", name: "shop", enabled: true } } };
    return { body: bodies[last] === undefined ? { [last]: [] } : { [last]: bodies[last] } };
  });
  return { iaas: iaasOf(site), call: callAt(records, place), requests };
}

/** What no customer may see, in the places where a service could put it. */
const leak = "leak-of-the-provider";
const anyLeak = fc.constantFrom<unknown>(leak, { host: leak }, [{ host: leak }], [[leak]], { deep: { host: leak } });
const anyNested = fc.constantFrom<unknown>({ host: leak }, [{ host: leak }], [[leak]], { deep: { host: leak } });
const anyName = fc.oneof(
  fc.constantFrom("binding:host_id", "binding:profile", "provider:segmentation_id", "os-vol-host-attr:host"),
  fc.constantFrom("os-vol-mig-status-attr:migstat", "OS-EXT-SRV-ATTR:host", "segments", "host", "host_name"),
  fc.constantFrom("fail_reason", "service_uuid", "__proto__", "constructor"),
  fc.string({ minLength: 1, maxLength: 12 }),
);

/** A thing with the fields of a list, any of them in another shape than it should have, and with fields that the list does not have. */
function anyThing(fields: FieldList, own: Json): fc.Arbitrary<Json> {
  const listed = Object.entries(fields).map(([name, field]) => [name, anyField(field)] as const);
  const strange = fc.dictionary(
    anyName.filter((name) => !Object.hasOwn(fields, name)),
    anyLeak,
    { maxKeys: 6 },
  );
  return fc
    .tuple(fc.record(Object.fromEntries(listed), { requiredKeys: [] }), strange)
    .map(([known, more]) => ({ ...known, ...more, ...own }));
}

function anyField(field: FieldList[string]): fc.Arbitrary<unknown> {
  if (field === "plain") return fc.oneof(fc.constantFrom("shown", 7, true, null, ["shown"]), anyNested);
  if (field === "map") return fc.oneof(fc.constant({ mine: "shown" }), fc.record({ mine: anyNested }));
  const part = anyThing(field, {});
  return fc.oneof(part, fc.array(part, { maxLength: 2 }), fc.constant(null));
}

/** The kinds of a list: our key, the key of the service, and what makes a thing the project's. */
const owned = { project_id: "p1" };
const lists = [
  ["networks", "floating_ips", "floatingips", networkFields.floating_ips, owned],
  ["networks", "networks", "networks", networkFields.networks, owned],
  ["networks", "ports", "ports", networkFields.ports, owned],
  ["networks", "routers", "routers", networkFields.routers, owned],
  ["networks", "security_groups", "security_groups", networkFields.security_groups, owned],
  ["networks", "security_groups_rules", "security_group_rules", networkFields.security_groups_rules, owned],
  ["loadBalancers", "healthmonitors", "healthmonitors", balancerFields.healthmonitors, owned],
  ["loadBalancers", "l7policies", "l7policies", balancerFields.l7policies, owned],
  ["loadBalancers", "listeners", "listeners", balancerFields.listeners, owned],
  ["loadBalancers", "loadbalancers", "loadbalancers", balancerFields.loadbalancers, owned],
  ["loadBalancers", "pools", "pools", balancerFields.pools, owned],
  ["volumes", "volumes", "volumes", volumeFields.volumes, { "os-vol-tenant-attr:tenant_id": "p1" }],
  ["volumes", "snapshots", "snapshots", volumeFields.snapshots, { "os-extended-snapshot-attributes:project_id": "p1" }],
  ["volumes", "backups", "backups", volumeFields.backups, { "os-backup-project-attr:project_id": "p1" }],
] as const;

describe("what a customer sees of its infrastructure", () => {
  it.each(lists)("%s, %s: no field outside the list, whatever the service sends", async (...list) => {
    const [row, ours, theirs, fields, own] = list;
    await fc.assert(
      fc.asyncProperty(anyThing(fields, { id: "x1", ...own }), async (thing) => {
        const { iaas, call } = await opened({ [theirs]: [thing] }, customer);
        const answer = (await iaas[row]({}, call)) as unknown as Record<string, Json[]>;
        expect(answer[ours]).toHaveLength(1);
        expect(answer[ours]?.[0]).toMatchObject({ id: "x1", ...own });
        expect(JSON.stringify(answer)).not.toContain(leak);
        expect(Object.keys(answer[ours]?.[0] ?? {}).every((name) => Object.hasOwn(fields, name))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("servers: what hangs on them is narrowed as well", async () => {
    const anyPart = fc.record({
      flavor: anyThing(serverFields.flavor, { original_name: "m1" }),
      image: anyThing(serverFields.image, { id: "i1" }),
      addresses: fc.array(anyThing(serverFields.address, { addr: "10.0.0.1" })).map((list) => ({ net: list })),
    });
    await fc.assert(
      fc.asyncProperty(anyPart, fc.dictionary(anyName, anyLeak), async (parts, strange) => {
        const server = { ...strange, id: "s1", name: "web", status: "ACTIVE", tenant_id: "p1", ...parts };
        const safe = Object.fromEntries(Object.entries(server).filter(([name]) => name !== "metadata"));
        const { iaas, call } = await opened({ servers: [safe] }, customer);
        const [shown] = await iaas.servers({}, call);
        expect(shown).toMatchObject({ id: "s1", flavor: { original_name: "m1" }, image: { id: "i1" } });
        expect(JSON.stringify(shown)).not.toContain(leak);
      }),
      { numRuns: 60 },
    );
  });

  it("the provider sees all of it", async () => {
    const port = { id: "x1", project_id: "p1", "binding:host_id": "compute-7", "provider:anything": { a: 1 } };
    const { iaas, call } = await opened({ ports: [port] }, {});
    expect((await iaas.networks({}, call)).ports).toEqual([port]);
  });

  it("lists hold networks of others only where these are shared or lead outside, each once", async () => {
    const network = (id: string, more: Json) => ({ id, name: id, project_id: "other", ...more });
    const networks = [
      network("own", { project_id: "p1", shared: true }),
      network("shared", { shared: true, "provider:physical_network": "rack-7" }),
      network("external", { "router:external": true }),
      network("foreign", { shared: false, "router:external": false }),
    ];
    const { iaas, call, requests } = await opened({ networks }, customer);
    const shown = (await iaas.networks({}, call)).networks as Json[];
    expect(shown.map(({ id }) => id).toSorted()).toEqual(["external", "own", "shared"]);
    expect(JSON.stringify(shown)).not.toContain("rack-7");
    const asked = requests.filter(({ url }) => url.includes("/networks?")).map(({ url }) => new URL(url).search);
    expect(asked).toEqual([
      expect.stringContaining("project_id=p1"),
      expect.stringContaining("shared=true"),
      expect.stringContaining("router%3Aexternal=true"),
    ]);
  });

  it("private volume types are shown to the projects that may use them, without what names back ends", async () => {
    const specs = { volume_backend_name: "ceph-7", multiattach: "<is> True" };
    const volume_types = [
      { id: "t1", name: "open", is_public: true, extra_specs: specs, qos_specs_id: "q1" },
      { id: "t2", name: "private", is_public: false, extra_specs: specs, qos_specs_id: "q1" },
    ];
    const { records } = withPortalKinds(memoryStore());
    await records.put("cloud_project", project, 0);
    const typesFor = async (project_id: string, place: typeof customer | Record<string, never> = customer) => {
      const { site } = scripted(({ url }) =>
        url.includes("/os-volume-type-access")
          ? { body: { volume_type_access: [{ volume_type_id: "t2", project_id }] } }
          : { body: { volume_types } },
      );
      return iaasOf(site).volumeTypes({}, callAt(records, place));
    };
    const shown = { is_public: true, extra_specs: { multiattach: "<is> True" }, qos_specs_id: null };
    expect(await typesFor("another")).toEqual([{ id: "t1", name: "open", ...shown }]);
    expect((await typesFor("p1")).map(({ name }) => name)).toEqual(["open", "private"]);
    expect(await typesFor("another", {})).toMatchObject([
      { extra_specs: specs, qos_specs_id: "q1" },
      { name: "private" },
    ]);
  });
});
