// Makes scripts/catalogue/price-map.txt, the facts that the catalogue needs of the LiteLLM price map.
//   node scripts/extract-price-map.ts <map.json> <version> <YYYY-MM-DD>
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { extractPriceMap } from "./catalogue/extract.ts";

const [file, version, date] = process.argv.slice(2);
if (!file || !version || !date) throw new Error("usage: extract-price-map.ts <map.json> <version> <YYYY-MM-DD>");
const map = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, unknown>>;
const { lines, leftOut } = extractPriceMap(map);
const target = fileURLToPath(new URL("catalogue/price-map.txt", import.meta.url));
const header = [
  `# Facts of the price map that ships with LiteLLM ${version} (MIT), ${date}. Made by scripts/extract-price-map.ts; do not edit.`,
  "# The format is that of the snapshot, with D for the day on which a model retires and X for rates that it has no code for.",
  `# Left out: ${[...leftOut].map(([reason, count]) => `${count} ${reason}`).join(", ")}.`,
];
writeFileSync(target, `${[...header, ...lines].join("\n")}\n`);
console.log(`${lines.length} models, ${header[2]?.slice(2)}`);
