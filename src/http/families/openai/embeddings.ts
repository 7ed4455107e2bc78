import type { EmbeddingRequest, EmbeddingResponse } from "../../../api/embeddings.ts";
import { type Answer, readInput } from "../../source.ts";
import { answerEmbed } from "../shared/family.ts";
import { newNotes } from "../shared/notes.ts";

/** `POST /openai/v1/embeddings`. The cast is the seam: the engine checks what it is given. */
export const answerEmbeddings: Answer = async (exchange, source) => {
  const request = (await readInput(exchange, source)) as EmbeddingRequest;
  return answerEmbed({ request, notes: newNotes(), write: writeEmbeddings }, exchange, source);
};

/** The vendor always tells usage; where nobody counted it is 0. */
function writeEmbeddings({ extra_fields: _extra, usage, ...rest }: EmbeddingResponse): object {
  const { prompt_tokens = 0, total_tokens = 0 } = usage ?? {};
  return { ...rest, object: "list", usage: { prompt_tokens, total_tokens } };
}
