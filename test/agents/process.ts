import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Command } from "./install.ts";

/** What a program is started with. */
export interface ProgramOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
}

/** How a program ended; `code` is null for one that was stopped at its deadline. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a program in a process group of its own, which is ended at the deadline, and takes what it wrote. */
export async function runProgram([program, ...rest]: Command, options: ProgramOptions): Promise<Ended> {
  const { folder, env, deadlineMs } = options;
  const child = spawn(program, rest, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  const written = Promise.all([text(child.stdout), text(child.stderr)]);
  const deadline = setTimeout(() => endGroup(child.pid), deadlineMs);
  try {
    const code = await ended;
    endGroup(child.pid); // what it left behind would keep its pipes open
    const [out, err] = await written;
    return { code, out, err };
  } finally {
    clearTimeout(deadline);
  }
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}
