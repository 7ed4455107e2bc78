// Makes adapters/prices/catalogue/descriptions.ts for the models of the snapshot: names and knowledge cutoffs, from the packages that
// scripts/catalogue/sources.ts pins.
//   node scripts/describe-models.ts
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue } from "../adapters/prices/catalogue/index.ts";
import { writeDescriptions } from "./catalogue/descriptions.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const file = "adapters/prices/catalogue/descriptions.ts";
writeFileSync(join(root, file), await writeDescriptions(catalogue().list(Date.now())));
execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", file], { cwd: root });
