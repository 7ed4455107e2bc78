import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built program. */
export const program = fileURLToPath(new URL("../../../dist/bin.js", import.meta.url));

/** Access tokens of the demo. */
interface DemoTokens {
  /** Of the provider's administrator. */
  readonly admin: string;
  /** Of the demo's users by their names: `nora`, `ben`, `vera`. */
  readonly users: Readonly<Record<string, string>>;
}

/** `tollgate serve` over a fresh demo. */
export interface DemoGateway {
  readonly url: string;
  readonly tokens: DemoTokens;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Fills a store with the demo and serves it on a free port, with the options of `tollgate serve`. */
export async function serveDemo(...options: string[]): Promise<DemoGateway> {
  const folder = mkdtempSync(join(tmpdir(), "console-demo-"));
  writeFileSync(join(folder, "tollgate.config.json"), "{}");
  const run = { cwd: folder, env: { PATH: process.env.PATH ?? "", HOME: folder, NO_COLOR: "1" } };
  const made = execFileSync(process.execPath, [program, "demo", "--json"], { ...run, encoding: "utf8", stdio: "pipe" });
  const { admin_token, tenants } = JSON.parse(made) as {
    admin_token: string;
    tenants: readonly { username: string; token: string }[];
  };
  const line = [program, "serve", "--store", "tollgate-demo.db", "--port", "0", ...options];
  const child = spawn(process.execPath, line, { ...run, stdio: ["ignore", "ignore", "pipe"] });
  return {
    url: await readAddress(child),
    tokens: { admin: admin_token, users: Object.fromEntries(tenants.map(({ username, token }) => [username, token])) },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of the banner; rejects with what was printed when the program ends before. */
function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stderr?.on("data", (piece: Buffer) => {
      printed += piece.toString();
      const [, url] = /Listening on (http:\/\/\S+?)\. /.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.on("exit", (code) => reject(new Error(`tollgate serve ended with ${code}: ${printed}`)));
  });
}
