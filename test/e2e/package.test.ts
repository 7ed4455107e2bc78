import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { readKinds, readPublicEntries, subpathNames } from "../../scripts/entries.ts";
import { parseTree } from "../architecture/tree.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const dist = join(root, "dist");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const subpaths = Object.keys(readPublicEntries()).map((name) => (name === "index" ? "tollgate" : `tollgate/${name}`));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/prepare.mjs")], { stdio: ["ignore", "ignore", "inherit"] });
}, 120_000);

/** The built files, as paths below `dist`. */
function listBuilt(ending: string): string[] {
  return readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(ending));
}

/** Where a program that imports `specifier` ends up, as a path below the repository. */
function resolveSubpath(specifier: string): string {
  return relative(root, createRequire(join(root, "package.json")).resolve(specifier));
}

describe("exports", () => {
  it("has one pattern for every kind of adapter, and no other", () => {
    const patterns = Object.keys(manifest.exports).filter((key) => key.includes("*"));
    expect(patterns.sort()).toEqual(
      readKinds()
        .map((kind) => `./${subpathNames[kind] ?? kind}/*`)
        .sort(),
    );
  });

  it("gives every other subpath a line of its own", () => {
    const fixed = Object.keys(manifest.exports).filter((key) => !key.includes("*"));
    expect(fixed.sort()).toEqual([
      ".",
      "./ai-sdk",
      "./console",
      "./package.json",
      "./portal",
      "./route",
      "./testing",
      "./testing/arbitraries",
    ]);
  });

  it.each(subpaths)("leads %s to a built file with types", (specifier) => {
    const built = resolveSubpath(specifier);
    expect(existsSync(join(root, built))).toBe(true);
    expect(existsSync(join(root, built.replace(/\.js$/, ".d.ts")))).toBe(true);
  });

  it("leads to every built file that has a name, but for those that only the package starts", () => {
    const named = listBuilt(".js").filter((path) => !/^chunk-|^viewer\/|^console\/|-[A-Z0-9]{8}\.js$/.test(path));
    const reached = subpaths.map((specifier) => relative("dist", resolveSubpath(specifier)));
    expect(named.sort()).toEqual(
      [
        ...reached,
        "bin.js",
        "cli.js",
        "node-floor.js",
        "sentence-worker.js",
        "checkpoint-worker.js",
        "fault-server-process.js",
      ].sort(),
    );
  });

  it("keeps what is shared by adapters, and chunks, out of reach", () => {
    expect(() => resolveSubpath("tollgate/shared/http/client")).toThrow(/not defined by "exports"/);
    expect(() => resolveSubpath("tollgate/dist/index.js")).toThrow(/not defined by "exports"/);
  });

  it("names an executable that starts with a hash-bang", () => {
    expect(readFileSync(join(root, manifest.bin.tollgate), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  });
});

describe("the build", () => {
  it("holds one GatewayError, whichever subpaths a program imports", () => {
    const homes = listBuilt(".js").filter((path) =>
      /\bclass GatewayError\b|GatewayError = class/.test(readBuilt(path)),
    );
    expect(homes).toHaveLength(1);
  });

  it("was made from src and adapters only", () => {
    const sources = listBuilt(".map").flatMap((path): string[] => {
      return JSON.parse(readBuilt(path)).sources.map((source: string) =>
        relative(root, join(dist, path, "..", source)),
      );
    });
    expect(sources.filter((source) => !/^(src|adapters)\//.test(source))).toEqual([]);
  });

  it("has a program see the records of the portal that it imports", () => {
    const program = `
      import type { RecordKind, Records, Where } from "tollgate";
      import type {} from "tollgate/portal";
      export const kinds: RecordKind[] = ["customer", "session"];
      export const where: Where<"token"> = { user_id: "u" };
      export async function nameOf(records: Records): Promise<string | undefined> {
        return (await records.get("user", "u"))?.record.username ?? (await records.get("role", "r"))?.record.name;
      }`;
    expect(checkProgram(program)).toEqual([]);
    expect(checkProgram(program.replace("username", "nickname"))).toHaveLength(1);
  });

  it("lets a program name every type that a public entry refers to", () => {
    const entries = Object.keys(readPublicEntries()).map((name) => readBuilt(`${name}.d.ts`));
    const exported = new Set(entries.flatMap((text) => listNames(text, /export (?:type )?\{([^}]*)\}/g)));
    const referred = new Set(
      entries.flatMap((text) => listNames(text, /import (?:type )?\{([^}]*)\} from '\.[^']*'/g)),
    );
    expect([...referred].filter((name) => !exported.has(name))).toEqual([]);
  });
});

/** What the compiler says of a program that stands beside `dist`, as one that has the package installed. */
function checkProgram(text: string): string[] {
  const path = join(root, "program-of-a-test.ts");
  const { NodeNext: module } = ts.ModuleKind;
  const options: ts.CompilerOptions = { module, target: ts.ScriptTarget.ES2023, strict: true, noEmit: true, types: [] };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? text : readFile(name));
  host.getSourceFile = (name, target) =>
    name === path ? ts.createSourceFile(name, text, target) : getSourceFile(name, target);
  const program = ts.createProgram([path], options, host);
  const found = [...program.getSemanticDiagnostics(program.getSourceFile(path)), ...program.getGlobalDiagnostics()];
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

function readBuilt(path: string): string {
  return readFileSync(join(dist, path), "utf8");
}

/** The names behind `as`, or as they are, in every list of names that `pattern` finds. */
function listNames(text: string, pattern: RegExp): string[] {
  const lists = [...text.matchAll(pattern)].map(([, list = ""]) => list.split(","));
  return lists.flat().map((name) => name.replace(/^.* as |^type |\$\d+$/g, "").trim());
}

describe("the tarball", () => {
  let packed: string[] = [];

  beforeAll(() => {
    const answer = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    packed = readPacked(JSON.parse(answer));
  }, 60_000);

  it("holds the build, its types and maps, the manifest, licence and README, and nothing else", () => {
    const expected =
      /^(dist\/[\w./-]+\.(js|js\.map|d\.ts)|dist\/(viewer|console)\/[\w./-]+|package\.json|LICENSE|README\.md|CHANGELOG\.md)$/;
    expect(packed.filter((path) => !expected.test(path))).toEqual([]);
    expect(packed).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/index.js", "dist/bin.js"]),
    );
  });

  it("holds no tests, fixtures, scripts or benches", () => {
    expect(packed.filter((path) => /(^|\/)(test|tests|fixtures|scripts|bench|examples)\/|\.test\./.test(path))).toEqual(
      [],
    );
  });

  it("holds nothing shaped like a credential, and no path of the machine that built it", () => {
    const key = /\bsk-(?!tg-|conformance-)[\w-]{20,}|\bAKIA[A-Z0-9]{16}|\bAIza[\w-]{35}|\bgh[pousr]_\w{36}/;
    const suspicious = packed.flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const [found] = key.exec(text) ?? /-----BEGIN [A-Z ]*PRIVATE KEY-----/.exec(text) ?? [];
      return [found?.slice(0, 12), text.includes(root) ? root : undefined]
        .filter(Boolean)
        .map((what) => `${path}: ${what}`);
    });
    expect(suspicious).toEqual([]);
  });
});

