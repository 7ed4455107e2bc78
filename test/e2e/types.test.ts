import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildIfNeeded, root } from "./packed.ts";

const fixtures = join(root, "test/fixtures/types");
const cache = join(root, ".cache", "typescript");
/** The compilers of the users that are promised to be served; 6 is this repository's own. */
const versions = ["5.6.3", "6", "7.0.2"] as const;

/** Where `tsc` of a version is; one that is not ours is fetched once into `.cache`. */
function findCompiler(version: (typeof versions)[number]): string {
  if (version === "6") return join(root, "node_modules/typescript/bin/tsc");
  const folder = join(cache, version);
  const compiler = join(folder, "node_modules/typescript/bin/tsc");
  if (existsSync(compiler)) return compiler;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: { typescript: version } }));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  return compiler;
}

/** A folder in which `tollgate` is this repository's build, as its declarations are. */
function makeProject(): string {
  const folder = join(root, ".cache", "types-project");
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  for (const [name, target] of [
    ["tollgate", root],
    ["zod", join(root, "node_modules/zod")],
    ["@types/node", join(root, "node_modules/@types/node")],
  ] as const) {
    const place = join(folder, "node_modules", name);
    if (!existsSync(place)) symlinkSync(target, place);
  }
  for (const name of ["typos.ts", "programs.ts"]) copyFileSync(join(fixtures, `${name}.txt`), join(folder, name));
  return folder;
}

/** A careful user's options; declarations of the package are checked, too. */
const compilerOptions = {
  module: "NodeNext",
  target: "ES2022",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  skipLibCheck: false,
  types: ["node"],
};

describe("the types of the package", () => {
  let folder = "";
  beforeAll(() => {
    buildIfNeeded();
    folder = makeProject();
  }, 300_000);

  function compile(version: (typeof versions)[number], file: string): string[] {
    const project = join(folder, `tsconfig.${version}.${file}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
    const { stdout, error } = spawnSync(process.execPath, [findCompiler(version), "--pretty", "false", "-p", project], {
      cwd: folder,
      encoding: "utf8",
    });
    if (error) throw error;
    return stdout.split("\n").filter((line) => /error TS/.test(line));
  }

  it.each(versions)("compiles ten programs on TypeScript %s, the package's declarations included", (version) => {
    expect(compile(version, "programs.ts")).toEqual([]);
  });

  it.each(versions)("refuses each misspelling, and nothing else, on TypeScript %s", (version) => {
    const lines = readFileSync(join(fixtures, "typos.ts.txt"), "utf8").split("\n");
    const marked = lines.flatMap((line, at) => (line.startsWith("// typo: ") ? [at + 2] : []));
    const refused = compile(version, "typos.ts").map((line) => Number(/\((\d+),/.exec(line)?.[1]));
    expect(marked.length).toBeGreaterThanOrEqual(10);
    expect([...new Set(refused)]).toEqual(marked);
  });

  it("runs those programs", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ["programs.ts"], { cwd: folder, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [text, length, streamed, , , most, own, , code, run] = JSON.parse(stdout);
    expect({ text, length, most, own, code, run }).toMatchObject({
      length: 3,
      most: "60",
      own: "1",
      run: "completed 1",
    });
    expect(text).toContain("Hello");
    expect(streamed).toBe(text);
    expect(code).toBe("provider_not_found");
  });
});
