import { brotliDecompressSync } from "node:zlib";

/** The lines of a provider as the snapshot packs them; `scripts/catalogue/snapshot.txt` has them to read. */
export function unpack(packed: string): string {
  return brotliDecompressSync(Buffer.from(packed, "base64")).toString("utf8");
}
