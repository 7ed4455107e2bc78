import { ChatRequest, Effort, OlderNames } from "../../api/chat.ts";
import { readChat } from "../../api/read-chat.ts";
import { parserOf, requestParserOf } from "../call/parse.ts";

const parseChatBody = requestParserOf(ChatRequest, readChat);
/** The documented fields. */
export const chatFields = ChatRequest.shape;

const parseOlderNames = parserOf(OlderNames);

/**
 * Reads a chat request; names of OpenAI's own clients (`max_tokens`, `reasoning_effort`) become the specification's. Throws
 * `invalid_request` with the field at fault in `param`.
 */
export function parseChat(input: unknown): ChatRequest {
  const request = withReasoningName(parseChatBody(withOwnWord(input)));
  const { max_tokens, reasoning_effort } = request;
  if (max_tokens === undefined && reasoning_effort === undefined) return request;
  return withPresentNames(request, parseOlderNames({ max_tokens, reasoning_effort }));
}

/** OpenAI's `in_memory` is our `in-memory`, and Mistral's `any` is `required`. */
function withOwnWord(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { prompt_cache_retention: retention, tool_choice: choice } = input as Record<string, unknown>;
  if (retention !== "in_memory" && choice !== "any") return input;
  return {
    ...input,
    ...(retention === "in_memory" ? { prompt_cache_retention: "in-memory" } : {}),
    ...(choice === "any" ? { tool_choice: "required" } : {}),
  };
}

/**
 * Most clients send a turn's reasoning back as `reasoning_content`, many of them beside our `reasoning`; it is one text, and each vendor gets
 * it by the name that it has.
 */
function withReasoningName(request: ChatRequest): ChatRequest {
  if (!request.messages.some((message) => "reasoning_content" in message)) return request;
  const messages = request.messages.map((message) => {
    if (!("reasoning_content" in message)) return message;
    const { reasoning_content: content, ...rest } = message;
    const reasoning = rest.reasoning ?? (typeof content === "string" && content !== "" ? content : undefined);
    return reasoning === undefined ? rest : { ...rest, reasoning };
  });
  return { ...request, messages: messages as ChatRequest["messages"] };
}

/** An effort of a vendor's own, such as OpenAI's `max`, keeps the vendor's name of the field; the vendor judges it. */
function withPresentNames(request: ChatRequest, { max_tokens, reasoning_effort }: OlderNames): ChatRequest {
  const { max_tokens: _tokens, reasoning_effort: _effort, ...renamed } = request;
  if (max_tokens !== undefined) renamed.max_completion_tokens ??= max_tokens;
  if (reasoning_effort === undefined) return renamed;
  const effort = Effort.safeParse(reasoning_effort).data;
  return effort === undefined
    ? { ...renamed, reasoning_effort }
    : { ...renamed, reasoning: { effort, ...request.reasoning } };
}
