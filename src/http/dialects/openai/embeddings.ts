import type { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { answerEmbed } from "../shared/dialect.ts";
import { newNotes } from "../shared/translation-warnings.ts";

/** `POST /openai/v1/embeddings`. The cast is the seam: the engine checks what it is given. */
export const answerEmbeddings: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "embedding";
  const request = (await readInput(requestContext, context)) as EmbeddingRequest;
  return answerEmbed({ request, notes: newNotes(), write: writeEmbeddings }, requestContext, context);
};

/** The vendor always reports usage; it is 0 where the provider reports none. */
function writeEmbeddings({ extra_fields: _extra, usage, ...rest }: EmbeddingResponse): object {
  const { prompt_tokens = 0, total_tokens = 0 } = usage ?? {};
  return { ...rest, object: "list", usage: { prompt_tokens, total_tokens } };
}
