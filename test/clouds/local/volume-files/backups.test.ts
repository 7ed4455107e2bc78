import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { volumePath } from "../../../../adapters/clouds/local/volume-files.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { BackupJob } from "../../../../src/portal/backup-driver.ts";
import { noon } from "../../../portal/support/rig.ts";
import { withPortalKinds } from "../../../portal-kinds.ts";
import { openLocal } from "../../support/local.ts";

const megabyte = 1_048_576;
/** Of the volume: sixteen pieces. A volumeBytes takes the same way, and longer. */
const volumeBytes = 2 ** 24;
const call = { signal: new AbortController().signal, now: noon };
const job = (backup_id: string, parts: Partial<BackupJob> = {}): BackupJob => {
  return { backup_id, resource_id: "vol-1", resource_type: "volume", is_full: true, ...parts };
};

/** A cloud with one volume of a volumeBytes, whose file holds what it is given at the places that it is given. */
async function openWith(pieces: readonly (readonly [at: number, bytes: Uint8Array])[]) {
  const { records } = withPortalKinds(memoryStore());
  const cloud = await openLocal({ records });
  const volume = { id: "vol-1", name: "disk", size: 1 / 64, status: "available", volume_type: "standard" };
  await cloud.inventory.put("volumes", "vol-1", { ...volume, "os-vol-tenant-attr:tenant_id": "p-1" });
  const path = volumePath(cloud.folder, "vol-1");
  const write = async (parts: typeof pieces) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "", { flag: "a" });
    await truncate(path, volumeBytes);
    const file = await open(path, "r+");
    for (const [at, bytes] of parts) await file.write(bytes, 0, bytes.length, at);
    await file.close();
  };
  await write(pieces);
  const contents = async (id = "vol-1") => sumOfFile(volumePath(cloud.folder, id));
  return { ...cloud, path, write, contents };
}

async function sumOfFile(path: string): Promise<string> {
  const bytes = await readFile(path);
  return `${createHash("sha256").update(bytes).digest("hex")} ${bytes.length}`;
}

const target = { kind: "source", resource_id: "vol-1" } as const;

