import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type LocalOptions, local } from "../../adapters/backends/local/index.ts";
import { noon } from "../unit/portal/rig.ts";

const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A folder of its own, which is removed after the file's tests. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-cloud-"));
  folders.push(folder);
  return folder;
}

/** An embedded cloud of the region `eu-1`, at noon. */
export async function openLocal(options: Pick<LocalOptions, "records"> & Partial<LocalOptions>) {
  const folder = options.folder ?? (await makeFolder());
  const clock = { now: () => noon, after: () => () => {} };
  return { folder, ...local({ region: "eu-1", secret: "a secret of the suite", clock, ...options, folder }) };
}
