import { afterAll, describe, expect, it } from "vitest";
import type { ServiceName } from "../../../adapters/clouds/openstack/client/apis.ts";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { type CloudContext, openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import { useServer } from "../support/servers.ts";
import { openstackFurniture } from "./furniture-openstack.ts";
import { adminOptions, openstackSubject } from "./iaas-openstack.ts";

const server = useServer("openstack");
const signal = new AbortController().signal;
const ends: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const end of ends.reverse()) await end();
}, 240_000);

/** Every field of things, with those of what hangs on them: `attachments.device`. Keys of maps are the customer's own. */
function fieldsOf(things: readonly unknown[], maps: readonly string[], prefix = ""): Set<string> {
  const found = new Set<string>();
  for (const thing of things) {
    if (typeof thing !== "object" || thing === null) continue;
    for (const [name, value] of Object.entries(thing)) {
      const path = `${prefix}${name}`;
      found.add(path);
      if (maps.includes(path)) continue;
      const below = Array.isArray(value) ? value : [value];
      for (const field of fieldsOf(below, maps, `${path}.`)) found.add(field);
    }
  }
  return found;
}

const maps = ["metadata", "volume_image_metadata", "insert_headers", "extra_specs", "addresses", "flavor.extra_specs"];
/** Fields of the portal's own in each list: what the specification names otherwise, and the tenant. */
const ours: Readonly<Record<string, readonly string[]>> = {
  servers: ["client", "host_id", "project_id", "project_name", "reseller"],
  backups: ["os-backup-project-attr:project_id"],
  volume_types: ["qos_specs_id"], // null to customers
};

/**
 * Fields that a member reads and the portal leaves out. Of servers and volume types the specification names the fields that there are;
 * `links` are addresses of the services, `tenant_id` stands beside `project_id`, the others are of the provider's machines.
 */
const left: Readonly<Record<string, readonly string[]>> = {
  servers: [
    ...["OS-DCF:diskConfig", "OS-EXT-AZ:availability_zone", "OS-EXT-STS:power_state", "OS-EXT-STS:task_state"],
    ...["OS-EXT-STS:vm_state", "OS-SRV-USG:launched_at", "OS-SRV-USG:terminated_at", "accessIPv4", "accessIPv6"],
    ...["config_drive", "description", "flavor.extra_specs", "hostId", "image.links", "key_name", "links", "locked"],
    ...["locked_reason", "os-extended-volumes:volumes_attached", "progress", "security_groups", "tags", "tenant_id"],
    "trusted_image_certificates",
  ],
  ports: ["binding:vnic_type"],
  security_groups: ["security_group_rules.standard_attr_id"],
  volumes: ["links", "service_uuid", "shared_targets"],
  backups: ["fail_reason", "links"],
  volume_types: ["os-volume-type-access:is_public"],
};

const without = (one: Iterable<string>, other: Iterable<string>) => {
  const taken = new Set(other);
  return [...one].filter((name) => !taken.has(name)).sort();
};
const idsOf = (things: readonly Wire[]) => things.map(({ id }) => String(id)).sort();
const isBelow = (path: string, names: readonly string[] = []) =>
  names.some((name) => path === name || path.startsWith(`${name}.`));

interface MemberList {
  readonly service: ServiceName;
  readonly path: readonly string[];
  readonly key: string;
}

/** Which list of a service a member would read for each list of the portal. */
const lists: Readonly<Record<string, Readonly<Record<string, MemberList>>>> = {
  servers: { servers: { service: "compute", path: ["servers", "detail"], key: "servers" } },
  networks: {
    floating_ips: { service: "network", path: ["floatingips"], key: "floatingips" },
    networks: { service: "network", path: ["networks"], key: "networks" },
    ports: { service: "network", path: ["ports"], key: "ports" },
    routers: { service: "network", path: ["routers"], key: "routers" },
    security_groups: { service: "network", path: ["security-groups"], key: "security_groups" },
    security_groups_rules: { service: "network", path: ["security-group-rules"], key: "security_group_rules" },
  },
  loadBalancers: Object.fromEntries(
    ["healthmonitors", "l7policies", "listeners", "loadbalancers", "pools"].map((key) => [
      key,
      { service: "loadBalancer", path: [key], key } as const,
    ]),
  ),
  volumes: Object.fromEntries(
    ["volumes", "snapshots", "backups"].map((key) => [key, { service: "volume", path: [key, "detail"], key } as const]),
  ),
  volumeTypes: { volume_types: { service: "volume", path: ["types"], key: "volume_types" } },
};

