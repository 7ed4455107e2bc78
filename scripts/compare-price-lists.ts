// Compares the catalogue with two hand-kept price lists and writes the section of docs/prices-report.md about them.
//   node scripts/compare-price-lists.ts
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { catalogue } from "../adapters/prices/catalogue/index.ts";
import { compareWithLists } from "./catalogue/list-comparison.ts";
import { listHeading, writeListReport } from "./catalogue/list-report.ts";

const file = fileURLToPath(new URL("../docs/prices-report.md", import.meta.url));
const report = readFileSync(file, "utf8");
const [, date = ""] = /^# Price sources, (\S+)/.exec(report) ?? [];
const found = compareWithLists(catalogue(), Date.parse(`${date}T12:00:00Z`));
const end = report.indexOf(listHeading);
const before = (end < 0 ? report : report.slice(0, end)).trimEnd();
writeFileSync(file, `${before}\n\n${writeListReport(found)}`);
const unclassed = [...found.values()].flatMap(({ differences }) =>
  differences.filter((each) => each.reason === "unclassed"),
);
console.log(`${unclassed.length} differences without a reason`);