/** npm prints a list of packages, or since version 12 an object by name. */
function readPacked(answer: { files: { path: string }[] }[]): string[] {
  const [first] = Object.values(answer);
  return first?.files.map(({ path }) => path) ?? [];
}

describe("importing", () => {
  function importAll(specifiers: readonly string[]) {
    const { FORCE_COLOR, NO_COLOR, NODE_OPTIONS, ...environment } = process.env; // Node warns of some combinations
    const code = specifiers.map((specifier) => `await import(${JSON.stringify(specifier)});`).join("\n");
    return spawnSync(process.execPath, ["--input-type=module", "--eval", code], {
      cwd: root,
      encoding: "utf8",
      timeout: 15_000,
      env: { ...environment, NODE_ENV: "production" },
    });
  }

  it.each([[["tollgate"]], [["tollgate/route"]], [subpaths]])(
    "%s says nothing, warns of nothing and starts nothing",
    (specifiers) => {
      const { status, stdout, stderr } = importAll(specifiers);
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
    },
  );

  /** What is read from disk at once when a built file is imported: own files and packages. */
  function readClosure(entry: string): { bytes: number; packages: string[] } {
    const files = new Map<string, string>();
    const packages = new Set<string>();
    const queue = [entry];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (files.has(path)) continue;
      const text = readFileSync(join(root, path), "utf8");
      files.set(path, text);
      for (const { target, kind } of parseTree(new Map([[path, text]])).flatMap(({ imports }) => imports)) {
        if (kind === "call") continue;
        if (target.startsWith("dist/")) queue.push(target);
        else if (!target.startsWith("node:")) packages.add(target);
      }
    }
    const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return { bytes, packages: [...packages].sort() };
  }

  it("tollgate/route reads little and no package", () => {
    const { bytes, packages } = readClosure("dist/route.js");
    expect(packages).toEqual([]);
    expect(bytes).toBeLessThan(40_000);
  });

  it("tollgate reads no more than its size allows and only the packages that every program needs", () => {
    const { bytes, packages } = readClosure("dist/index.js");
    expect(packages.filter((name) => !["eventemitter3", "lru-cache", "p-retry", "zod"].includes(name))).toEqual([]);
    expect(bytes).toBeLessThan(745_000); // 744.4 KB: engine, schemas, forms of providers' answers, hooks of middleware and listener; the price list is one string of 55 KB until it is asked
  });
});
