import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The rooms whose rules are tested with a clock that stands still: a module that loads at its first use takes turns that no clock counts. */
const rooms = "src/{engine,operations,portal,http}/**/*.ts";

const root = join(import.meta.dirname, "../..");
const lazy = globSync(rooms, { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, target = ""]) =>
    join(root, dirname(file), target),
  ),
);

// Loaded before the first test of a worker: else what a test sees would depend on the files that ran before it.
for (const path of new Set(lazy)) await import(/* @vite-ignore */ path);
