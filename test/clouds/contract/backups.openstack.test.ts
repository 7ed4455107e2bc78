import { randomBytes } from "node:crypto";
import { open, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Wire } from "../../../adapters/clouds/openstack/client/cloud.ts";
import { type CloudContext, openCloudContext } from "../../../adapters/clouds/openstack/cloud-context.ts";
import { type OpenStack, type OpenStackOptions, openstack } from "../../../adapters/clouds/openstack/index.ts";
import type { OperationDeadline } from "../../../adapters/clouds/shared/deadline.ts";
import type { BackupJob, BackupMade, DriverCall } from "../../../src/portal/backup-driver.ts";
import { useServer } from "../support/servers.ts";
import { adminOptions } from "./iaas-openstack.ts";

const server = useServer("openstack");
const suffix = randomBytes(4).toString("hex");
const state = join(process.env.SERVERS_HOME ?? join(tmpdir(), "tollgate-servers"), "openstack", "var");

let options: OpenStackOptions;
let cloud: OpenStack;
let site: CloudContext;
let projectId = "";
let volumeId = "";

const call = (signal = new AbortController().signal): DriverCall => ({ signal, now: Date.now() });
const run = <T>(act: (work: OperationDeadline) => Promise<T>) => site.run(call(), act);
const job = (name: string, more: Partial<BackupJob> = {}): BackupJob => ({
  backup_id: `${name}-${suffix}`,
  resource_id: volumeId,
  resource_type: "volume",
  is_full: true,
  ...more,
});

async function makeVolume(): Promise<string> {
  const body = { volume: { size: 1, name: `volume-${suffix}` } };
  const request = { service: "volume", method: "POST", path: ["volumes"], body, scope: { projectId } } as const;
  return String(((await run((work) => site.cloud.ask(request, work))).volume as Wire).id);
}

async function volumes(): Promise<Wire[]> {
  const query = { all_tenants: "1", project_id: projectId };
  return run((work) =>
    site.cloud.list({ service: "volume", path: ["volumes", "detail"], key: "volumes", query }, work),
  );
}

async function settle(id: string, status = "available"): Promise<void> {
  await run(async (work) => {
    for (;;) {
      const { volume } = await site.cloud.ask({ service: "volume", path: ["volumes", id] }, work);
      if ((volume as Wire).status === status) return;
      await work.sleep(200);
    }
  });
}

/** The test cloud's volumes are sparse files. */
async function write(id: string, text: string, at = 0): Promise<void> {
  const file = await open(join(state, "cinder", "volumes", id), "r+");
  await file.write(Buffer.from(text), 0, text.length, at);
  await file.close();
}

