// Compares the catalogue with the facts of the LiteLLM price map (scripts/catalogue/price-map.txt) and prints what differs.
//   node scripts/measure-prices.ts [YYYY-MM-DD] [--all]     the day of the prices; today when absent
import { catalogue } from "../adapters/prices/catalogue/index.ts";
import { addUp, type Coverage, compareWithMap } from "./catalogue/coverage.ts";

const [day] = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const at = day === undefined ? Date.now() : Date.parse(`${day}T12:00:00Z`);
const coverages = compareWithMap(catalogue(), at);
const share = (part: number, whole: number) => `${part} (${((100 * part) / whole).toFixed(1)} %)`;
const row = (name: string, { models, known, equal, complete, same }: Coverage) =>
  `${name.padEnd(10)} models ${models}, known ${share(known, models)}, of these equal ${share(equal, known)}, every rate ${share(complete, known)}, every rate equal ${share(same, known)}`;
for (const [provider, coverage] of coverages) console.log(row(provider, coverage));
const all = [...coverages.values()].reduce(addUp);
console.log(row("all", all));
for (const reason of new Set(all.differences.map((each) => each.reason))) {
  const list = all.differences.filter((each) => each.reason === reason);
  console.log(`${reason}: ${list.length} rates of ${new Set(list.map(({ model }) => model)).size} models`);
}
if (process.argv.includes("--all"))
  for (const { model, rate, ours, map, reason } of all.differences)
    console.log(`${reason} | ${model} | ${rate} | ${ours} | ${map}`);
