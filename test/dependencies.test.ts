import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("package.json"));
const lock: Record<string, { license?: string; dev?: boolean }> = JSON.parse(read("package-lock.json")).packages;
const page = read("docs/decisions/dependencies.md");

/** Licences that anything here may have. */
const allowed = new Set(["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "MIT OR Apache-2.0"]);
/** Packages with another licence, each explained in docs/decisions/dependencies.md. */
const exceptions: Readonly<Record<string, string>> = { "lru-cache": "BlueOak-1.0.0", nodemailer: "MIT-0" };
/** Packages that state their licence in a file only: what the manifest would say. */
const statedInFile: Readonly<Record<string, string>> = { "cohere-ai": "MIT" };
/** Licences of tools that never ship, beside the allowed ones. */
const allowedForTools = new Set([
  "MIT-0",
  "MPL-2.0",
  "Unlicense",
  "PSF-2.0",
  "Python-2.0",
  "(MIT OR CC0-1.0)",
  "(AFL-2.1 OR BSD-3-Clause)",
]);

/** Packages whose manifest has the older list of licences, which the lock file leaves out. */
const statedInList: Readonly<Record<string, string>> = { busboy: "MIT", streamsearch: "MIT" };

const sections = ["dependencies", "peerDependencies", "devDependencies"] as const;
const direct = new Set(sections.flatMap((section) => Object.keys(manifest[section] ?? {})));

/** Rows `| name | licence | why |` of the page. */
const rows = new Map(
  [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, name = "", licence = "", reason = ""]) => {
    return [name, { licence: licence.trim(), reason: reason.trim() }];
  }),
);

describe("docs/decisions/dependencies.md", () => {
  it.each([...direct])("has a line for %s with its licence and a reason", (name) => {
    expect(rows.get(name)?.licence).toBe(lock[`node_modules/${name}`]?.license ?? statedInFile[name]);
    expect(rows.get(name)?.reason).toMatch(/\w{3,}.*\.$/);
  });

  it("has no line for what is gone", () => {
    expect([...rows.keys()].filter((name) => !direct.has(name))).toEqual([]);
  });
});

describe("licences", () => {
  const packages = Object.entries(lock)
    .filter(([path]) => path !== "")
    .map(([path, { license, dev }]) => {
      const name = path.replace(/^.*node_modules\//, "");
      return { name, dev, license: license ?? statedInFile[name] ?? statedInList[name] };
    });

  it("of everything that ships are in the allowed list, or a named exception", () => {
    const shipped = packages.filter(({ dev }) => dev !== true);
    const odd = shipped.filter(({ name, license = "none" }) => !allowed.has(license) && exceptions[name] !== license);
    expect(odd).toEqual([]);
  });

  it("of the tools are in the allowed lists", () => {
    const tools = packages.filter(({ dev }) => dev === true);
    const odd = tools.filter(({ license = "none" }) => !allowed.has(license) && !allowedForTools.has(license));
    expect(odd).toEqual([]);
  });

  it.each(Object.entries(statedInFile))("of %s is %s, as its file says", (name, licence) => {
    expect(lock[`node_modules/${name}`]?.license).toBeUndefined();
    expect(read(`node_modules/${name}/LICENSE`).startsWith(`${licence} License\n`)).toBe(true);
  });

  it.each(Object.entries(statedInList))("of %s is %s, as the list of its manifest says", (name, licence) => {
    expect(lock[`node_modules/${name}`]?.license).toBeUndefined();
    expect(JSON.parse(read(`node_modules/${name}/package.json`)).licenses).toMatchObject([{ type: licence }]);
  });

  it("need every exception that is named", () => {
    expect(
      Object.keys(exceptions).filter((name) => lock[`node_modules/${name}`]?.license !== exceptions[name]),
    ).toEqual([]);
  });
});

describe("package-lock.json", () => {
  it("pins no address of a registry", () => {
    expect(JSON.stringify(lock)).not.toContain('"resolved"');
  });
});