/** A member of the project, made by the administrator. */
async function openMember(admin: CloudContext, projectId: string, suffix: string): Promise<CloudContext> {
  const name = `member-${suffix}`;
  const password = `pw-${suffix}`;
  await admin.run({ signal }, async (deadline) => {
    const { cloud } = admin;
    const body = { user: { name, password, domain_id: "default" } };
    const made = await cloud.ask({ service: "identity", method: "POST", path: ["users"], body }, deadline);
    const user = String((made.user as Wire).id);
    ends.push(() =>
      admin.run({ signal }, (later) =>
        cloud.find({ service: "identity", method: "DELETE", path: ["users", user] }, later),
      ),
    );
    const roles = await cloud.list({ service: "identity", path: ["roles"], key: "roles" }, deadline);
    for (const { id } of roles.filter((role) => ["member", "load-balancer_member"].includes(String(role.name)))) {
      const path = ["projects", projectId, "users", user, "roles", String(id)];
      await cloud.ask({ service: "identity", method: "PUT", path }, deadline);
    }
  });
  const options = { ...admin.options, credentials: { username: name, password }, scope: { projectId } };
  const member = openCloudContext(options);
  ends.push(() => member.close());
  return member;
}

/** Members of pools and rules of policies, which Octavia lists by what they hang on. */
function nestedOf(member: CloudContext): Promise<Record<"members" | "l7rules", Wire[]>> {
  return member.run({ signal }, async (deadline) => {
    const { cloud } = member;
    const list = (path: readonly string[], key: string) => cloud.list({ service: "loadBalancer", path, key }, deadline);
    const below = async (parents: string, key: string) => {
      const all = (await list([parents], parents)).map(({ id }) => list([parents, String(id), key], key));
      return (await Promise.all(all)).flat();
    };
    return { members: await below("pools", "members"), l7rules: await below("l7policies", "rules") };
  });
}

