import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The version of this package. */
export function readVersion(): string {
  const manifest = createRequire(import.meta.url).resolve("tollgate/package.json"); // its own, built or not
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}
