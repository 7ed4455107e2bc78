import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** How the last reload of a gateway ended. */
export interface ReloadOutcome {
  /** Reloads since the start, this one included. */
  readonly count: number;
  /** True when the configuration was taken over. */
  readonly isApplied: boolean;
  /** What changed, or why nothing did. */
  readonly message: string;
}

/** A gateway that runs, as its process file describes it. */
export interface RunningGateway {
  readonly pid: number;
  readonly lastReload: ReloadOutcome | undefined;
}

/** Where a process file is; both names may be relative to the working folder. */
export interface ProcessFilePlace {
  readonly folder: string;
  /** As the command line names it. */
  readonly processFile: string | undefined;
  readonly storeFile: string | undefined;
}

/** The process file: the one that is named, or the store file with `.pid` behind it; `undefined` with neither. */
export function processFileAt({ folder, processFile, storeFile }: ProcessFilePlace): string | undefined {
  const name = processFile ?? (storeFile === undefined ? undefined : `${storeFile}.pid`);
  return name === undefined || isAbsolute(name) ? name : join(folder, name);
}

/**
 * Writes the process file: the number of the process in its first line, as other programs expect it, and how the last reload ended in its
 * second. A reader never sees half of it.
 */
export async function writeProcessFile(file: string, { pid, lastReload }: RunningGateway): Promise<void> {
  const fresh = `${file}.${pid}`;
  await writeFile(fresh, `${pid}\n${lastReload ? `${JSON.stringify(lastReload)}\n` : ""}`, { mode: 0o644 });
  await rename(fresh, file);
}

/** `undefined` where there is no such file, or something else in it. */
export async function readProcessFile(file: string): Promise<RunningGateway | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  const [first = "", second = ""] = text?.split("\n") ?? [];
  const pid = Number(first);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, lastReload: second === "" ? undefined : (JSON.parse(second) as ReloadOutcome) }; // this program wrote it
}

/** Removes the file, unless another gateway has written it meanwhile. */
export async function removeProcessFile(file: string, pid: number): Promise<void> {
  if ((await readProcessFile(file))?.pid === pid) await rm(file, { force: true });
}
