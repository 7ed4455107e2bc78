import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inference } from "../src/operations/inference.ts";
import { createRouter } from "../src/operations/router.ts";
import { judge, median, printTable } from "./table.ts";

/** Cold imports of the built package, each in a fresh process, and the router. */
const dist = fileURLToPath(new URL("../dist/", import.meta.url));

function coldImport(file: string): number {
  const script = `const t = performance.now(); await import(${JSON.stringify(dist + file)}); console.log(performance.now() - t);`;
  const run = () => Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }));
  return median(Array.from({ length: 7 }, run));
}

const providers = readdirSync(`${dist}providers`).filter((file) => file.endsWith(".js"));
const imports = ["route.js", "index.js", "testing.js", ...providers.map((file) => `providers/${file}`)].map((file) => {
  const ms = coldImport(file);
  const limits = file === "route.js" ? { goal: "20 / 40", verdict: judge(ms, { goal: 20, floor: 40 }) } : {};
  return {
    what: `tollgate/${file.replace(/\.js$/, "").replace(/^index$/, ".")}`,
    value: `${ms.toFixed(1)} ms`,
    ...limits,
  };
});
printTable("Cold import", imports);

const match = createRouter(Object.values(inference));
const paths = Object.values(inference).map(({ method, path }) => ({ method, path }));
const count = 2_000_000;
const times: number[] = [];
for (let round = 0; round < 5; round++) {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) {
    const { method, path } = paths[n % paths.length] as { method: string; path: string };
    match(method, path);
  }
  const { user, system } = process.cpuUsage(before);
  times.push((user + system) / count);
}
const each = median(times);
printTable("Router", [
  { what: "match, µs", value: each.toFixed(3), goal: "5 / 5", verdict: judge(each, { goal: 5, floor: 5 }) },
]);
