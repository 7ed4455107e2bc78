import type { z } from "zod";
import type { Operation } from "../define.ts";
import { requirementsOf } from "../security.ts";
import { exampleOf } from "./examples.ts";
import { eventIdHeader, failuresOf, rateHeaders } from "./failures.ts";
import type { JsonSchema } from "./json-schema.ts";
import { spellOut, spellOutPart } from "./json-values.ts";
import { pascalCase, type SchemaNames } from "./named-schemas.ts";
import { isPermission, parametersOf, type RowContext, readsQuery, resolve } from "./parameters.ts";
import { describeOperation, tagOf } from "./tags.ts";

/** Verbs of their own for the names of the inference API, which would else be those of their schemas: `chat` and `ChatResponse`. */
const ownNames: Readonly<Record<string, string>> = {
  models: "listModels",
  model: "getModel",
  chat: "createChatCompletion",
  embed: "createEmbeddings",
  rerank: "rerankDocuments",
  decide: "createDecision",
  forget: "forgetAnswer",
  forget_all: "forgetAnswers",
  health: "getHealth",
  health_live: "getLiveness",
  health_ready: "getReadiness",
  document: "getApiDescription",
  cohere_chat: "cohereCreateChat",
  cohere_rerank: "cohereRerankDocuments",
  cohere_embed: "cohereCreateEmbeddings",
  genai_embed: "genaiEmbedContent",
  genai_batch_embed: "genaiBatchEmbedContents",
};

/** The identifier of an operation for generators: a name of letters and digits, `aiCreateKey` for `ai.createKey`. */
function operationIdOf(name: string): string {
  const pascal = pascalCase(name);
  return ownNames[name] ?? pascal.slice(0, 1).toLowerCase() + pascal.slice(1);
}

const json = "application/json";

/** Describes an operation of the document. */
export function describeRow(name: string, row: Operation, context: RowContext): Record<string, unknown> {
  const id = operationIdOf(name);
  const parameters = parametersOf(row, id, context);
  return {
    operationId: id,
    tags: [tagOf(name, row)],
    summary: row.summary,
    description: describeOperation(row),
    "x-operation": name,
    ...(row.isExtension ? { "x-extension": true } : {}),
    ...(isPermission(row.access) ? { "x-permission": row.access } : {}),
    security: requirementsOf(row.access, context.service),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.input && !readsQuery(row) ? { requestBody: describeBody(row.input, id, context) } : {}),
    responses: {
      ...describeAnswer(row, id, context),
      ...(spellOutPart(failuresOf(row, context.schemas)) as object),
    },
  };
}
function describeBody(input: z.ZodType, id: string, { schemas, names }: RowContext) {
  const schema = schemas.request(input);
  const { type, required = [] } = resolve(schema, schemas);
  const isRequired = type !== "object" || required.length > 0;
  return { required: isRequired, content: { [json]: contentOf(schema, `${pascalCase(id)}Input`, names) } };
}

/** A body with its example; it refers to a schema with a name, a list to that of its members. */
function contentOf(written: JsonSchema, name: string, names: SchemaNames) {
  const schema = names.named(spellOut(written) as JsonSchema, name);
  return { schema, example: exampleOf(schema, names.components) };
}

function describeAnswer(row: Operation, id: string, { schemas, names }: RowContext) {
  const { output, stream, accepted, isTable, access, job } = row;
  const headers = {
    ...eventIdHeader,
    ...(access === "virtual_key" ? rateHeaders : {}),
    ...(job === undefined ? {} : { "x-tg-job": { description: job, schema: { type: "string" } } }),
  };
  if (!output && !stream) return { 204: { description: "Done; the answer has no body.", headers } };
  const schemaOf = (schema: z.ZodType, kind: string) =>
    contentOf(schemas.answer(schema), `${pascalCase(id)}${kind}`, names);
  const content = {
    ...(output ? { [json]: schemaOf(output, "Output") } : {}),
    ...(isTable ? { "text/csv": { schema: { type: "string" } } } : {}),
    ...(stream ? { "text/event-stream": schemaOf(stream, "Event") } : {}),
  };
  return {
    200: { description: "The answer", headers, content },
    ...(accepted === undefined ? {} : { 202: { description: accepted, headers } }),
  };
}
