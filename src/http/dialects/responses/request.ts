import type { ChatRequest } from "../../../engine/api/chat.ts";
import { GatewayError } from "../../../engine/errors.ts";
import { parserOf } from "../../../engine/pipeline/call/parse.ts";
import type { ResponsesRequest } from "../../../engine/ports/provider.ts";
import { type Notes, newNotes, warnUnsupportedFields } from "../shared/translation-warnings.ts";
import { warnOfUnknown } from "../shared/unknown.ts";
import { readConversation, unstored } from "./conversation.ts";
import { nativeOf } from "./native.ts";
import { itemSchemas, ResponseRequest, ResponseTool } from "./schema.ts";
import { type ResponsesNotes, readTools } from "./tools.ts";

/** A request of the Responses API in our form, and as it was sent. */
export interface TranslatedResponses {
  readonly request: ChatRequest;
  readonly notes: Notes;
  readonly parsed: ResponseRequest;
  /** The request for providers of the same interface. */
  readonly native: ResponsesRequest;
}

const parse = parserOf(ResponseRequest);
/** Schemas whose unknown fields get no warning: items of an earlier answer come back with fields that the vendor added. */
const elsewhere = new Set<unknown>([...itemSchemas, ResponseTool]);

const origins = {
  max_completion_tokens: "max_output_tokens",
  response_format: "text.format",
  verbosity: "text.verbosity",
  messages: "input",
  "messages[].reasoning": "input[].reasoning",
  "messages[].reasoning_details": "input[].reasoning",
  logprobs: "include",
  stream_options: "stream",
};

/** Fields that are the same in both interfaces. */
const shared = [
  "temperature",
  "top_p",
  "top_logprobs",
  "parallel_tool_calls",
  "prompt_cache_key",
  "safety_identifier",
  "service_tier",
  "truncation",
  "user",
  "fallbacks",
] as const;

/** Reads the body of `POST /v1/responses`; throws `invalid_request` or `unsupported_operation` with the vendor's name of the field. */
export function readRequest(body: unknown): TranslatedResponses {
  const parsed = parse(body);
  const notes: ResponsesNotes = { ...newNotes(origins), refusal: backgroundOf(parsed) ?? stateOf(parsed) };
  warnOfUnknown(ResponseRequest, parsed, { notes, path: "", elsewhere });
  if (parsed.store === true) warnUnsupportedFields(notes, "store", "is not honoured: nothing is stored here");
  const { max_output_tokens: limit, prompt_cache_retention: retention } = parsed;
  const request: ChatRequest = {
    ...Object.fromEntries(shared.flatMap((field) => (parsed[field] === undefined ? [] : [[field, parsed[field]]]))),
    model: parsed.model,
    messages: readConversation(parsed, notes),
    ...readTools(parsed, notes),
    ...readText(parsed),
    ...readIncluded(parsed, notes),
    ...readEffort(parsed, notes),
    ...(limit === undefined ? {} : { max_completion_tokens: limit }),
    ...(retention === undefined ? {} : { prompt_cache_retention: retention === "24h" ? "24h" : "in-memory" }),
    ...(parsed.stream === true ? { stream_options: { ...parsed.stream_options, include_usage: true } } : {}),
  };
  const { refusal, warnings } = notes;
  return { request, notes, parsed, native: nativeOf(parsed, { refusal, hasLoss: warnings.length > 0 }) };
}

/** The error of a request that goes on from something stored: nothing is stored here, only the vendor can look it up. */
function stateOf(parsed: ResponseRequest): GatewayError | undefined {
  const field = ["previous_response_id", "conversation", "prompt"].find((name) => (parsed[name] ?? null) !== null);
  return field === undefined ? undefined : unstored(field);
}

/** The error of a request in the background where a target has no such thing; throws it for a stream. */
function backgroundOf({ background, stream }: ResponseRequest): GatewayError | undefined {
  if (background !== true) return undefined;
  const refuse = (problem: string) =>
    new GatewayError("unsupported_operation", `\`background\` ${problem}.`, { param: "background" });
  if (stream === true) throw refuse("is not offered with `stream`: read the response by its id");
  return refuse("is not offered by this target: an answer is given to the request that asks for it");
}

/** The vendor's own `max` goes on by the vendor's name of the field. */
function readEffort({ reasoning }: ResponseRequest, notes: Notes): Partial<ChatRequest> {
  const { effort, summary } = reasoning ?? {};
  if (summary && summary !== "auto") warnUnsupportedFields(notes, "reasoning.summary", `${summary} is sent as auto`);
  if (!effort) return {};
  return effort === "max" ? { reasoning_effort: effort } : { reasoning: { effort } };
}

function readText({ text }: ResponseRequest): Partial<ChatRequest> {
  const { format, verbosity } = text ?? {};
  const content = verbosity ? { verbosity } : {};
  if (format === undefined || format.type === "text") return content;
  if (format.type === "json_object") return { ...content, response_format: { type: "json_object" } };
  const { type, name, schema, strict, description } = format;
  const described = description === undefined ? {} : { description };
  const json_schema = { name, schema, ...(strict === null || strict === undefined ? {} : { strict }), ...described };
  return { ...content, response_format: { type, json_schema } };
}

/** What is always there needs no asking. */
const included = new Set(["reasoning.encrypted_content", "message.output_text.logprobs"]);

function readIncluded({ include = [], top_logprobs }: ResponseRequest, notes: Notes): Partial<ChatRequest> {
  for (const [at, name] of include.entries()) if (!included.has(name)) warnUnsupportedFields(notes, `include.${at}`);
  return include.includes("message.output_text.logprobs") || top_logprobs ? { logprobs: true } : {};
}
