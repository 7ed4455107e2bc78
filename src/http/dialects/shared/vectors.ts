import type { Embedding } from "../../../engine/api/embeddings.ts";
import { GatewayError } from "../../../engine/errors.ts";

/** A vector as numbers, from numbers or base64; throws `upstream_invalid_response` for a list of several vectors. */
export function readVector(embedding: Embedding["embedding"]): number[] {
  if (typeof embedding === "string") return readFloats(Buffer.from(embedding, "base64"));
  if (embedding.every((value) => typeof value === "number")) return embedding as number[];
  throw new GatewayError(
    "upstream_invalid_response",
    "The model returns several vectors for a text; this interface supports one.",
  );
}

/** Little-endian float32, as the wire has them. */
function readFloats(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}

/** A vector in base64 of little-endian float32. */
export function writeFloats(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [at, value] of vector.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}
