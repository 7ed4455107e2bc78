import type { ChatChunk, ChatRequest, ChatResponse } from "../../../src/engine/api/chat.ts";
import { isRecord } from "../../../src/engine/dialects/wire-values.ts";
import type { Rewriter } from "./rewritten.ts";
import { type Unwrapper, unwrapper, wrapperKey, wrapperStart } from "./wrapped-text.ts";

/**
 * For a vendor that takes schemas of objects only: another schema (a list, an enum, alternatives) is sent as that of an object's one
 * property, and the answer is that property's value, whole and streamed.
 */
export const objectSchemas: Rewriter = (request, { isContinuation }) => {
  const wrapped = wrap(request);
  if (wrapped === undefined) return undefined;
  const messages = isContinuation ? wrapLast(wrapped.messages) : wrapped.messages;
  return { request: { ...wrapped, messages }, answer: unwrapAnswer, chunks: () => chunkUnwrapper(isContinuation) };
};

/** The request with an object around its schema; undefined where there is no schema, or that of an object. */
function wrap(request: ChatRequest): ChatRequest | undefined {
  const { response_format: format } = request;
  if (format?.type !== "json_schema" || !isRecord(format.json_schema)) return undefined;
  const { schema } = format.json_schema;
  if (!isRecord(schema) || isOfObject(schema)) return undefined;
  return { ...request, response_format: { ...format, json_schema: { ...format.json_schema, schema: around(schema) } } };
}

/** Alternatives and references at the top are refused even where all of them are objects. */
function isOfObject({ type, properties, anyOf, oneOf, allOf, $ref, ...rest }: Record<string, unknown>): boolean {
  if ([anyOf, oneOf, allOf, $ref].some((keyword) => keyword !== undefined)) return false;
  return type === "object" || (type === undefined && (properties !== undefined || Object.keys(rest).length === 0));
}

/** Definitions stay where references look for them. */
function around({ $defs, definitions, $schema, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { [wrapperKey]: movedReferences(schema) },
    required: [wrapperKey],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs: movedReferences($defs) }),
    ...(definitions === undefined ? {} : { definitions: movedReferences(definitions) }),
  };
}

/** References to the schema itself, or into it, follow it to its new place. */
function movedReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(movedReferences);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      const isReference = name === "$ref" && typeof value === "string" && /^#(?!\/(\$defs|definitions)\/)/.test(value);
      return [name, isReference ? `#/properties/${wrapperKey}${value.slice(1)}` : movedReferences(value)];
    }),
  );
}

function wrapLast(messages: ChatRequest["messages"]): ChatRequest["messages"] {
  const last = messages.at(-1);
  if (typeof last?.content !== "string") return messages;
  return [...messages.slice(0, -1), { ...last, content: wrapperStart + last.content }];
}

function unwrapAnswer(answer: ChatResponse): ChatResponse {
  const choices = answer.choices.map((choice) => {
    const { content } = choice.message;
    if (typeof content !== "string") return choice;
    const reader = unwrapper();
    const value = reader.push(content) + reader.end(choice.finish_reason === "stop");
    return { ...choice, message: { ...choice.message, content: value.trim() } };
  });
  return { ...answer, choices };
}

function chunkUnwrapper(isOpen: boolean): (chunk: ChatChunk) => ChatChunk {
  const readers = new Map<number, Unwrapper>();
  return (chunk) => {
    const choices = chunk.choices.map((choice) => {
      const { content } = choice.delta;
      const reader = readers.get(choice.index) ?? unwrapper(isOpen);
      readers.set(choice.index, reader);
      const grown = typeof content === "string" ? reader.push(content) : "";
      const value = choice.finish_reason === null ? grown : grown + reader.end(choice.finish_reason === "stop");
      if (value === "" && typeof content !== "string") return choice;
      return { ...choice, delta: { ...choice.delta, content: value } };
    });
    return { ...chunk, choices };
  };
}
