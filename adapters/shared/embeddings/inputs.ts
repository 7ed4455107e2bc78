import type { EmbeddingRequest } from "../../../src/engine/api/embeddings.ts";
import { type EmbeddingInput, inputsOf } from "../../../src/engine/dialects/embedding-inputs.ts";
import { unsupported } from "../../../src/engine/dialects/refusals.ts";

/** The inputs of a request for a vendor that takes no tokens; throws `invalid_request` where some are given. */
export function textsOf(request: EmbeddingRequest, provider: string): string[] {
  return inputsOf(request).map((input) => {
    if (typeof input === "string") return input;
    throw unsupported("input", `of tokens cannot be sent: ${provider} takes texts.`);
  });
}

/** The most that a vendor takes in one request. */
export interface InputLimits {
  readonly inputs: number;
  /** Tokens of all inputs together. */
  readonly tokens?: number | undefined;
}

/**
 * The inputs in parts that a vendor takes, in order; joined they are the inputs again. Tokens of texts are bounded by their bytes, so a
 * part may be smaller than it could be and is never larger. An input that passes the limit by itself is a part, for the vendor to judge.
 */
export function splitInputs<Input extends EmbeddingInput>(inputs: readonly Input[], limits: InputLimits): Input[][] {
  const { inputs: most, tokens: mostTokens = Infinity } = limits;
  const parts: Input[][] = [];
  let part: Input[] = [];
  let tokens = 0;
  for (const input of inputs) {
    const size = typeof input === "string" ? Buffer.byteLength(input) : input.length;
    if (part.length > 0 && (part.length >= most || tokens + size > mostTokens)) {
      parts.push(part);
      part = [];
      tokens = 0;
    }
    part.push(input);
    tokens += size;
  }
  return part.length === 0 ? parts : [...parts, part];
}
