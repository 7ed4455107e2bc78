import type { ChatRequest } from "../../../api/chat.ts";
import { GatewayError } from "../../../errors.ts";
import { parserOf } from "../../../pipeline/parse.ts";
import { type Notes, newNotes, warnUnkept } from "../shared/notes.ts";
import { warnOfUnknown } from "../shared/unknown.ts";
import { readConversation, unstored } from "./conversation.ts";
import { ResponseItem, ResponseRequest, ResponseTool } from "./schema.ts";
import { readTools } from "./tools.ts";

/** A request of the Responses API in our words, and as it was asked. */
export interface TranslatedRequest {
  readonly request: ChatRequest;
  readonly notes: Notes;
  readonly asked: ResponseRequest;
}

const parse = parserOf(ResponseRequest);
/** Items of an answer come back with what tells of their making. */
const elsewhere = new Set<unknown>([...ResponseItem.options, ResponseTool]);

const origins = {
  max_completion_tokens: "max_output_tokens",
  response_format: "text.format",
  verbosity: "text.verbosity",
  messages: "input",
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
export function readRequest(body: unknown): TranslatedRequest {
  const asked = parse(body);
  refuseState(asked);
  const notes = newNotes(origins);
  warnOfUnknown(ResponseRequest, asked, { notes, path: "", elsewhere });
  if (asked.store === true) warnUnkept(notes, "store", "is not honoured: nothing is stored here");
  const { max_output_tokens: limit, prompt_cache_retention: retention } = asked;
  const request: ChatRequest = {
    ...Object.fromEntries(shared.flatMap((field) => (asked[field] === undefined ? [] : [[field, asked[field]]]))),
    model: asked.model,
    messages: readConversation(asked, notes),
    ...readTools(asked, notes),
    ...readText(asked),
    ...readIncluded(asked, notes),
    ...readEffort(asked, notes),
    ...(limit === undefined ? {} : { max_completion_tokens: limit }),
    ...(retention === undefined ? {} : { prompt_cache_retention: retention === "24h" ? "24h" : "in-memory" }),
    ...(asked.stream === true ? { stream_options: { ...asked.stream_options, include_usage: true } } : {}),
  };
  return { request, notes, asked };
}

/** Nothing is kept between requests, and nothing goes on without its caller. */
function refuseState(asked: ResponseRequest): void {
  for (const field of ["previous_response_id", "conversation", "prompt"])
    if (asked[field] !== undefined) throw unstored(field);
  if (asked.background !== true) return;
  const message = "`background` is not offered: an answer is given to the request that asks for it.";
  throw new GatewayError("unsupported_operation", message, { param: "background" });
}

/** The vendor's own `max` goes on by the vendor's name of the field. */
function readEffort({ reasoning }: ResponseRequest, notes: Notes): Partial<ChatRequest> {
  const { effort, summary } = reasoning ?? {};
  if (summary && summary !== "auto") warnUnkept(notes, "reasoning.summary", `${summary} is asked for as auto`);
  if (!effort) return {};
  return effort === "max" ? { reasoning_effort: effort } : { reasoning: { effort } };
}

function readText({ text }: ResponseRequest): Partial<ChatRequest> {
  const { format, verbosity } = text ?? {};
  const said = verbosity ? { verbosity } : {};
  if (format === undefined || format.type === "text") return said;
  if (format.type === "json_object") return { ...said, response_format: { type: "json_object" } };
  const { type, name, schema, strict, description } = format;
  const described = description === undefined ? {} : { description };
  const json_schema = { name, schema, ...(strict === null || strict === undefined ? {} : { strict }), ...described };
  return { ...said, response_format: { type, json_schema } };
}

/** What is always there needs no asking. */
const included = new Set(["reasoning.encrypted_content", "message.output_text.logprobs"]);

function readIncluded({ include = [], top_logprobs }: ResponseRequest, notes: Notes): Partial<ChatRequest> {
  for (const [at, name] of include.entries()) if (!included.has(name)) warnUnkept(notes, `include.${at}`);
  return include.includes("message.output_text.logprobs") || top_logprobs ? { logprobs: true } : {};
}
