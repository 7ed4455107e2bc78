import { readFile, stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { PortalCall } from "../../../../src/portal/call/call.ts";
import { callAt, noon, stores } from "../../../portal/support/rig.ts";
import { openLocal } from "../../support/local.ts";

const client = { reseller: "acme", client_id: "c-1" };
const stranger = { reseller: "acme", client_id: "c-2" };
const signal = new AbortController().signal;

describe.each(stores)("servers and volumes of the embedded cloud pass through states: %s", (_name, open) => {
  async function rig() {
    const { records } = await open();
    let now = noon;
    const clock = { now: () => now, after: () => () => {} };
    const cloud = await openLocal({ records, clock, quotaProfiles: { tiny: { instances: 1, volumes: 1 } } });
    const owner: PortalCall = callAt(records, client);
    const { project } = await cloud.iaas.createProject({ name: "shop", quota_profile: "tiny" }, owner);
    const project_id = String(project.id);
    const pass = (seconds: number) => {
      now += seconds * 1_000;
    };
    const server = async (id: string) => (await cloud.iaas.servers({}, owner)).find((one) => one.id === id);
    const volume = async (id: string) => {
      const { volumes } = await cloud.iaas.volumes({}, owner);
      return (volumes as { id: string; status: string; attachments: unknown[] }[]).find((one) => one.id === id);
    };
    const make = async () => {
      const fields = { project_id, name: "web", flavor: "m1.small", image: "debian-13" };
      const made = await cloud.iaas.createServer(fields, owner);
      const disk = await cloud.iaas.createVolume({ project_id, name: "disk", size: 1 }, owner);
      return { server_id: made.id, volume_id: disk.id, status: made.status };
    };
    return { cloud, owner, records, project_id, pass, server, volume, make };
  }

  it("a server is built, stopped, started and deleted", async () => {
    const { cloud, owner, pass, server, make } = await rig();
    const { server_id, status } = await make();
    expect([status, (await server(server_id))?.status]).toEqual(["BUILD", "BUILD"]);
    await expect(cloud.iaas.stopServer({ server_id }, owner)).rejects.toMatchObject({ code: "conflict" });
    pass(8);
    expect(await server(server_id)).toMatchObject({ status: "ACTIVE", name: "web", flavor: { vcpus: 1 } });
    expect(JSON.stringify(await server(server_id))).not.toContain("tollgate:");
    await cloud.iaas.stopServer({ server_id }, owner);
    pass(4);
    expect((await server(server_id))?.status).toBe("SHUTOFF");
    await cloud.iaas.startServer({ server_id }, owner);
    pass(4);
    expect((await server(server_id))?.status).toBe("ACTIVE");
    await cloud.iaas.deleteServer({ server_id }, owner);
    expect((await server(server_id))?.status).toBe("DELETED");
    pass(4);
    expect(await server(server_id)).toBeUndefined();
    await expect(cloud.iaas.startServer({ server_id }, owner)).rejects.toMatchObject({ code: "not_found" });
  });

  it("a server fails where that was planned, and says why", async () => {
    const { cloud, owner, pass, server, project_id } = await rig();
    await cloud.planFaults({ seed: "a seed", one_in: 2 });
    const fields = { project_id, flavor: "m1.small", image: "debian-13" };
    const statuses: (string | undefined)[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      const { id } = await cloud.iaas.createServer({ ...fields, name: `web-${turn}` }, owner);
      expect(await server(id)).not.toHaveProperty("fault");
      pass(8);
      const built = await server(id);
      statuses.push(built?.status);
      if (built?.status === "ERROR") expect(built.fault).toMatchObject({ code: "no_capacity" });
      else expect(built).not.toHaveProperty("fault");
      await cloud.iaas.deleteServer({ server_id: id }, owner);
      pass(4);
    }
    expect(new Set(statuses)).toEqual(new Set(["ACTIVE", "ERROR"]));
  });

  it("a volume is made with its file, attached, detached and deleted with it", async () => {
    const { cloud, owner, pass, volume, make } = await rig();
    const { server_id, volume_id } = await make();
    expect((await volume(volume_id))?.status).toBe("creating");
    expect((await stat(cloud.volumes(volume_id))).size).toBe(2 ** 30);
    pass(8);
    await cloud.iaas.attachVolume({ volume_id, server_id }, owner);
    expect((await volume(volume_id))?.status).toBe("attaching");
    pass(2);
    expect(await volume(volume_id)).toMatchObject({ status: "in-use", attachments: [{ server_id }] });
    await expect(cloud.iaas.deleteVolume({ volume_id }, owner)).rejects.toMatchObject({ code: "conflict" });
    await expect(cloud.iaas.attachVolume({ volume_id, server_id }, owner)).rejects.toMatchObject({ code: "conflict" });
    await cloud.iaas.detachVolume({ volume_id, server_id }, owner);
    pass(2);
    expect(await volume(volume_id)).toMatchObject({ status: "available", attachments: [] });
    await expect(cloud.iaas.detachVolume({ volume_id, server_id }, owner)).rejects.toMatchObject({ code: "conflict" });
    await cloud.iaas.deleteVolume({ volume_id }, owner);
    expect((await volume(volume_id))?.status).toBe("deleting");
    pass(4);
    expect(await volume(volume_id)).toBeUndefined();
    await expect(readFile(cloud.volumes(volume_id))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("quotas hold, unknown names are refused, and a stranger finds nothing", async () => {
    const { cloud, owner, records, project_id, pass, make } = await rig();
    const { server_id, volume_id } = await make();
    await expect(make()).rejects.toMatchObject({ code: "quota_exceeded" });
    const disk = { project_id, name: "more", size: 1 };
    await expect(cloud.iaas.createVolume(disk, owner)).rejects.toMatchObject({ code: "quota_exceeded" });
    const odd = { project_id, name: "odd", flavor: "m1.small", image: "none" };
    await expect(cloud.iaas.createServer(odd, owner)).rejects.toMatchObject({ param: "image" });
    await expect(cloud.iaas.createServer({ ...odd, image: "debian-13", flavor: "none" }, owner)).rejects.toMatchObject({
      param: "flavor",
    });
    const other = callAt(records, stranger);
    const { iaas } = cloud;
    const calls = [iaas.deleteServer, iaas.startServer, iaas.deleteVolume, iaas.attachVolume, iaas.detachVolume];
    for (const call of calls)
      await expect(call({ server_id, volume_id }, other)).rejects.toMatchObject({ code: "not_found" });
    await expect(iaas.createVolume({ ...disk }, other)).rejects.toMatchObject({ code: "not_found" });
    const quotas = await iaas.projectQuotas({ project_id }, owner);
    expect(quotas).toContainEqual({ quota: "instances", limit: 1, used: 1 });
    await iaas.deleteServer({ server_id }, owner);
    pass(4);
    expect(await iaas.projectQuotas({ project_id }, owner)).toContainEqual({ quota: "instances", limit: 1, used: 0 });
  });

  it("a restored image is seen by its project, and by no other", async () => {
    const { cloud, owner, records, pass, make } = await rig();
    const { volume_id } = await make();
    pass(8);
    const job = { backup_id: "b-1", resource_id: volume_id, resource_type: "volume", is_full: true };
    const call = { signal, now: noon };
    const { snapshot } = await cloud.backups.create(job, call);
    await cloud.backups.restore(snapshot, { kind: "image", name: "from the backup" }, call);
    const namesFor = async (at: PortalCall) => (await cloud.iaas.images({}, at)).map(({ name }) => name);
    expect(await namesFor(owner)).toContain("from the backup");
    expect(await namesFor(callAt(records, stranger))).toEqual(expect.not.arrayContaining(["from the backup"]));
    expect(await namesFor(callAt(records, stranger))).toContain("debian-13");
    expect((await cloud.iaas.flavors({}, owner)).map(({ name }) => name)).toEqual([
      "m1.large",
      "m1.medium",
      "m1.small",
    ]);
  });
});
