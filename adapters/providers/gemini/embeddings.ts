import type { Embedding, EmbeddingRequest, EmbeddingResponse } from "../../../src/api/embeddings.ts";
import { GatewayError } from "../../../src/errors.ts";
import { invalidRequest, type Translation } from "../../shared/chat/fields.ts";
import { isRecord } from "../../shared/http/fault.ts";
import { embeddingUsage } from "./usage.ts";
import type { WireUsage } from "./wire.ts";

const known = new Set(["model", "input", "fallbacks", "encoding_format", "dimensions"]);

/** What is asked for embeddings: one text by a method of its own, more in a batch. */
export interface EmbedQuestion {
  readonly method: "embedContent" | "batchEmbedContents";
  readonly body: unknown;
}

/** Writes a request for embeddings; the vendor takes texts, not tokens. */
export function toEmbedQuestion(request: EmbeddingRequest, { provider, call }: Translation): EmbedQuestion {
  for (const [field, value] of Object.entries(request)) {
    if (!known.has(field) && value !== undefined && value !== null) {
      call.warn(`\`${field}\` is not supported by ${provider}`);
    }
  }
  const requests = textsOf(request).map((text) => {
    if (typeof text !== "string") throw invalidRequest("input", `of tokens cannot be sent: ${provider} takes texts.`);
    const content = { parts: [{ text }] };
    return { model: `models/${call.model}`, content, outputDimensionality: request.dimensions };
  });
  const [only] = requests;
  return requests.length === 1
    ? { method: "embedContent", body: only }
    : { method: "batchEmbedContents", body: { requests } };
}

function textsOf({ input }: EmbeddingRequest): readonly unknown[] {
  return typeof input === "string" ? [input] : input;
}

/** The vectors, in the order of the input. */
export function fromEmbedAnswer(
  body: unknown,
  request: EmbeddingRequest,
  { provider, call }: Translation,
): EmbeddingResponse {
  const answer = isRecord(body) ? body : {};
  const vectors = Array.isArray(answer.embeddings)
    ? answer.embeddings
    : isRecord(answer.embedding)
      ? [answer.embedding]
      : [];
  const expected = textsOf(request).length;
  if (vectors.length !== expected) {
    const message = `${provider} gave ${vectors.length} vectors for ${expected} texts.`;
    throw new GatewayError("upstream_invalid_response", message);
  }
  const usage = embeddingUsage(answer.usageMetadata as WireUsage | undefined);
  return {
    object: "list",
    model: call.model,
    data: vectors.map((vector, index) => embeddingOf(vector, index, request)),
    ...(usage === undefined ? {} : { usage }),
  };
}

function embeddingOf(vector: unknown, index: number, { encoding_format }: EmbeddingRequest): Embedding {
  const values = isRecord(vector) && Array.isArray(vector.values) ? (vector.values as number[]) : [];
  return { object: "embedding", index, embedding: encoding_format === "base64" ? base64Of(values) : values };
}

/** Little-endian float32, as the wire has it. */
function base64Of(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString("base64");
}
