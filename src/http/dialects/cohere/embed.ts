import type { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import { answerEmbed } from "../shared/dialect.ts";
import { type FieldPath, type Notes, newNotes, warnOfRest } from "../shared/translation-warnings.ts";
import { readVector, writeFloats } from "../shared/vectors.ts";
import { writeMeta } from "./rerank.ts";
import { CohereEmbedRequest } from "./schema.ts";

const parse = parserOf(CohereEmbedRequest);
const known = new Set(Object.keys(CohereEmbedRequest.shape));

interface CohereEmbedding {
  readonly request: EmbeddingRequest;
  readonly notes: Notes;
  readonly texts: readonly string[];
  readonly types: readonly string[];
}

/** `POST /cohere/v2/embed`. */
export const answerVectors: RequestHandler = async (requestContext, context) => {
  requestContext.requestType = "embedding";
  const { request, notes, texts, types } = readRequest(await readInput(requestContext, context));
  const write = ({ data, usage }: EmbeddingResponse) => {
    const vectors = [...data]
      .sort((one, other) => one.index - other.index)
      .map(({ embedding }) => readVector(embedding));
    const embeddings = {
      ...(types.includes("float") ? { float: vectors } : {}),
      ...(types.includes("base64") ? { base64: vectors.map(writeFloats) } : {}),
    };
    return {
      id: requestContext.eventId,
      response_type: "embeddings_by_type",
      embeddings,
      texts,
      meta: writeMeta(usage),
    };
  };
  return answerEmbed({ request, notes, write }, requestContext, context);
};

function readRequest(body: unknown): CohereEmbedding {
  const parsed = parse(body);
  const notes = newNotes({ input: parsed.inputs === undefined ? "texts" : "inputs", dimensions: "output_dimension" });
  warnOfRest(parsed, known, { notes, path: "" });
  const {
    model,
    output_dimension: dimensions,
    input_type,
    truncate,
    fallbacks,
    embedding_types: types = ["float"],
  } = parsed;
  const texts = readTexts(parsed);
  const request: EmbeddingRequest = {
    model,
    input: texts,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(input_type === undefined ? {} : { input_type }),
    ...(truncate === undefined ? {} : { truncate: truncate.toLowerCase() }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
  };
  return { request, notes, texts, types };
}

function readTexts({ texts, images, inputs }: CohereEmbedRequest): string[] {
  if (images !== undefined && images.length > 0)
    throw invalidRequest("images", "cannot be sent: only texts are embedded.");
  if (inputs !== undefined) return inputs.map(({ content }, at) => readInner(content, `inputs.${at}.content`));
  if (texts === undefined || texts.length === 0) throw invalidRequest("texts", "is missing.");
  return texts;
}

type Content = NonNullable<CohereEmbedRequest["inputs"]>[number]["content"];

function readInner(content: Content, path: FieldPath["path"]): string {
  const texts = content.map((part, at) => {
    if (part.type !== "text") throw invalidRequest(`${path}.${at}.type`, "can only be text.");
    return part.text;
  });
  return texts.join("\n");
}
