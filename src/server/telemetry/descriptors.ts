import { readdir, readFile } from "node:fs/promises";

/** File descriptors of this process: every connection takes one. */
export interface Descriptors {
  readonly open: number;
  readonly limit: number;
}

/** Reads them where the system has `/proc` (Linux); `undefined` elsewhere. */
export async function readDescriptors(folder = "/proc/self"): Promise<Descriptors | undefined> {
  try {
    const [limits, open] = await Promise.all([readFile(`${folder}/limits`, "utf8"), readdir(`${folder}/fd`)]);
    const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
    if (soft === undefined) return undefined;
    return { open: open.length, limit: soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft) };
  } catch {
    return undefined;
  }
}

/** Shares of the limit at which a warning is due, and below which the next one may be. */
const nearShare = 0.8;
const farShare = 0.7;

/** Returns the words of a warning when so many are open that the limit is near, once until there is room again. */
export function createDescriptorWarning(): (descriptors: Descriptors | undefined) => string | undefined {
  let isWarned = false;
  return (descriptors) => {
    if (descriptors === undefined) return undefined;
    const { open, limit } = descriptors;
    if (open < farShare * limit) isWarned = false;
    if (isWarned || open < nearShare * limit) return undefined;
    isWarned = true;
    return `${open} of ${limit} file descriptors are open; raise the limit (LimitNOFILE of systemd, ulimit -n)`;
  };
}
