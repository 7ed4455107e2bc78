import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { installTarball, type Project, root } from "../packed.ts";

/** The Dockerfile without comments, its instructions each on one line. */
const dockerfile = readFileSync(join(root, "deploy/docker/Dockerfile"), "utf8")
  .replace(/^\s*#.*\n/gm, "")
  .replace(/\\\n\s*/g, "");
const exec = (name: string): string[] =>
  JSON.parse(new RegExp(`^${name}.*?(\\[.*\\])$`, "m").exec(dockerfile)?.[1] ?? "[]");
const [, user = ""] = /^USER (\d+):/m.exec(dockerfile) ?? [];
const id = Number(user);

const state = mkdtempSync(join(tmpdir(), "tollgate-image-"));
let project: Project;
let port = 0;
let server: ChildProcess | undefined;

/** The packages that the Dockerfile installs beside the tarball, without scripts and without those for development. */
beforeAll(async () => {
  const [, line = ""] = /npm install (.*)/.exec(dockerfile) ?? [];
  project = installTarball(...line.split(/\s+/).filter((word) => !word.endsWith(".tgz")));
  chmodSync(project.folder, 0o755);
  copyFileSync(process.execPath, join(project.folder, "node")); // the user of the image cannot read everybody's folders
  chownSync(state, id, id);
  port = await freePort();
});
afterAll(() => {
  server?.kill("SIGKILL");
  project.remove();
  rmSync(state, { recursive: true, force: true });
});

/** A command of the image, in a folder of its user's, with the port of this test. */
function command(words: readonly string[]) {
  const inPlace = (word: string) => word.replace("/opt/tollgate", project.folder).replace(":8080", `:${port}`);
  const [, ...rest] = words.map(inPlace); // node
  const options = { cwd: state, uid: id, gid: id, env: { PATH: "/usr/bin:/bin", NODE_ENV: "production" } } as const;
  return { program: join(project.folder, "node"), rest, options };
}

function check() {
  const { program, rest, options } = command(exec("HEALTHCHECK"));
  return spawnSync(program, rest, { ...options, encoding: "utf8", timeout: 20_000 }).status;
}

it("what the Dockerfile installs serves as its user, is found healthy by its check, and stops by a signal", async () => {
  expect(id).toBeGreaterThan(999);
  expect(check()).toBe(1);
  const { program, rest, options } = command([...exec("ENTRYPOINT"), ...exec("CMD"), "--port", String(port)]);
  const child = spawn(program, rest, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  server = child;
  let said = "";
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  await new Promise<void>((resolve, reject) => {
    const hear = (piece: Buffer) => {
      said += piece;
      if (said.includes("Listening on")) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
  expect(readFileSync(`/proc/${child.pid}/status`, "utf8")).toMatch(new RegExp(`^Uid:\\s+${id}\\s+${id}`, "m"));
  expect(check()).toBe(0);
  expect(await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()).toMatchObject({ status: "ready" });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(check()).toBe(1);
});

it("the packages for PostgreSQL, Redis and metrics are there, and none for development", () => {
  const { program, options } = command(["node"]);
  const code = 'for (const name of ["pg", "@redis/client", "@opentelemetry/exporter-prometheus"]) await import(name);';
  const loaded = spawnSync(program, ["--input-type=module", "-e", code], {
    ...options,
    cwd: project.folder,
    encoding: "utf8",
  });
  expect([loaded.status, loaded.stderr]).toEqual([0, ""]);
  expect(spawnSync("ls", [join(project.folder, "node_modules")], { encoding: "utf8" }).stdout).not.toMatch(/^vitest$/m);
});