describe("a customer's sight of a project", () => {
  it("is that of a member of the project: the same things, no field more, and none less but those named here", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const options = adminOptions(server.settings);
    const admin = openCloudContext(options);
    ends.push(() => admin.close());
    const subject = openstackSubject({ ...options, quotaProfiles: { suite: {} } });
    ends.push(() => subject.cloud.close());
    const { project } = await subject.cloud.iaas.createProject(
      { name: `seen-${subject.suffix}`, quota_profile: "suite" },
      subject.owner,
    );
    const projectId = String(project.id);
    ends.push(async () => subject.cloud.iaas.deleteProject({ project_id: projectId }, subject.owner));
    const furniture = openstackFurniture(options, subject.suffix);
    ends.push(async () => {
      await furniture.clear(projectId);
      await furniture.close();
    });
    await furniture.furnish(projectId);
    const member = await openMember(admin, projectId, subject.suffix);
    for (const [operation, kinds] of Object.entries(lists)) {
      const read = subject.cloud.iaas[operation as "servers"] as unknown as (
        input: object,
        call: object,
      ) => Promise<unknown>;
      const answer = await read({}, subject.owner);
      for (const [kind, list] of Object.entries(kinds)) {
        const shown = (Array.isArray(answer) ? answer : (answer as Wire)[kind]) as Wire[];
        const seen = await member.run({ signal }, (deadline) => member.cloud.list(list, deadline));
        expect([kind, idsOf(shown)]).toEqual([kind, idsOf(seen)]);
        const [fields, theirs] = [fieldsOf(shown, maps), fieldsOf(seen, maps)];
        expect([kind, without(fields, [...theirs, ...(ours[kind] ?? [])])]).toEqual([kind, []]);
        const less = without(theirs, fields).filter((path) => !isBelow(path, left[kind]));
        expect([kind, less]).toEqual([kind, []]);
        expect(shown.length).toBeGreaterThan(0);
      }
    }
    const nested = await nestedOf(member);
    const balancers = (await subject.cloud.iaas.loadBalancers({}, subject.owner)) as unknown as Record<string, Wire[]>;
    for (const [kind, seen] of Object.entries(nested)) {
      const shown = balancers[kind] ?? [];
      expect([kind, idsOf(shown), [...fieldsOf(shown, [])].sort()]).toEqual([
        kind,
        idsOf(seen),
        [...fieldsOf(seen, [])].sort(),
      ]);
    }
    const { availabilityZoneInfo } = await member.run({ signal }, (deadline) =>
      member.cloud.ask({ service: "compute", path: ["os-availability-zone"] }, deadline),
    );
    const zones = (availabilityZoneInfo as Wire[]).map(({ zoneName }) => zoneName);
    const shownZones = await subject.cloud.iaas.availabilityZones({}, subject.owner);
    expect(shownZones.map(({ zoneName }) => zoneName)).toEqual(zones.sort());
  }, 240_000);

  it("comes in pages of Nova and Glance, which together are the whole list", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const options = adminOptions(server.settings);
    const admin = openCloudContext(options);
    const { cloud, provider, suffix } = openstackSubject(options);
    ends.push(() => Promise.all([admin.close(), cloud.close()]));
    const flavor = { name: `pages-${suffix}`, id: `pages-${suffix}`, ram: 512, vcpus: 1, disk: 0 };
    await admin.run({ signal }, async (deadline) => {
      const post = async (service: "image" | "compute", path: string, body: Wire) => {
        const answer = await admin.cloud.ask({ service, method: "POST", path: [path], body }, deadline);
        const { id } = service === "image" ? answer : (Object.values(answer)[0] as Wire);
        const remove = { service, method: "DELETE", path: [path, String(id)] } as const;
        ends.push(() => admin.run({ signal }, (later) => admin.cloud.find(remove, later)));
        return String(id);
      };
      await post("compute", "flavors", { flavor });
      const images = [1, 2, 3].map((number) => {
        return post("image", "images", {
          name: `pages-${suffix}-${number}`,
          disk_format: "raw",
          container_format: "bare",
        });
      });
      const [imageRef = ""] = await Promise.all(images);
      const file = { service: "image", method: "PUT", path: ["images", imageRef, "file"] } as const;
      const headers = { "content-type": "application/octet-stream" };
      await admin.cloud.ask({ ...file, headers, body: "x".repeat(1_024) }, deadline);
      for (const number of [1, 2, 3]) {
        const wish = { name: `pages-${suffix}-${number}`, imageRef, flavorRef: flavor.id, networks: "none" };
        const id = await post("compute", "servers", { server: wish });
        const path = ["servers", id];
        const isBuilt = async () =>
          ((await admin.cloud.ask({ service: "compute", path }, deadline)).server as Wire).status === "ACTIVE";
        while (!(await isBuilt())) await deadline.sleep(200); // Nova may leave out of a page what it has not scheduled yet
      }
    });
    for (const kind of ["servers", "images"] as const) {
      const whole = (await cloud.iaas[kind]({}, provider)).map(({ id }) => id);
      const found: string[] = [];
      let after: string | undefined;
      let pages = 0;
      do {
        const page = { limit: 2, ...(after === undefined ? {} : { after }) };
        after = undefined;
        const showNext = (next: string | undefined) => {
          after = next;
          pages += 1;
        };
        found.push(...(await cloud.iaas[kind]({}, { ...provider, page, showNext })).map(({ id }) => id));
      } while (after !== undefined);
      expect(whole.length).toBeGreaterThan(2);
      expect([kind, found, pages]).toEqual([kind, whole, Math.ceil(whole.length / 2)]);
    }
  }, 120_000);
});
