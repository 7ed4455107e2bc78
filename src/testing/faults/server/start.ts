import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../../engine/ports/clock.ts";
import { controlFaultServer, type FaultServerControl } from "./control.ts";
import { serveFaults } from "./server.ts";

/** A fault server that was started. */
export interface FaultServer extends FaultServerControl {
  /** `http://127.0.0.1:<port>`; an OpenAI client's base URL is this and `/v1`, an Anthropic client's is this alone. */
  readonly url: string;
  close(): Promise<void>;
}

/** Where a fault server runs. */
export interface FaultServerOptions {
  /** Runs the fault server inside this process, on this clock, instead of in a process of its own. */
  readonly clock?: Clock | undefined;
  /** A free port unless given. */
  readonly port?: number | undefined;
}

/**
 * Starts the fault server: a fake provider on the loopback interface that misbehaves by model name. It runs in a process of its own, so
 * that a busy test delays no answer, unless a clock is given. It ends with this process at the latest.
 */
export async function startFaultServer({ clock, port = 0 }: FaultServerOptions = {}): Promise<FaultServer> {
  const served = clock ? await serveFaults(clock, port) : await forkFaultServer(port);
  const url = `http://127.0.0.1:${served.port}`;
  return { url, ...controlFaultServer(url), close: served.close };
}

/** Whether this is the source and not the build. */
const isSource = import.meta.url.endsWith(".ts");

/** Where the program is: beside this file's folder in the sources, beside every file in the build, whose chunks lie flat. */
function programPath(): string {
  return fileURLToPath(
    new URL(isSource ? "../../../cli/fault-server-process.ts" : "./fault-server-process.js", import.meta.url),
  );
}

async function forkFaultServer(wanted: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const child = fork(programPath(), [String(wanted)], {
    execArgv: ["--no-warnings", ...(isSource ? ["--experimental-strip-types"] : [])], // Node 22.13 needs this flag
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once("message", (message) => resolve((message as { readonly port: number }).port));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the fault server's process ended with ${code} before it listened`)));
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  // A test that forgets to close the fault server may end all the same; the fault server then ends with it.
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
