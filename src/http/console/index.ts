import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { GatewayError } from "../../engine/errors.ts";

/** One file of the console as the build wrote it: `<name>.br` and `<name>.gz` are in the folder. */
const ConsoleFile = z.strictObject({
  /** The name below `/console/`. */
  path: z.string(),
  /** The media type. */
  type: z.string(),
  /** Bytes without compression. */
  size: z.int(),
  /** Of the uncompressed bytes, hexadecimal; the entity tag is made of it. */
  sha256: z.string(),
});
export type ConsoleFile = z.output<typeof ConsoleFile>;

/** The built console: where its files are, and what they are. */
export interface ConsoleFiles {
  /** The folder, as a path. */
  readonly folder: string;
  readonly manifest: readonly ConsoleFile[];
}

/** The built console: next to the built package, or in `dist` of a clone. */
const folders = [new URL("./console/", import.meta.url), new URL("../../../dist/console/", import.meta.url)];

/** Returns the console that comes with the package, for `createListener({ console })`. Throws `not_found` where it was not built. */
export function consoleFiles(): ConsoleFiles {
  for (const folder of folders) {
    const text = readIfThere(new URL("manifest.json", folder));
    if (text !== undefined)
      return { folder: fileURLToPath(folder), manifest: z.array(ConsoleFile).parse(JSON.parse(text)) };
  }
  throw new GatewayError("not_found", "The console is not built here: `npm run build` builds it.");
}

function readIfThere(file: URL): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
