import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Replaces what was built by its compressed forms, `<name>.br` and `<name>.gz`, and lists it in `manifest.json`. */
export function compressed(folder: string): Plugin {
  return {
    name: "compressed",
    closeBundle: { order: "post", handler: () => compressAll(folder) },
  };
}

function compressAll(folder: string): void {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => extname(path) in types);
  const files = paths.sort().map((path) => {
    const bytes = readFileSync(join(folder, path));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const br = brotliCompressSync(bytes, { params });
    const gz = gzipSync(bytes, { level: 9 });
    writeFileSync(join(folder, `${path}.br`), br);
    writeFileSync(join(folder, `${path}.gz`), gz);
    rmSync(join(folder, path));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { path: path.replaceAll("\\", "/"), type: types[extname(path)], size: bytes.length, sha256 };
  });
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(files, null, 1)}\n`);
}
