import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { local } from "../../adapters/clouds/local/index.ts";
import { sqliteStore } from "../../adapters/stores/sqlite/index.ts";
import { restoreTargets, settingsOf } from "./local-backup-settings.ts";

const child = fileURLToPath(new URL("local-backup-child.ts", import.meta.url));
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Runs the child; resolves with the signal that ended it, or its exit code. */
function run(folder: string, work: string, fatal: string): Promise<string | number | null> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, folder, work, fatal], { stdio: ["ignore", "inherit", "inherit"] });
    running.on("error", reject);
    running.on("close", (code, signal) => resolve(signal ?? code));
  });
}

const bytes = Buffer.concat([randomBytes(3_000_000), Buffer.alloc(9_000_000), randomBytes(4_777_216)]);
const sum = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

/** A cloud with a volume of 16 MB. */
async function prepare() {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-backup-"));
  folders.push(folder);
  const settings = settingsOf(folder);
  const store = sqliteStore(join(folder, "store.db"));
  const { inventory, volumes } = local({ ...settings, records: store.records });
  await inventory.put("volumes", "vol-1", { id: "vol-1", size: 1 / 64, status: "available", name: "disk" });
  await mkdir(join(settings.folder, "volumes"), { recursive: true });
  await writeFile(volumes("vol-1"), bytes);
  await store.close();
  return folder;
}

const deaths = [
  ...["noted", "reading", "written"].map((phase) => ["", phase] as const),
  ...Object.keys(restoreTargets).flatMap((work) =>
    ["checked", "restoring", "writing", "restored"].map((phase) => [work, phase] as const),
  ),
];

describe("killing the process at the beginning of each phase loses nothing", () => {
  it.each(deaths)(
    "work `%s`, phase %s",
    async (work, phase) => {
      const folder = await prepare();
      expect(await run(folder, work, phase)).toBe("SIGKILL");
      const store = sqliteStore(join(folder, "store.db"));
      const { inventory, volumes } = local({ ...settingsOf(folder), records: store.records });
      expect(sum(readFileSync(volumes("vol-1")))).toBe(sum(bytes));
      const whole = (await inventory.list("volumes")).filter(({ status }) => status === "available");
      for (const { id } of whole) expect(sum(readFileSync(volumes(String(id))))).toBe(sum(bytes));
      await store.close();

      expect(await run(folder, work, "none")).toBe(0); // the same work again goes on with what was begun
      const again = sqliteStore(join(folder, "store.db"));
      const cloud = local({ ...settingsOf(folder), records: again.records });
      const call = { signal: new AbortController().signal, now: Date.now() };
      const [snapshot = "", ...others] = await cloud.backups.list(call);
      expect(others).toEqual([]);
      const states = (await cloud.inventory.list("volumes")).map(({ status }) => status);
      expect(new Set(states)).toEqual(new Set(["available"]));
      await writeFile(cloud.volumes("vol-1"), "lost");
      await cloud.backups.restore(snapshot, restoreTargets.source, call);
      expect(sum(readFileSync(cloud.volumes("vol-1")))).toBe(sum(bytes));
      for (const part of await readdir(join(folder, "cloud", "backups"))) expect(part).not.toMatch(/\.part$/);
      await again.close();
    },
    60_000,
  );
});
