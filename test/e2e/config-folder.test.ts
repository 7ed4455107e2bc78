import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildIfNeeded, root } from "./packed.ts";

const folders: string[] = [];
beforeAll(buildIfNeeded, 300_000);
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What `tollgate plan` says in a folder of these files, and with which exit code. */
function plan(files: Readonly<Record<string, string>>): { readonly status: number | null; readonly text: string } {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-folder-"));
  folders.push(folder);
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/tollgate"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { NODE_OPTIONS, ...env } = process.env;
  const line = [join(root, "dist/bin.js"), "plan", "smart"];
  const { status, stdout, stderr } = spawnSync(process.execPath, line, { cwd: folder, env, encoding: "utf8" });
  return { status, text: stdout + stderr };
}

/** As `npm init -y` writes it. */
const npmInit = (type?: string) => JSON.stringify({ name: "x", version: "1.0.0", main: "index.js", type });

const typescript = `import type { GatewayConfig } from "tollgate";
import { local } from "tollgate/providers/local";
import { models } from "./models.ts";

const rules: GatewayConfig["rules"] = [{ name: "smart", when: { model: "smart" }, use: { model: \`local/\${models[0]}\` } }];
export default { discover: false, store: false as const, rules, providers: [local()] };
`;
const javascript = `import { local } from "tollgate/providers/local";
export default { discover: false, store: false, rules: [{ name: "smart", when: { model: "smart" }, use: { model: "local/echo" } }], providers: [local()] };
`;
const common = `module.exports = { discover: false, store: false, rules: [{ name: "smart", when: { model: "smart" }, use: { model: "local/echo" } }] };
`;

describe("a configuration that is a program", () => {
  it.each(["commonjs", "module", undefined])("works in a folder of `npm init`, type %s: TypeScript", (type) => {
    const files = { "package.json": npmInit(type), "models.ts": 'export const models: string[] = ["echo"];\n' };
    const { status, text } = plan({ ...files, "tollgate.config.ts": typescript });
    expect(text).toContain("local/echo");
    expect(text).not.toMatch(/Warning/);
    expect(status).toBe(0);
  });

  it.each(["commonjs", "module"])("works in a folder of `npm init`, type %s: JavaScript", (type) => {
    const { status, text } = plan({ "package.json": npmInit(type), "tollgate.config.js": javascript });
    expect(text).toContain("local/echo");
    expect(status).toBe(0);
  });

  it("is CommonJS where it is written so", () => {
    const { status, text } = plan({ "package.json": npmInit("commonjs"), "tollgate.config.js": common });
    expect(text).toContain("local/echo");
    expect(status).toBe(0);
  });

  it("fails with its file's name where it is neither", () => {
    const { status, text } = plan({ "package.json": npmInit("commonjs"), "tollgate.config.js": "export default {" });
    expect(text).toMatch(/^tollgate: tollgate\.config\.js fails: /);
    expect(status).toBe(1);
  });
});
