import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { local } from "../../adapters/providers/local/index.ts";
import { memoryStore } from "../../adapters/stores/memory/index.ts";
import { createEngine, createListener } from "../../src/index.ts";
import { createPortal } from "../../src/portal/index.ts";
import { openLocal } from "../clouds/support/local.ts";

/** Clients that three generators write from the served document: compiled strictly, and used. */

const root = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);
const command = (name: string, args: readonly string[], cwd: string) =>
  run(process.execPath, [join(root, "node_modules", name), ...args], { cwd, env: { ...process.env, CI: "1" } }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`${name}: ${stdout} ${stderr}`);
    },
  );

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tollgate-clients-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function serve() {
  const store = memoryStore();
  const engine = createEngine({ providers: [local()], store });
  const regions = { "eu-1": await openLocal({ records: store.records }) };
  const tiers = { standard: { llms: ["*"] } };
  const portal = createPortal({ engine, store, regions, tiers, secret: "a secret of the tests" });
  const first = await portal.startFirst();
  const server = createServer(createListener({ engine, portal }));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await engine.close({ graceMs: 0 });
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: first?.token ?? "", close };
}

interface Generated {
  /** Writes the client into the folder. */
  generate(url: string): Promise<unknown>;
}

const generators: Readonly<Record<string, Generated>> = {
  "openapi-fetch": {
    generate: () =>
      command(
        "openapi-typescript/bin/cli.js",
        ["document.json", "-o", "schema.ts", "--default-non-nullable=false"],
        folder,
      ),
  },
  "hey-api": {
    generate: () =>
      command(
        "@hey-api/openapi-ts/bin/run.js",
        ["-i", "document.json", "-o", "hey", "-c", "@hey-api/client-fetch"],
        folder,
      ),
  },
  orval: {
    generate: async (url) => {
      const output = { target: "./orval/api.ts", client: "fetch", mode: "single", baseUrl: url };
      const config = { api: { input: { target: "./document.json" }, output } };
      await writeFile(join(folder, "orval.config.mjs"), `export default ${JSON.stringify(config)};`);
      return command("orval/dist/bin/orval.mjs", ["--config", "orval.config.mjs"], folder);
    },
  },
};

test.each(Object.entries(generators))(
  "%s: the client compiles strictly and works",
  async (name, { generate }) => {
    const served = await serve();
    try {
      const document = await (await fetch(`${served.url}/openapi.json`)).text();
      await writeFile(join(folder, "document.json"), document);
      await generate(served.url);
      const program = join(folder, `${name}.ts`);
      await copyFile(join(import.meta.dirname, "clients", `${name}.txt`), program);
      const options = {
        ...{ strict: true, noEmit: true, target: "ES2023", module: "ESNext", moduleResolution: "bundler" },
        ...{ allowImportingTsExtensions: true, types: [], lib: ["ES2023", "DOM", "DOM.Iterable"] },
      };
      const config = JSON.stringify({ compilerOptions: options, files: [`${name}.ts`] });
      await writeFile(join(folder, "tsconfig.json"), config);
      await command("typescript/bin/tsc", ["-p", "."], folder);
      const outfile = join(folder, `${name}.mjs`);
      await build({
        entryPoints: [program],
        bundle: true,
        format: "esm",
        platform: "node",
        outfile,
        logLevel: "error",
      });
      const { run: story } = (await import(outfile)) as { run(url: string, token: string): Promise<unknown> };
      expect(await story(served.url, served.token)).toEqual({
        ...{
          limit: 1234567.89,
          requests: 3_000_000_000,
          text: "This is an echo, no model was asked. You said: hello",
          used: 1,
          page: 1,
        },
        states: ["scheduled", "canceled"],
        failure: ["not_found", "key_id"],
      });
    } finally {
      await served.close();
    }
  },
  90_000,
);
