import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { compatibleProviders, custom } from "../adapters/providers/compatible/index.ts";
import {
  callerHeadersSentTo,
  featureOf,
  type ProbedVendor,
  probe,
  probedVendors,
} from "../scripts/describe-vendors.ts";
import { pages } from "../scripts/docs.ts";

it.each(Object.entries(pages))("%s says what the code says (node scripts/docs.ts writes it anew)", (path, write) => {
  const present = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  expect(present).toBe(write(present));
});

const root = new URL("../", import.meta.url);
const markdown = globSync(["*.md", "docs/**/*.md", "deploy/**/*.md", "examples/**/*.md"], { cwd: fileURLToPath(root) });

/** A path of this tree between backticks; what the changelog names may be gone. */
const namedPath = /`((?:src|adapters|console|test|scripts|bench)\/[\w./-]+)`/g;

it.each(markdown.filter((path) => path !== "CHANGELOG.md"))("every file that %s names exists", (path) => {
  const text = readFileSync(new URL(path, root), "utf8");
  const named = [...text.matchAll(namedPath)].map(([, name = ""]) => name);
  expect(named.filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});

describe("the map, docs/architecture.md,", () => {
  const map = readFileSync(new URL("docs/architecture.md", root), "utf8");

  it("names every folder two levels deep", () => {
    const folders = globSync(["src/*/*/", "adapters/*/*/", "console/src/*/"], { cwd: fileURLToPath(root) });
    const inRow = (folder: string) => {
      const parent = folder.replace(/[^/]+$/, "");
      const row = map.split("\n").find((line) => line.startsWith(`| \`${parent}\` |`)) ?? "";
      return map.includes(`\`${folder}/\``) || row.includes(`\`${folder.slice(parent.length)}/\``);
    };
    const isFolder = (path: string) => statSync(new URL(path, root)).isDirectory();
    expect(folders.filter((path) => isFolder(path) && !inRow(path.replace(/\/$/, "")))).toEqual([]);
  });

  it("has a row for each everyday task", () => {
    const tasks = map.slice(map.indexOf("## Where a new part goes"), map.indexOf("## Questions of a stranger"));
    const rows = tasks.split("\n").filter((line) => line.startsWith("| a"));
    for (const row of rows) expect(row).toMatch(namedPath);
    expect(rows.length).toBeGreaterThanOrEqual(10);
  });
});

it("the index of decisions lists every one of them", () => {
  const folder = new URL("docs/decisions/", root);
  const index = readFileSync(new URL("README.md", folder), "utf8");
  const pages = readdirSync(folder).filter((name) => /^\d/.test(name));
  expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
});

describe("the table of vendors and features", () => {
  const vendorWith = (dialect: Parameters<typeof custom>[1]["dialect"]): ProbedVendor => ({
    name: "odd",
    model: "m",
    make: (wire) => custom("odd", { ...wire, embeds: false, dialect }),
  });

  it("has a row for every vendor of the compatible table and for the native ones", () => {
    const names = new Set(probedVendors.map(({ name }) => name));
    expect(Object.keys(compatibleProviders).filter((name) => !names.has(name))).toEqual([]);
    for (const name of ["openai", "anthropic", "gemini", "cohere", "bedrock", "vertex", "watsonx", "systemone"]) {
      expect(names).toContain(name);
    }
  });

  it("names the headers of callers that a vendor is sent by default, which its adapter states", async () => {
    const sent = await Promise.all(
      probedVendors.map(async (vendor) => [vendor.name, await callerHeadersSentTo(vendor)]),
    );
    const named = Object.fromEntries(sent.filter(([, headers]) => headers?.length));
    const ofRows = Object.entries(compatibleProviders).flatMap(([name, row]) =>
      "callerHeaders" in row ? [[name, row.callerHeaders]] : [],
    );
    const ofNative = { openai: ["openai-beta"], bedrock: ["x-amzn-bedrock-service-tier"] };
    expect(named).toEqual({ ...ofNative, ...Object.fromEntries(ofRows) });
    const odd: ProbedVendor = {
      name: "odd",
      model: "m",
      make: (wire) => custom("odd", { ...wire, embeds: false, dialect: {}, callerHeaders: ["openai-beta"] }),
    };
    expect(await callerHeadersSentTo(odd)).toEqual(["openai-beta"]);
  });

  it.each([
    ["tools", {}, { isOffered: true, remarks: 0 }],
    ["tools", { unsupported: ["parallel_tool_calls"] }, { isOffered: true, remarks: 1 }],
    ["tools", { unsupported: ["tools"] }, { isOffered: false, remarks: 1 }],
    ["schema", { unsupported: ["response_format"] }, { isOffered: false, remarks: 1 }],
    ["thinking", { reasoning: "unsupported" }, { isOffered: false, remarks: 1 }],
    ["thinking", { efforts: { medium: "high" } }, { isOffered: true, remarks: 1 }],
    ["embeddings", {}, { isOffered: false, remarks: 0 }],
  ] as const)("%s of a vendor with %j", async (title, dialect, { isOffered, remarks }) => {
    const result = await probe(vendorWith(dialect), featureOf(title));
    expect({ isOffered: result.isOffered, remarks: result.remarks.length }).toEqual({ isOffered, remarks });
  });
});
