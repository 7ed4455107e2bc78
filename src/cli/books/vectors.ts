import type { VectorIndex } from "../../ports/vectors.ts";
import { onlyPresent } from "../present.ts";
import { closing, openPool } from "./pool.ts";
import type { Wanted } from "./unusable.ts";

/** Where vectors are kept, and for how many milliseconds. */
interface VectorsPlace extends Pick<Wanted, "address" | "tell"> {
  readonly ttl: number | undefined;
}

/**
 * Vectors that all gateways with this address share. A database that is out of reach is told; throws `invalid_configuration` for one that
 * cannot keep vectors.
 */
export async function vectorsAt({ address, tell, ttl }: VectorsPlace): Promise<VectorIndex> {
  const { pool, schema, isReached } = await openPool({ address, setting: "cache.vectors", tell });
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
