import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalCloudOptions, local } from "../../../adapters/clouds/local/index.ts";
import { afterFile } from "../../after-file.ts";
import { noon } from "../../portal/support/rig.ts";

/** A folder of its own, which is removed after the file's tests. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tollgate-cloud-"));
  // A restore that a test began may still write into it; `rm` tries again where the folder fills meanwhile.
  afterFile(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}

/** An embedded cloud of the region `eu-1`, at noon. */
export async function openLocal(options: Pick<LocalCloudOptions, "records"> & Partial<LocalCloudOptions>) {
  const folder = options.folder ?? (await makeFolder());
  const clock = { now: () => noon, after: () => () => {} };
  return { folder, ...local({ region: "eu-1", secret: "a secret of the suite", clock, ...options, folder }) };
}
