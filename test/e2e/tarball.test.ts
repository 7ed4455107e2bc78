import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installTarball, type Project, root } from "./packed.ts";
import { examples, fragments, linkPackages, listPackages, takenForGranted } from "./snippets.ts";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** How a careful user has TypeScript look at a program. */
const strict = {
  module: "NodeNext",
  target: "ES2023",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  experimentalDecorators: true, // as Nest needs it
  noEmit: true,
  types: ["node"],
};

describe("the packed tarball, installed into an empty project", () => {
  let project: Project;

  beforeAll(() => {
    project = installTarball(...listPackages());
    for (const { name, code } of [...examples, ...fragments]) writeFileSync(join(project.folder, name), code);
  });
  afterAll(() => project.remove());

  /** Runs a program of the project with the Node of this test. */
  function run(program: string, ...programArguments: string[]) {
    const { FORCE_COLOR, NO_COLOR, NODE_OPTIONS, ...environment } = process.env; // Node warns of some combinations
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...programArguments], {
      cwd: project.folder,
      env: environment,
      encoding: "utf8",
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  }

  it("brings no package that only tests and tools need", () => {
    const installed = readdirSync(join(project.folder, "node_modules"));
    expect(installed).not.toContain("vitest");
    expect(installed).not.toContain("tiktoken");
  });

  it("has examples in the README to run", () => {
    expect(examples.filter(({ name }) => name.startsWith("readme"))).not.toEqual([]);
  });

  it.each(examples)("runs $name, a marked code block of the documents", ({ name }) => {
    expect(run(name)).toMatchObject({ status: 0, stderr: "" });
  });

  /** What the compiler has against programs of the project. */
  function compile(files: readonly string[], options: { readonly skipLibCheck: boolean }) {
    const config = { compilerOptions: { ...strict, ...options }, files };
    writeFileSync(join(project.folder, "tsconfig.json"), JSON.stringify(config));
    return run("node_modules/typescript/bin/tsc");
  }

  it("compiles those code blocks under strict options", () => {
    const files = examples.map(({ name }) => name);
    expect(compile(files, { skipLibCheck: false })).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("compiles the other code blocks of the documents too, but for the vendors' own types", () => {
    linkPackages(project.folder);
    writeFileSync(join(project.folder, "taken-for-granted.d.ts"), takenForGranted);
    const files = ["taken-for-granted.d.ts", ...fragments.map(({ name }) => name)];
    expect(fragments.length).toBeGreaterThan(10);
    expect(compile(files, { skipLibCheck: true })).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("puts a command line there that says its version", () => {
    const { status, stdout } = run("node_modules/.bin/tollgate", "--version");
    expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: version });
  });
});
