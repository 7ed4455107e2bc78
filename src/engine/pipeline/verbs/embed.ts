import { EmbeddingRequest, type EmbeddingResponse } from "../../api/embeddings.ts";
import { GatewayError } from "../../errors.ts";
import { boundEmbedding } from "../../metering/usage-bound.ts";
import { recordingAnswers } from "../accounting/sub-calls.ts";
import { checkForm } from "../attempts/answer-form.ts";
import type { Attempt } from "../attempts/attempt.ts";
import { requestParserOf } from "../call/parse.ts";
import { deliverWhole, discardWhole } from "../delivery/whole.ts";
import { checkLength } from "./text-length.ts";
import type { Verb } from "./verb.ts";

export const embed: Verb<EmbeddingRequest, EmbeddingResponse, EmbeddingResponse> = {
  requestType: "embedding",
  route: "embed",
  parse: requestParserOf(EmbeddingRequest),
  fields: EmbeddingRequest.shape,
  async ask(provider, { allow_other_model: _allowed, ...request }, attempt) {
    checkTexts(request, attempt);
    return withLengths(
      checkForm("vectors", await provider.embed(request, recordingAnswers(attempt)), attempt),
      request,
      attempt,
    );
  },
  deliver: ({ call }, served) => deliverWhole(call, served),
  discard: discardWhole,
  bound: boundEmbedding,
};

/** Says which texts are empty or longer than what the model is known to read; throws where the request wants neither. */
function checkTexts({ input, truncate }: EmbeddingRequest, attempt: Attempt): void {
  const texts = (typeof input === "string" ? [input] : input) as readonly unknown[];
  for (const [index, text] of texts.entries()) {
    if (typeof text !== "string") return; // token arrays
    const name = typeof input === "string" ? "input" : `input.${index}`;
    checkLength({ name, text, truncate }, attempt, "is empty, and its vector says nothing");
  }
}

/** Throws for vectors of another length than was asked for: whoever stores them could not compare them with the others. */
function withLengths(
  answer: EmbeddingResponse,
  { dimensions }: EmbeddingRequest,
  { target: { name, provider } }: Attempt,
): EmbeddingResponse {
  const other =
    dimensions && answer.data.map(({ embedding }) => lengthOf(embedding)).find((each) => each !== dimensions);
  if (!other) return answer;
  const message = `${name} gave vectors of ${other} numbers where \`dimensions\` are ${dimensions}.`;
  throw new GatewayError("upstream_invalid_response", message, { provider });
}

/** Bytes of a number in base64. */
const bytesPerNumber = 4;

/** Numbers of a vector, whatever its format; of several vectors of one text, those of each. */
export function lengthOf(embedding: EmbeddingResponse["data"][number]["embedding"]): number {
  if (typeof embedding === "string") return Buffer.from(embedding, "base64").length / bytesPerNumber;
  const [first] = embedding;
  return Array.isArray(first) ? first.length : embedding.length;
}
