import type { EmbeddingRequest, EmbeddingResponse } from "../../../engine/api/embeddings.ts";
import { invalidRequest } from "../../../engine/dialects/refusals.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import { type RequestHandler, readInput } from "../../context.ts";
import type { RequestContext } from "../../response/request-context.ts";
import { answerEmbed as answerThrough } from "../shared/dialect.ts";
import { type FieldPath, type Notes, newNotes, warnOfRest } from "../shared/translation-warnings.ts";
import { readVector } from "../shared/vectors.ts";
import { toCamelCase } from "./names.ts";
import { GenaiBatchEmbedRequest, GenaiEmbedRequest } from "./schema.ts";

interface TranslatedEmbedding {
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
export const answerEmbed: RequestHandler = async (request, context) => {
  const turn = readEmbed(modelOf(request), await readInput(request, context));
  return answerThrough(
    { ...turn, write: (answer) => ({ embedding: writeVectors(answer)[0], ...usageOf(answer) }) },
    request,
    context,
  );
};

/** `POST /genai/v1beta/models/{model}:batchEmbedContents`. */
export const answerBatchEmbed: RequestHandler = async (request, context) => {
  const turn = readBatch(modelOf(request), await readInput(request, context));
  return answerThrough(
    { ...turn, write: (answer) => ({ embeddings: writeVectors(answer), ...usageOf(answer) }) },
    request,
    context,
  );
};

/** The model that the path names, noted with the kind of request for the body of an error. */
function modelOf(context: RequestContext): string {
  context.requestType = "embedding";
  context.model = context.params.model ?? "";
  return context.model;
}

function readEmbed(model: string, body: unknown): TranslatedEmbedding {
  const parsed = parseOne(toCamelCase(body));
  const notes = newNotes({ input: "content", dimensions: "outputDimensionality", input_type: "taskType" });
  const input = readText(parsed, model, { notes, path: "" });
  return { request: requestOf(model, input, parsed), notes };
}

/** The vectors of one request are all of one size, and for one purpose. */
function readBatch(model: string, body: unknown): TranslatedEmbedding {
  const { requests, fallbacks } = parseBatch(toCamelCase(body));
  const first = "requests.0.";
  const notes = newNotes({
    input: "requests",
    dimensions: `${first}outputDimensionality`,
    input_type: `${first}taskType`,
  });
  const input = requests.map((parsed, at) => {
    const path = `requests.${at}.`;
    for (const field of ["outputDimensionality", "taskType"] as const)
      if (parsed[field] !== requests[0]?.[field])
        throw invalidRequest(`${path}${field}`, "must be the same in all requests.");
    return readText(parsed, model, { notes, path });
  });
  return { request: requestOf(model, input, { ...requests[0], fallbacks }), notes };
}

function requestOf(
  model: string,
  input: string | string[],
  parsed: Pick<GenaiEmbedRequest, "outputDimensionality" | "taskType" | "fallbacks">,
): EmbeddingRequest {
  const { outputDimensionality: dimensions, taskType = "TASK_TYPE_UNSPECIFIED", fallbacks } = parsed;
  const input_type = Object.hasOwn(inputTypes, taskType) ? inputTypes[taskType] : taskType;
  return {
    model,
    input,
    ...(dimensions === undefined ? {} : { dimensions }),
    ...(input_type === undefined ? {} : { input_type }),
    ...(fallbacks === undefined ? {} : { fallbacks }),
  };
}

function readText(parsed: GenaiEmbedRequest, model: string, { notes, path }: FieldPath): string {
  warnOfRest(parsed, known, { notes, path });
  if (parsed.model !== undefined && parsed.model.replace(/^models\//, "") !== model) {
    throw invalidRequest(`${path}model`, `must be the model of the path, ${model}.`);
  }
  const texts = (parsed.content.parts ?? []).map(({ text }, at) => {
    if (text === undefined) throw invalidRequest(`${path}content.parts.${at}`, "can only be text.");
    return text;
  });
  return texts.join("\n");
}

function usageOf({ usage }: EmbeddingResponse): object {
  if (usage === undefined) return {};
  const { prompt_tokens: promptTokenCount, total_tokens: totalTokenCount } = usage;
  return { usageMetadata: { promptTokenCount, totalTokenCount } };
}

/** The vectors in the order of the input. */
function writeVectors({ data }: EmbeddingResponse): { values: number[] }[] {
  return [...data]
    .sort((one, other) => one.index - other.index)
    .map(({ embedding }) => ({ values: readVector(embedding) }));
}