describe("backups of the embedded cloud", () => {
  it("restore a volume byte for byte, whatever was changed since, from full and incremental archives", async () => {
    const offsets = fc.integer({ min: 0, max: volumeBytes - 70_000 });
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 70_000 });
    const change = fc.tuple(offsets, bytes);
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 4 }),
        fc.array(change, { maxLength: 4 }),
        async (first, second) => {
          const { backups, write, contents, path } = await openWith(first);
          const before = await contents();
          const full = await backups.create(job("b-1"), call);
          await write(second);
          const between = await contents();
          const more = await backups.create(job("b-2", { is_full: false, parent: full.snapshot }), call);
          await writeFile(path, "lost");
          await backups.restore(more.snapshot, target, call);
          expect(await contents()).toBe(between);
          await backups.restore(full.snapshot, target, call);
          expect(await contents()).toBe(before);
          expect(more.is_full).toBe(false);
        },
      ),
      { numRuns: 8 },
    );
  });

  it("restored again for the same job are restored once; what a job that failed has left is removed", async () => {
    const { backups, inventory, folder } = await openWith([]);
    const { snapshot } = await backups.create(job("b-1"), call);
    const volume = { kind: "volume", name: "copy", availability_zone: "nova", volume_type: "standard" } as const;
    for (const target of [volume, { kind: "image", name: "disk image" } as const]) {
      const kind = `${target.kind}s`;
      const before = (await inventory.list(kind)).length;
      for (const name of ["rst_1", "rst_1", "rst_2"]) await backups.restore(snapshot, target, { ...call, job: name });
      expect(await inventory.list(kind)).toHaveLength(before + 2);
      for (let count = 0; count < 2; count++) await backups.discard?.(snapshot, target, { ...call, job: "rst_1" });
      expect(await inventory.list(kind)).toHaveLength(before + 1);
    }
    expect(await readdir(join(folder, "images"))).toHaveLength(1);
  });

  it("restore to a new volume and as an image, and leave the source alone", async () => {
    const { backups, contents, inventory, folder } = await openWith([[5, randomBytes(3 * megabyte)]]);
    const before = await contents();
    const { snapshot, size, allocated } = await backups.create(job("b-1"), call);
    expect(size).toBe(volumeBytes);
    expect(allocated).toBeLessThan(4 * megabyte);
    const volume = { kind: "volume", name: "copy", availability_zone: "nova", volume_type: "standard" } as const;
    await backups.restore(snapshot, volume, call);
    await backups.restore(snapshot, { kind: "image", name: "disk image" }, call);
    const made = (await inventory.list("volumes")).find(({ name }) => name === "copy");
    expect(made).toMatchObject({ status: "available", "os-vol-tenant-attr:tenant_id": "p-1" });
    expect(await contents(String(made?.id))).toBe(before);
    const image = (await inventory.list("images")).find(({ name }) => name === "disk image");
    expect(image).toMatchObject({ status: "active", size: volumeBytes, owner: "p-1" });
    expect(await sumOfFile(join(folder, "images", `${image?.id}.raw`))).toBe(before);
    expect(await contents()).toBe(before);
  });

  it("refuse an archive with any byte changed, cut off or gone, and change nothing", async () => {
    const { backups, contents, folder } = await openWith([[0, randomBytes(megabyte)]]);
    const { snapshot } = await backups.create(job("b-1"), call);
    const path = join(folder, "backups", `${snapshot}.tgb`);
    const whole = await readFile(path);
    const before = await contents();
    const refused = async (bytes: Uint8Array) => {
      await writeFile(path, bytes);
      await expect(backups.restore(snapshot, target, call)).rejects.toMatchObject({
        code: "backend_error",
        message: expect.stringMatching(/archive .* is damaged .*nothing was restored/),
      });
    };
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const broken = Buffer.from(whole);
        broken[at] = (broken[at] ?? 0) ^ by;
        await refused(broken);
      }),
      { numRuns: 60 },
    );
    for (const length of [0, 10, whole.length - 1, whole.length >> 1]) await refused(whole.subarray(0, length));
    expect(await contents()).toBe(before);
    await writeFile(path, whole);
    await backups.restore(snapshot, target, call);
    expect(await contents()).toBe(before);
  });

  it("refuse an incremental archive whose parent is damaged", async () => {
    const { backups, folder } = await openWith([[0, randomBytes(megabyte)]]);
    const { snapshot: parent } = await backups.create(job("b-1"), call);
    const { snapshot } = await backups.create(job("b-2", { is_full: false, parent }), call);
    await truncate(join(folder, "backups", `${parent}.tgb`), 100);
    await expect(backups.restore(snapshot, target, call)).rejects.toMatchObject({ code: "backend_error" });
  });

  it("are made once for one id and zone, listed while they are there, and removed when nothing builds on them", async () => {
    const { backups, folder } = await openWith([[0, randomBytes(10)]]);
    const full = await backups.create(job("b-1"), call);
    expect(await backups.create(job("b-1"), call)).toEqual(full);
    const other = await backups.create(job("b-1", { zone: "second" }), call);
    expect(other.snapshot).not.toBe(full.snapshot);
    const more = await backups.create(job("b-2", { is_full: false, parent: full.snapshot }), call);
    expect((await backups.list(call)).toSorted()).toEqual(
      [full, other, more].map(({ snapshot }) => snapshot).toSorted(),
    );
    await expect(backups.remove(full.snapshot, call)).rejects.toMatchObject({ code: "conflict" });
    for (const { snapshot } of [more, full, other, other]) await backups.remove(snapshot, call);
    expect(await backups.list(call)).toEqual([]);
    expect(await readdir(join(folder, "backups"))).toEqual([]);
  });

  it.each([
    ["a volume that is not there", job("b-1", { resource_id: "nosuch" }), "not_found"],
    ["a volume of another project", job("b-1", { project_id: "p-2" }), "not_found"],
    ["what is no volume", job("b-1", { resource_type: "vm" }), "invalid_request"],
    ["an increment without a full one", job("b-1", { is_full: false }), "invalid_request"],
  ])("refuse %s", async (_what, wrong, code) => {
    const { backups } = await openWith([]);
    await expect(backups.create(wrong, call)).rejects.toMatchObject({ code });
    expect(await backups.list(call)).toEqual([]);
  });

  it("keep to the project's quotas, and to a volume that is free", async () => {
    const { backups, inventory } = await openWith([]);
    const { snapshot } = await backups.create(job("b-1"), call);
    const full = { "quotas.volume": { volumes: 1, backups: 1 } };
    await inventory.put("quotas.volume", "p-1", full["quotas.volume"]);
    await expect(backups.create(job("b-2"), call)).rejects.toMatchObject({ code: "quota_exceeded" });
    const volume = { kind: "volume", name: "copy", availability_zone: "nova", volume_type: "standard" } as const;
    await expect(backups.restore(snapshot, volume, call)).rejects.toMatchObject({ code: "quota_exceeded" });
    const elsewhere = { ...volume, availability_zone: "mars" };
    await expect(backups.restore(snapshot, elsewhere, call)).rejects.toMatchObject({ param: "availability_zone" });
    const busy = { ...(await inventory.find("volumes", "vol-1")), status: "in-use" };
    await inventory.put("volumes", "vol-1", busy);
    await expect(backups.restore(snapshot, target, call)).rejects.toMatchObject({ code: "conflict" });
    expect(await inventory.list("volumes")).toHaveLength(1);
  });

  it("leave nothing of a backup that was stopped half-way", async () => {
    const { records } = withPortalKinds(memoryStore());
    const stop = new AbortController();
    const onPhase = (phase: string) => phase === "reading" && stop.abort(new Error("stopped"));
    const { backups, inventory, folder } = await openLocal({ records, onPhase });
    await inventory.put("volumes", "vol-1", { id: "vol-1", size: 1, status: "available" });
    await expect(backups.create(job("b-1"), { signal: stop.signal, now: noon })).rejects.toThrow();
    expect(await inventory.list("backups")).toEqual([]);
    expect(await readdir(join(folder, "backups"))).toEqual([]);
  });
});
