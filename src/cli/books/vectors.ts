import type { VectorIndex } from "../../ports/vectors.ts";
import { onlyPresent } from "../present.ts";
import { closing, openPool } from "./pool.ts";

/**
 * Vectors that all gateways with this address share, kept for `ttl` milliseconds. Throws `invalid_configuration` where the database cannot
 * be reached, or cannot keep vectors.
 */
export async function vectorsAt(address: string, ttl: number | undefined): Promise<VectorIndex> {
  const { pool, schema } = await openPool(address, "cache.vectors");
  const { pgvectorIndex } = await import("tollgate/vectors/pgvector");
  const index = pgvectorIndex({ pool, ...onlyPresent({ schema, ttl }) });
  const close = closing(pool, index);
  try {
    await index.delete("", ""); // there is none: it makes the schema, or tells now why it cannot
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ...index, close };
}
