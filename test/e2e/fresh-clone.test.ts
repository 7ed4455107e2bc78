import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findNode, nodeVersions } from "../../scripts/nodes.ts";
import { freePort } from "../support/free-port.ts";
import { root } from "./packed.ts";

/** What a clone does not bring. */
const leftOut = new Set([".git", "node_modules", "dist", ".cache", "coverage"]);

/** The environment of someone whose `node` is too old, and who is not already inside of an npm script. */
function makeEnvironment(oldNode: string): NodeJS.ProcessEnv {
  const outer = Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|^VITEST|^TALLY$/.test(name));
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(outer), PATH: [dirname(oldNode), ...folders].join(delimiter) };
}

/** Ends whatever is left of a process group. */
function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // nothing is left of it
  }
}

describe(`a fresh clone on a machine with Node ${nodeVersions.refused}`, () => {
  const clone = mkdtempSync(join(tmpdir(), "tollgate-clone-"));
  let environment: NodeJS.ProcessEnv = {};
  let server: ChildProcess | undefined;
  let printed = "";
  let port = 0;

  beforeAll(async () => {
    cpSync(root, clone, { recursive: true, filter: (source) => !leftOut.has(basename(source)) });
    environment = makeEnvironment(findNode(nodeVersions.refused));
    port = await freePort();
  });
  afterAll(() => {
    endGroup(server?.pid);
    rmSync(clone, { recursive: true, force: true });
  });

  /** Resolves when the output matches; rejects when the program ends first. */
  function untilPrinted(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (chunk: Buffer) => {
        printed += chunk.toString();
        if (pattern.test(printed)) resolve();
      };
      server?.stdout?.on("data", look);
      server?.stderr?.on("data", look);
      server?.once("exit", (code) => reject(new Error(`npm start ended with ${code}:\n${printed}`)));
    });
  }

  it("serves after npm start alone, within two minutes", { timeout: 120_000 }, async () => {
    server = spawn("npm", ["start", "--", "--port", String(port)], {
      cwd: clone,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    await untilPrinted(/^\s*curl .*$/m);
    const { status } = await fetch(`http://127.0.0.1:${port}/health`);
    expect(status).toBe(200);
  });

  it("prints a curl line that answers", () => {
    const [command = ""] = /^\s*curl (?:.*\\\n)*.*$/m.exec(printed) ?? [];
    expect(command).toContain(String(port));
    const answer = execFileSync("sh", ["-c", command.trim()], {
      cwd: clone, // the line reads the key from a file in the folder that serves
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(answer).toMatch(/"choices"|"data"|^data: /m);
  });

  it("runs on the pinned Node and on the locked versions, and leaves the lock file as it was", () => {
    const node = execFileSync(join(clone, "node_modules/.bin/node"), ["--version"], { encoding: "utf8" }).trim();
    const { packages } = JSON.parse(readFileSync(join(clone, "package-lock.json"), "utf8"));
    expect(node).toBe(`v${packages["node_modules/node"].version}`);
    expect(readFileSync(join(clone, "package-lock.json"), "utf8")).toBe(
      readFileSync(join(root, "package-lock.json"), "utf8"),
    );
    const installed = JSON.parse(readFileSync(join(clone, "node_modules/.package-lock.json"), "utf8")).packages;
    const different = Object.entries<{ version: string }>(installed).filter(([path, { version }]) => {
      return packages[path] !== undefined && packages[path].version !== version;
    });
    expect(different).toEqual([]);
  });

  it("ends when it is told to", async () => {
    expect(printed).toContain("curl"); // it has begun to serve: who is told while it installs does that first
    const ended = once(server as ChildProcess, "exit"); // started by the first test
    server?.kill("SIGTERM");
    await ended;
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });

  it("is ready at once the second time", () => {
    const started = performance.now();
    const said = execFileSync("node", ["scripts/prepare.mjs", "start"], {
      cwd: clone,
      env: environment,
      encoding: "utf8",
    });
    expect(said).toBe("");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
