import type { VectorIndex } from "../../engine/ports/vectors.ts";
import { onlyPresent } from "../present-options.ts";
import { closing, openPool } from "./pool.ts";
import type { ConfiguredServer } from "./unusable.ts";

/** The vector index and its retention in milliseconds. */
interface VectorsLocation extends Pick<ConfiguredServer, "address" | "notify"> {
  readonly ttl: number | undefined;
}

/**
 * Vectors that all gateways with this address share. An unreachable database is reported. Throws `invalid_configuration` if the database
 * does not support vectors.
 */
export async function vectorsAt({ address, notify, ttl }: VectorsLocation): Promise<VectorIndex> {
  const { pool, schema, isReached } = await openPool({ address, setting: "cache.vectors", notify });
  const { pgvectorIndex } = await import("tollgate/vectors/pgvector");
  const index = pgvectorIndex({ pool, ...onlyPresent({ schema, ttl }) });
  const close = closing(pool, index);
  try {
    if (isReached) await index.delete("", ""); // there is none: it makes the schema, or tells now why it cannot
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ...index, close };
}
