import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { pages } from "../scripts/docs.ts";

it.each(Object.entries(pages))("%s says what the code says (node scripts/docs.ts writes it anew)", (path, write) => {
  const present = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  expect(present).toBe(write(present));
});
