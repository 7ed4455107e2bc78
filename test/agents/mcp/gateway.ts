import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../../e2e/command-line.ts";
import { type Served, serveFolder } from "../../e2e/governed-serve.ts";
import { freePort } from "../../support/free-port.ts";
import { installPackage } from "../install.ts";
import { mcpPackages } from "../packages.ts";

/** The command of a package, which a suite cannot do without. */
export function commandOf(name: keyof typeof mcpPackages): readonly [program: string, ...rest: string[]] {
  const installed = installPackage(name, mcpPackages[name]);
  if ("missing" in installed) throw new Error(installed.missing);
  return installed.command;
}

/** A gateway in a folder of its own, with two servers of the npm registry behind it. */
export interface McpGateway extends Served {
  readonly folder: string;
  /** A key that may call `files/read_text_file` and everything of the other server but `get-env`. */
  readonly key: string;
  /** The requests of that key, as the ledger has them. */
  calls(): Promise<readonly { readonly model: string; readonly requests: number; readonly cost_nano: number }[]>;
}

/** Serves both servers: one over standard input and output, the other over HTTP. */
export async function serveServers(vendor?: string): Promise<McpGateway> {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-mcp-"));
  mkdirSync(join(folder, "shared"));
  writeFileSync(join(folder, "shared", "note.txt"), "a note");
  const port = await startEverything();
  const [program, ...args] = commandOf("filesystem");
  const servers = {
    files: { command: program, args: [...args, join(folder, "shared")], price: 0.5 },
    everything: { url: `http://127.0.0.1:${port}/mcp`, price: 0.25 },
  };
  const providers = vendor === undefined ? {} : { anthropic: { baseUrl: vendor, apiKey: "sk-lab" } };
  writeFileSync(join(folder, "tollgate.config.json"), JSON.stringify({ discover: false, providers, mcp: { servers } }));
  const served = await serveFolder(folder, {});
  const tools = ["--tool", "files/read_text_file", "--tool", "everything/*", "--block-tool", "everything/get-env"];
  const made = start(["key", "create", "agent", "--allow", "*", ...tools], { folder });
  await made.ended;
  const key = /sk-tg-\S+/.exec(made.out())?.[0] ?? "";
  const calls = async () => {
    const usage = start(["usage", "--json", "--by", "model", "--key", "agent"], { folder });
    await usage.ended;
    const rows = JSON.parse(usage.out()) as { group: { model: string }; requests: number; cost_nano: number }[];
    return rows.map(({ group, requests, cost_nano }) => ({ model: group.model, requests, cost_nano }));
  };
  return { ...served, folder, key, calls };
}

const servers: ChildProcess[] = [];

/** Starts the other server over HTTP; resolves with its port once it listens. */
async function startEverything(): Promise<number> {
  const port = await freePort();
  const [program, ...args] = commandOf("everything");
  const env = { PATH: process.env.PATH ?? "", PORT: String(port) };
  const child = spawn(program, [...args, "streamableHttp"], { env, stdio: ["ignore", "pipe", "pipe"] });
  servers.push(child);
  await new Promise<void>((resolve, reject) => {
    const look = (piece: Buffer) => /listening on port/i.test(piece.toString()) && resolve();
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", (code) => reject(new Error(`The server ended with ${code}.`)));
  });
  return port;
}

/** Ends the servers that are left. */
export function endServers(): void {
  for (const child of servers.splice(0)) child.kill("SIGKILL");
}
