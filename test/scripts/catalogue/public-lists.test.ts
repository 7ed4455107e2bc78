import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../adapters/prices/catalogue/index.ts";
import { compareWithLists } from "../../../scripts/catalogue/list-comparison.ts";
import { writeListReport } from "../../../scripts/catalogue/list-report.ts";
import { publicLists } from "../../../scripts/catalogue/public-lists.ts";

const report = readFileSync(new URL("../../../docs/prices-report.md", import.meta.url), "utf8");
const [, day = ""] = /^# Price sources, (\S+)/.exec(report) ?? [];
const found = compareWithLists(catalogue(), Date.parse(`${day}T12:00:00Z`));

/** Sellers whose list is one list for all customers and not a market. */
const vendors = /(?:openai|anthropic|gemini|xai|mistral|cohere|moonshot)$/;

describe("against two hand-kept price lists that are no sources of the catalogue", () => {
  const sums = [...found].filter(([key]) => vendors.test(key)).map(([, each]) => each);
  const sum = (pick: (each: (typeof sums)[number]) => number) => sums.reduce((total, each) => total + pick(each), 0);

  it("the catalogue knows the models of the large vendors", () => {
    expect(sum(({ models }) => models)).toBeGreaterThan(350);
    expect(sum(({ known }) => known) / sum(({ models }) => models)).toBeGreaterThan(0.97);
  });

  it("the catalogue has their prices", () =>
    expect(sum(({ equal }) => equal) / sum(({ known }) => known)).toBeGreaterThan(0.84));

  it("every difference has a reason", () =>
    expect(
      [...found.values()].flatMap(({ differences }) =>
        differences.filter(({ reason }) => reason === "unclassed").map(({ listed }) => listed),
      ),
    ).toEqual([]));

  it("the report shows the comparison as it is", () => expect(report.endsWith(writeListReport(found))).toBe(true));

  it.each(Object.entries(publicLists))(
    "%s is read at the version that is installed, under the licence that it states",
    (name, stated) => {
      const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
      const { version, license } = JSON.parse(readFileSync(file, "utf8")) as { version: string; license: string };
      expect({ version, licence: license }).toEqual(stated);
    },
  );
});
