import type { KnipConfig } from "knip";
import { readEntries } from "./scripts/entries.ts";

const config: KnipConfig = {
  // `!` marks what ships: `knip --production` then finds a devDependency that the package imports at run time.
  entry: [...Object.values(readEntries()).map((source) => `${source}!`), "bench/*.ts", "examples/**/*.ts"],
  project: ["{src,adapters}/**/*.ts!", "{test,bench,examples,scripts}/**/*.{ts,mjs}", "*.ts"],
};

export default config;