async function read(id: string, at = 0): Promise<string> {
  const file = await open(join(state, "cinder", "volumes", id), "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, at);
  await file.close();
  return buffer.toString("utf8", 0, bytesRead).replaceAll("\0", "");
}

beforeAll(async () => {
  if (server.missing !== undefined) return;
  options = { ...adminOptions(server.settings), backupTimes: { poll: 300, whole: 120_000 } };
  cloud = openstack(options);
  site = openCloudContext(options);
  const body = { project: { name: `backups-${suffix}`, domain_id: "default" } };
  const request = { service: "identity", method: "POST", path: ["projects"], body } as const;
  projectId = String(((await run((work) => site.cloud.ask(request, work))).project as Wire).id);
  // A volume in that project needs a role there, which our user gives up again: the driver has to find its own way in.
  const roles = await run((work) => site.cloud.list({ service: "identity", path: ["roles"], key: "roles" }, work));
  const admin = roles.find(({ name }) => name === "admin");
  const { user } = await run((work) => site.cloud.session(work));
  const path = ["projects", projectId, "users", user.id, "roles", String(admin?.id)];
  await run((work) => site.cloud.ask({ service: "identity", method: "PUT", path }, work));
  volumeId = await makeVolume();
  await settle(volumeId);
  await run((work) => site.cloud.ask({ service: "identity", method: "DELETE", path }, work));
});

afterAll(async () => {
  await cloud?.close();
  await site?.close();
});

describe("backups on a real Cinder", () => {
  let full: BackupMade;

  it("makes a full backup in the volume's project, having taken a role there", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    await write(volumeId, "first");
    full = await cloud.backups.create(job("full"), call());
    expect(full).toMatchObject({ is_full: true, size: 2 ** 30, volume_type: "__DEFAULT__" });
    const { backup } = await run((work) =>
      site.cloud.ask({ service: "volume", path: ["backups", full.snapshot] }, work),
    );
    expect(backup).toMatchObject({ status: "available", "os-backup-project-attr:project_id": projectId });
    expect(await cloud.backups.list(call())).toContain(full.snapshot);
  });

  it("answers the same backup with the one that was made", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    expect(await cloud.backups.create(job("full"), call())).toEqual(full);
  });

  it("makes an incremental backup, restores both byte for byte, and keeps the one that the other builds on", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    await write(volumeId, "second");
    const part = await cloud.backups.create(job("part", { is_full: false, parent: full.snapshot }), call());
    expect(part.is_full).toBe(false);
    await write(volumeId, "spoilt");
    await cloud.backups.restore(part.snapshot, { kind: "source", resource_id: volumeId }, call());
    expect(await read(volumeId)).toBe("second");
    await cloud.backups.restore(full.snapshot, { kind: "source", resource_id: volumeId }, call());
    expect(await read(volumeId)).toBe("first");
    await expect(cloud.backups.remove(full.snapshot, call())).rejects.toMatchObject({ code: "conflict" });
    await cloud.backups.remove(part.snapshot, call());
    await cloud.backups.remove(part.snapshot, call());
    expect(await cloud.backups.list(call())).not.toContain(part.snapshot);
  });

  it("restores to a new volume of the same project, with the bytes in it", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const name = `new-${suffix}`;
    const target = { kind: "volume", name, availability_zone: "nova", volume_type: "__DEFAULT__" } as const;
    await cloud.backups.restore(full.snapshot, target, call());
    const made = (await volumes()).find((volume) => volume.name === name);
    expect(made).toMatchObject({ status: "available", "os-vol-tenant-attr:tenant_id": projectId });
    expect(await read(String(made?.id))).toBe("first");
  });

  it("a volume made from a backup says so, which tells it from an empty one", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const made = (await volumes()).find((volume) => volume.name === `new-${suffix}`);
    expect(made?.metadata).toMatchObject({ src_backup_id: full.snapshot });
    const old = { ...options, microversions: { volume: "3.46" } };
    expect(() => openstack(old)).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
  });

  it("restores as an image of the same project, and leaves no volume behind", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const before = (await volumes()).length;
    const name = `image-${suffix}`;
    await cloud.backups.restore(full.snapshot, { kind: "image", name }, call());
    const images = await run((work) =>
      site.cloud.list({ service: "image", path: ["images"], key: "images", query: { name } }, work),
    );
    expect(images).toMatchObject([{ name, status: "active", owner: projectId, disk_format: "raw" }]);
    const path = join(state, "glance", "images", String(images[0]?.id));
    expect((await stat(path)).size).toBe(2 ** 30);
    expect((await readFile(path)).toString("utf8", 0, 5)).toBe("first");
    expect(await volumes()).toHaveLength(before);
  });

  it("goes on with an image that a dead process has begun, and removes what a failed restore left", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const before = (await volumes()).length;
    const mark = `rst-${suffix}`;
    const target = { kind: "image", name: `twice-${suffix}` } as const;
    const marked = () =>
      run((work) =>
        site.cloud.list({ service: "image", path: ["images"], key: "images", query: { tollgate_restore: mark } }, work),
      );
    const dead = cloud.backups.restore(full.snapshot, target, { ...call(), job: mark });
    dead.catch(() => {}); // it goes on beside the second process, as one does that was taken for dead
    while ((await marked()).length === 0) await run((work) => work.sleep(200));
    await cloud.backups.restore(full.snapshot, target, { ...call(), job: mark });
    expect(await marked()).toMatchObject([{ name: target.name, status: "active", owner: projectId }]);
    await dead.catch(() => {});
    expect(await volumes()).toHaveLength(before);
    await cloud.backups.discard?.(full.snapshot, target, { ...call(), job: mark });
    expect(await marked()).toEqual([]);

    const volume = { kind: "volume", name: mark, availability_zone: "nova", volume_type: "__DEFAULT__" } as const;
    await cloud.backups.restore(full.snapshot, volume, { ...call(), job: mark });
    expect(await volumes()).toHaveLength(before + 1);
    await cloud.backups.discard?.(full.snapshot, volume, { ...call(), job: mark });
    expect(await volumes()).toHaveLength(before);
  });

  it("refuses to restore over a volume that is in use", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const body = { "os-reserve": {} };
    const path = ["volumes", volumeId, "action"];
    await run((work) => site.cloud.ask({ service: "volume", method: "POST", path, body }, work));
    const restoring = cloud.backups.restore(full.snapshot, { kind: "source", resource_id: volumeId }, call());
    await expect(restoring).rejects.toMatchObject({ code: "conflict" });
    await run((work) =>
      site.cloud.ask({ service: "volume", method: "POST", path, body: { "os-unreserve": {} } }, work),
    );
  });

  it("stops when it is told to, and removes what it began", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const stop = new AbortController();
    const making = cloud.backups.create(job("stopped"), call(stop.signal));
    const begun = await run(async (work) => {
      for (;;) {
        const query = { all_tenants: "1", name: `tollgate-stopped-${suffix}` };
        const [found] = await site.cloud.list({ service: "volume", path: ["backups"], key: "backups", query }, work);
        if (found !== undefined) return String(found.id);
        await work.sleep(100);
      }
    });
    stop.abort();
    await expect(making).rejects.toMatchObject({ code: "request_cancelled" });
    await run(async (work) => {
      while ((await site.cloud.find({ service: "volume", path: ["backups", begun] }, work)) !== undefined)
        await work.sleep(200);
    });
    expect(await cloud.backups.list(call())).not.toContain(begun);
  });

  it("says what is not there, and what Cinder does not back up", async (context) => {
    if (server.missing !== undefined) return context.skip(server.missing);
    const unknown = "11111111-1111-1111-1111-111111111111";
    await expect(cloud.backups.create(job("x", { resource_id: unknown }), call())).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(cloud.backups.create(job("x", { resource_type: "vm" }), call())).rejects.toMatchObject({
      param: "resource_type",
    });
    await expect(cloud.backups.create(job("x", { project_id: "other" }), call())).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(cloud.backups.restore(unknown, { kind: "image", name: "x" }, call())).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(cloud.backups.remove(unknown, call())).resolves.toBeUndefined();
  });
});
