// Makes adapters/prices/catalogue/snapshot.ts, the same in scripts/catalogue/snapshot.txt, and docs/prices-report.md from the packages that scripts/catalogue/sources.ts pins.
//   node scripts/build-catalogue.ts [YYYY-MM-DD]     the day that names the snapshot; today when absent
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareWithMap } from "./catalogue/coverage.ts";
import { writeCoverage } from "./catalogue/coverage-report.ts";
import { encodeSnapshot } from "./catalogue/encode.ts";
import { readGenai } from "./catalogue/genai.ts";
import { compareWithLists } from "./catalogue/list-comparison.ts";
import { writeListReport } from "./catalogue/list-report.ts";
import { readLitellm } from "./catalogue/litellm.ts";
import { mergeSources } from "./catalogue/merge.ts";
import { readModelsDev, readTokenlens } from "./catalogue/modelsdev.ts";
import { readPi } from "./catalogue/pi.ts";
import { readPriceMap } from "./catalogue/price-map.ts";
import { writeReport } from "./catalogue/report.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const snapshotFile = "adapters/prices/catalogue/snapshot.ts";
const date = process.argv[2] ?? new Date().toISOString().slice(0, 10);
const data = [await readGenai(), readPi(), await readModelsDev(), readLitellm(), readPriceMap(), await readTokenlens()];
const merged = mergeSources(data, date);
const snapshot = encodeSnapshot(merged.models, date);
writeFileSync(join(root, snapshotFile), snapshot.module);
writeFileSync(join(root, "scripts/catalogue/snapshot.txt"), snapshot.text);
execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", snapshotFile], { cwd: root });
// Loaded only now that the snapshot is written.
const { catalogue } = await import("../adapters/prices/catalogue/index.ts");
execFileSync(process.execPath, [join(root, "scripts/describe-models.ts")], { stdio: "inherit" });
const noon = Date.parse(`${date}T12:00:00Z`);
const coverage = writeCoverage(compareWithMap(catalogue(), noon));
const lists = writeListReport(compareWithLists(catalogue(), noon));
writeFileSync(
  join(root, "docs/prices-report.md"),
  `${writeReport({ data, merged, date })}\n${coverage.trimEnd()}\n\n${lists}`,
);
console.log(
  `${merged.models.length} models, ${Math.round(snapshot.text.length / 1024)} KB of text, ${Math.round(snapshot.module.length / 1024)} KB packed, ${merged.disagreements.length} disagreements over 1 %`,
);
