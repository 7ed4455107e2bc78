import { stat } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "./files.ts";

/** A gigabyte of a volume's size. */
export const gigabyte = 2 ** 30;

/** Where the bytes of a volume lie. */
export function volumePath(folder: string, id: string): string {
  return join(folder, "volumes", `${encodeURIComponent(id)}.raw`);
}

/** Creates the file of a new volume, all zeros, which takes no room; one that is there stays as it is. */
export async function allocateVolume(path: string, bytes: number): Promise<void> {
  if ((await stat(path).catch(() => undefined)) === undefined) await writeWhole(path, (file) => file.truncate(bytes));
}
