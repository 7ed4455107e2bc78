import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pages } from "../scripts/docs.ts";

it.each(Object.entries(pages))("%s says what the code says (node scripts/docs.ts writes it anew)", (path, write) => {
  const present = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  expect(present).toBe(write(present));
});

it.each(["docs/architecture.md", "docs/glossary.md", "CONTRIBUTING.md"])("every file that %s names exists", (path) => {
  const root = new URL("../", import.meta.url);
  const text = readFileSync(new URL(path, root), "utf8");
  const named = [...text.matchAll(/`((?:src|adapters|test|scripts|bench)\/[\w./-]+)`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !existsSync(new URL(name, root)))).toEqual([]);
});
