import type { Rule } from "./rule.ts";
import type { SourceFile } from "./tree.ts";

/** Tests that lie by what they do, not by a file: properties, shared suites, whole programs, and what checks the repository itself. */
const byKind =
  /^test\/(?:e2e|agents|console\/browser|architecture|fixtures|support|tiers|deploy|scripts)\/|\/(?:properties|conformance|contract|faults)\/|^test\/[^/]+$/;

/** The source that a test's path says, without its ending: `test/clouds/s3/policy.test.ts` → `adapters/clouds/s3/policy`. */
function sourceOf(path: string): string {
  const [, room = "", ...rest] = path.replace(/(?:\.servers|\.openstack)?\.test\.ts$/, "").split("/");
  const folder = { clouds: "adapters/clouds", adapters: "adapters", console: "console/src" }[room] ?? `src/${room}`;
  return [folder, ...rest].join("/");
}

function findLost(files: readonly SourceFile[]): string[] {
  const sources = new Set(files.map(({ path }) => path.replace(/(?:\/index)?\.tsx?$/, "")));
  return files
    .filter(({ path }) => path.endsWith(".test.ts") && !byKind.test(path))
    .filter(({ path }) => ![sourceOf(path), sourceOf(path).replace(/\/[^/]+$/, "")].some((one) => sources.has(one)))
    .map(({ path }) => `${path} tests no file of that path`);
}

/** Where tests lie. */
export const testRules: readonly Rule[] = [
  {
    title: "a test carries the path of the file that it tests, or that path and the name of a rule",
    find: findLost,
    planted: [
      { "test/engine/routing/plan.test.ts": "", "src/engine/routing/order.ts": "" },
      { "test/clouds/s3/policy.test.ts": "", "src/clouds/s3/policy.ts": "" },
    ],
  },
];
