import type { Embedding, EmbeddingRequest } from "../../../src/engine/api/embeddings.ts";

type Vector = Embedding["embedding"];

/** A vector in the format that the caller asks for: numbers unless it is base64. Several vectors of one text stay numbers. */
export function inFormat(vector: Vector, format: EmbeddingRequest["encoding_format"]): Vector {
  if (format === "base64") return isPlain(vector) ? toBase64(vector) : vector;
  return typeof vector === "string" ? fromBase64(vector) : vector;
}

/** True of what holds something, and nothing but numbers: one vector, or several of one text. */
export function isVector(raw: unknown): raw is Vector {
  if (typeof raw === "string") return raw !== "";
  return Array.isArray(raw) && raw.length > 0 && (raw.every(Number.isFinite) || raw.every(isNumbers));
}

function isNumbers(raw: unknown): boolean {
  return Array.isArray(raw) && raw.length > 0 && raw.every(Number.isFinite);
}

function isPlain(vector: Vector): vector is number[] {
  return Array.isArray(vector) && !Array.isArray(vector[0]);
}

/** Little-endian float32, as the wire has it. */
export function toBase64(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}

/** The numbers of a vector in base64; each is what float32 has of it. */
export function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}
