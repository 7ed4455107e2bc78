import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { tellStalled } from "./scripts/stalled.ts";
import { tallyInto } from "./scripts/tally.ts";

const { TALLY, WITHOUT } = process.env;

/** For the gate, whose reader has only what was printed. */
const gate = (path: string) => [
  tallyInto(path),
  tellStalled({ quietMs: 120_000, tell: (line) => process.stdout.write(line) }),
];

/** In every project: helpers of the tests rely on it. */
const setupFiles = ["test/setup.ts"];

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    maxWorkers: availableParallelism(), // one less unless told, which is half of a machine with two cores
    reporters: TALLY === undefined ? ["dot"] : ["dot", ...gate(TALLY)],
    projects: [
      {
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/e2e/**",
            "test/agents/**",
            "test/console/browser/**",
            "test/**/*.servers.test.ts",
            "test/**/*.openstack.test.ts",
            ...(WITHOUT === undefined ? [] : [WITHOUT]), // of the gate: `--exclude` says nothing to a project
          ],
          testTimeout: 180_000, // properties take 10 s on a quiet machine; a loaded one must not fail them
          isolate: false, // half of the time went into importing the sources anew for each of 300 files
          execArgv: ["--max-old-space-size=1100"], // what the files of a worker left is collected: Node would let it grow to 4 GB
          setupFiles: [...setupFiles, "test/setup-fast.ts"],
        },
      },
      {
        // Whole programs: started one after the other, so that they do not measure or starve each other.
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          fileParallelism: false,
          setupFiles,
          execArgv: ["--expose-gc"], // one of them judges the heap
          testTimeout: 240_000,
          hookTimeout: 600_000, // installs Chromium on its first run
        },
      },
      {
        // The web console in Debian's Chromium, over `tollgate serve`: `npm run test:console`.
        test: {
          name: "console",
          include: ["test/console/browser/**/*.test.ts"],
          fileParallelism: false,
          setupFiles,
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Coding agents of the npm registry against a gateway of their own; the suites install them themselves.
        test: {
          name: "agents",
          include: ["test/agents/**/*.test.ts"],
          fileParallelism: false,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 420_000, // the first run of each fetches up to 400 MB
        },
      },
      {
        // Against the real servers of shared/servers, which the suites install and start themselves.
        test: {
          name: "servers",
          include: ["test/**/*.servers.test.ts"],
          fileParallelism: false,
          setupFiles,
          testTimeout: 240_000,
          hookTimeout: 900_000, // the first start builds a kube-apiserver
        },
      },
      {
        // The same against the whole OpenStack, which takes 2.5 GB of memory: `npm run test:openstack`.
        test: {
          name: "openstack",
          include: ["test/**/*.openstack.test.ts"],
          fileParallelism: false,
          setupFiles,
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
