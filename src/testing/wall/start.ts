import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../ports.ts";
import { controlWall, type WallControl } from "./control.ts";
import { serveWall } from "./server.ts";

/** A wall that was started. */
export interface Wall extends WallControl {
  /** `http://127.0.0.1:<port>`; an OpenAI client's base URL is this and `/v1`, an Anthropic client's is this alone. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where a wall runs. */
export interface WallOptions {
  /** Runs the wall inside this process, on this clock, instead of in a process of its own. */
  readonly clock?: Clock | undefined;
  /** A free port unless given. */
  readonly port?: number | undefined;
}

/**
 * Starts the fault wall: a fake provider on the loopback interface that misbehaves by model name. It runs in a process of its own, so
 * that a busy test delays no answer, unless a clock is given. It ends with this process at the latest.
 */
export async function startWall({ clock, port = 0 }: WallOptions = {}): Promise<Wall> {
  const served = clock ? await serveWall(clock, port) : await forkWall(port);
  const url = `http://127.0.0.1:${served.port}`;
  return { url, ...controlWall(url), close: served.close };
}

/** Whether this is the source and not the build. */
const isSource = import.meta.url.endsWith(".ts");

/** Where the program is: beside this file's folder in the sources, beside every file in the build, whose chunks lie flat. */
function programPath(): string {
  return fileURLToPath(new URL(isSource ? "../../cli/wall-process.ts" : "./wall-process.js", import.meta.url));
}

async function forkWall(wanted: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const child = fork(programPath(), [String(wanted)], {
    execArgv: ["--no-warnings", ...(isSource ? ["--experimental-strip-types"] : [])], // Node 22.13 wants to be told
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { readonly port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the wall's process ended with ${code} before it listened`)));
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // A test that forgets to close the wall may end all the same; the wall then ends with it.
  child.unref();
  child.channel?.unref();
  return {
    port,
    close: () => {
      child.ref();
      if (child.connected) child.disconnect();
      return exited;
    },
  };
}
