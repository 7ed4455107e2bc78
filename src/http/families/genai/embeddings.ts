import type { EmbeddingRequest, EmbeddingResponse } from "../../../api/embeddings.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import type { Exchange } from "../../endpoint.ts";
import { type Answer, readInput } from "../../source.ts";
import { answerEmbed as answerThrough } from "../shared/family.ts";
import { type Notes, newNotes, type Place, refuseField, warnOfRest } from "../shared/notes.ts";
import { readVector } from "../shared/vectors.ts";
import { toCamelCase } from "./names.ts";
import { GenaiBatchEmbedRequest, GenaiEmbedRequest } from "./schema.ts";

interface TranslatedRequest {
  readonly request: EmbeddingRequest;
  readonly notes: Notes;
}

const parseOne = parserOf(GenaiEmbedRequest);
const parseBatch = parserOf(GenaiBatchEmbedRequest);
/** The vendor's types of task in the words that most others have; the rest are its own. */
const inputTypes: Readonly<Record<string, string | undefined>> = {
  RETRIEVAL_QUERY: "search_query",
  RETRIEVAL_DOCUMENT: "search_document",
  CLASSIFICATION: "classification",
  CLUSTERING: "clustering",
  TASK_TYPE_UNSPECIFIED: undefined,
};

const known = new Set(Object.keys(GenaiEmbedRequest.shape));

/** `POST /genai/v1beta/models/{model}:embedContent`. */
export const answerEmbed: Answer = async (exchange, source) => {
  const turn = readEmbed(modelOf(exchange), await readInput(exchange, source));
  return answerThrough({ ...turn, write: (answer) => ({ embedding: writeVectors(answer)[0] }) }, exchange, source);
};

/** `POST /genai/v1beta/models/{model}:batchEmbedContents`. */
export const answerBatchEmbed: Answer = async (exchange, source) => {
  const turn = readBatch(modelOf(exchange), await readInput(exchange, source));
  return answerThrough({ ...turn, write: (answer) => ({ embeddings: writeVectors(answer) }) }, exchange, source);
};

/** The model that the path names, noted for the body of an error. */
function modelOf(exchange: Exchange): string {
  exchange.model = exchange.params.model ?? "";
  return exchange.model;
}

function readEmbed(model: string, body: unknown): TranslatedRequest {
  const asked = parseOne(toCamelCase(body));
  const notes = newNotes({ input: "content", dimensions: "outputDimensionality", input_type: "taskType" });
  const input = readText(asked, model, { notes, path: "" });
  return { request: requestOf(model, input, asked), notes };
}

/** The vectors of one request are all of one size, and for one purpose. */
function readBatch(model: string, body: unknown): TranslatedRequest {
  const { requests, fallbacks } = parseBatch(toCamelCase(body));
  const first = "requests.0.";
  const notes = newNotes({
    input: "requests",
    dimensions: `${first}outputDimensionality`,
    input_type: `${first}taskType`,
  });
  const input = requests.map((asked, at) => {
    const path = `requests.${at}.`;
    for (const field of ["outputDimensionality", "taskType"] as const)
      if (asked[field] !== requests[0]?.[field])
        throw refuseField(`${path}${field}`, "must be the same in all requests.");
    return readText(asked, model, { notes, path });
  });
  return { request: requestOf(model, input, { ...requests[0], fallbacks }), notes };
}

function requestOf(
  model: string,
  input: string | string[],
  asked: Pick<GenaiEmbedRequest, "outputDimensionality" | "taskType" | "fallbacks">,
): EmbeddingRequest {
  const { outputDimensionality: dimensions, taskType = "TASK_TYPE_UNSPECIFIED", fallbacks } = asked;
  const input_type = Object.hasOwn(inputTypes, taskType) ? inputTypes[taskType] : taskType;
  return {
    model,
    input,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(input_type === undefined ? {} : { input_type }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
  };
}

function readText(asked: GenaiEmbedRequest, model: string, { notes, path }: Place): string {
  warnOfRest(asked, known, { notes, path });
  if (asked.model !== undefined && asked.model.replace(/^models\//, "") !== model) {
    throw refuseField(`${path}model`, `must be the model of the path, ${model}.`);
  }
  const texts = (asked.content.parts ?? []).map(({ text }, at) => {
    if (text === undefined) throw refuseField(`${path}content.parts.${at}`, "can only be text.");
    return text;
  });
  return texts.join("\n");
}

/** The vectors in the order of the input. */
function writeVectors({ data }: EmbeddingResponse): { values: number[] }[] {
  return [...data]
    .sort((one, other) => one.index - other.index)
    .map(({ embedding }) => ({ values: readVector(embedding) }));
}
