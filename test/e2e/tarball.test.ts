import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installTarball, type Project, root } from "./packed.ts";

/** The code blocks of a page that are marked to be run. */
function readExamples(page: string): { name: string; code: string }[] {
  const text = existsSync(join(root, page)) ? readFileSync(join(root, page), "utf8") : "";
  return [...text.matchAll(/^```ts runnable\n(.*?)^```$/gms)].map(([, code = ""], index) => {
    return { name: `${page.toLowerCase().replace(".md", "").replace("/", "-")}-${index + 1}.ts`, code };
  });
}

const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const examples = ["README.md", "CONTRIBUTING.md", ...pages.map((name) => `docs/${name}`)].flatMap(readExamples);
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** The packages that the examples import beside tollgate. */
function listImported(): string[] {
  const imports = examples.flatMap(({ code }) => [...code.matchAll(/ from "([^"]+)"/g)].map(([, name = ""]) => name));
  return imports.filter((name) => name in devDependencies);
}

describe("the packed tarball, installed into an empty project", () => {
  let project: Project;

  beforeAll(() => {
    const beside = new Set(["typescript", "@types/node", ...listImported()]);
    project = installTarball(...[...beside].map((name) => `${name}@${devDependencies[name]}`));
    for (const { name, code } of examples) writeFileSync(join(project.folder, name), code);
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
    expect(readExamples("README.md")).not.toEqual([]);
  });

  it.each(examples)("runs $name, a marked code block of the documents", ({ name }) => {
    expect(run(name)).toMatchObject({ status: 0, stderr: "" });
  });

  it("compiles those code blocks under strict options", () => {
    const options = {
      compilerOptions: {
        module: "NodeNext",
        target: "ES2023",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        types: ["node"],
      },
      files: examples.map(({ name }) => name),
    };
    writeFileSync(join(project.folder, "tsconfig.json"), JSON.stringify(options));
    expect(run("node_modules/typescript/bin/tsc")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("puts a command line there that says its version", () => {
    const { status, stdout } = run("node_modules/.bin/tollgate", "--version");
    expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: readVersion() });
  });
});

function readVersion(): string {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
}
