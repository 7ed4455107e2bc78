import type { EmbeddingRequest, EmbeddingResponse } from "../../../api/embeddings.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { type Answer, readInput } from "../../source.ts";
import { answerEmbed } from "../shared/family.ts";
import { type Notes, newNotes, type Place, refuseField, warnOfRest } from "../shared/notes.ts";
import { readVector, writeFloats } from "../shared/vectors.ts";
import { writeMeta } from "./rerank.ts";
import { CohereEmbedRequest } from "./schema.ts";

const parse = parserOf(CohereEmbedRequest);
const known = new Set(Object.keys(CohereEmbedRequest.shape));

interface Translated {
  readonly request: EmbeddingRequest;
  readonly notes: Notes;
  readonly texts: readonly string[];
  readonly types: readonly string[];
}

/** `POST /cohere/v2/embed`. */
export const answerVectors: Answer = async (exchange, source) => {
  const { request, notes, texts, types } = readRequest(await readInput(exchange, source));
  const write = ({ data, usage }: EmbeddingResponse) => {
    const vectors = [...data]
      .sort((one, other) => one.index - other.index)
      .map(({ embedding }) => readVector(embedding));
    const embeddings = {
      ...(types.includes("float") ? { float: vectors } : {}),
      ...(types.includes("base64") ? { base64: vectors.map(writeFloats) } : {}),
    };
    return { id: exchange.eventId, response_type: "embeddings_by_type", embeddings, texts, meta: writeMeta(usage) };
  };
  return answerEmbed({ request, notes, write }, exchange, source);
};

function readRequest(body: unknown): Translated {
  const asked = parse(body);
  const notes = newNotes({ input: asked.inputs === undefined ? "texts" : "inputs", dimensions: "output_dimension" });
  warnOfRest(asked, known, { notes, path: "" });
  const { model, output_dimension: dimensions, input_type, fallbacks, embedding_types: types = ["float"] } = asked;
  const texts = readTexts(asked);
  const request: EmbeddingRequest = {
    model,
    input: texts,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(input_type === undefined ? {} : { input_type }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
  };
  return { request, notes, texts, types };
}

function readTexts({ texts, images, inputs }: CohereEmbedRequest): string[] {
  if (images !== undefined && images.length > 0)
    throw refuseField("images", "cannot be sent: only texts are embedded.");
  if (inputs !== undefined) return inputs.map(({ content }, at) => readInner(content, `inputs.${at}.content`));
  if (texts === undefined || texts.length === 0) throw refuseField("texts", "is missing.");
  return texts;
}

type Content = NonNullable<CohereEmbedRequest["inputs"]>[number]["content"];

function readInner(content: Content, path: Place["path"]): string {
  const texts = content.map((part, at) => {
    if (part.type !== "text") throw refuseField(`${path}.${at}.type`, "can only be text.");
    return part.text;
  });
  return texts.join("\n");
}
