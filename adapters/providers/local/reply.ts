import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { Usage } from "../../../src/engine/api/usage.ts";
import { invalidRequest } from "../../../src/engine/dialects/refusals.ts";
import { outputLimit, stopSequences, type Translation, warnOfRest } from "../../shared/chat/fields.ts";
import { countPrompt, lastToolResults, lastWords, type ToolOutput } from "./conversation.ts";
import { sampleOf } from "./sampling/sample.ts";
import { chooseTools, type FunctionTool } from "./tool-choice.ts";
import { cutText, tokensOf } from "./words.ts";

/** A call of a tool, its arguments in the pieces that a stream shows. */
export interface EchoCall {
  readonly id: string;
  readonly name: string;
  readonly pieces: readonly string[];
}

/** What the echo says, before it is written whole or as a stream. */
export interface Reply {
  /** Empty when tools are called. */
  readonly text: string;
  readonly calls: readonly EchoCall[];
  readonly finishReason: "stop" | "length" | "tool_calls";
  /** Counted by the rule of `words.ts`; `estimated` says that no tokenizer of any model did. */
  readonly usage: Usage;
}

const honoured = new Set([
  "max_completion_tokens",
  "max_tokens",
  "parallel_tool_calls",
  "response_format",
  "seed",
  "stop",
  "tool_choice",
  "tools",
]);

/** The reply to a request: the same one every time. */
export function replyTo(request: ChatRequest, context: Translation): Reply {
  warnOfRest(request, honoured, context);
  for (const [position, tool] of (request.tools ?? []).entries()) {
    if (tool.type !== "function")
      context.call.warn(`\`tools.${position}\` of type ${tool.type} is not supported by ${context.provider}`);
  }
  const words = lastWords(request);
  const results = lastToolResults(request);
  const tools = chooseTools(request, words, results.length > 0);
  const limit = outputLimit(request);
  if (tools.length > 0) return callTools(request, { tools, words, limit }, context);
  const full = textFor(request, { words, results }, context);
  const { text, count, finishReason } = cutText(full, limit, stopSequences(request));
  return { text, calls: [], finishReason, usage: usageOf(request, count) };
}

function textFor(
  request: ChatRequest,
  { words, results }: { readonly words: string; readonly results: readonly ToolOutput[] },
  { call, provider }: Translation,
): string {
  const { type = "text", json_schema: filters } = request.response_format ?? {};
  if (type === "json_object") return JSON.stringify({ echo: words, note: "No model was asked." });
  if (type !== "json_schema") {
    if (type !== "text") call.warn(`\`response_format.type\` ${JSON.stringify(type)} is not supported by ${provider}`);
    return results.length > 0
      ? resultText(results)
      : `This is an echo, no model was asked. You said: ${words || "(nothing)"}`;
  }
  if (typeof filters !== "object" || filters === null)
    throw invalidRequest("response_format.json_schema", "is missing");
  const { schema = true } = filters as { schema?: unknown };
  const { value, missed } = sampleOf(schema, words);
  for (const keyword of missed)
    call.warn(`\`response_format.json_schema.schema\`: an echo cannot see to \`${keyword}\``);
  return JSON.stringify(value);
}

function resultText(results: readonly ToolOutput[]): string {
  const raw = results.map(({ name, text }) => `${name} → ${text}`).join("; ");
  return `This is an echo, no model was asked. The tools said: ${raw}`;
}

interface Calling {
  readonly tools: readonly FunctionTool[];
  readonly words: string;
  readonly limit: number | undefined;
}

/** Calls in order, a name counting as one token; the limit may end them in the middle of their arguments, as a model's would. */
function callTools(request: ChatRequest, { tools, words, limit = Infinity }: Calling, { call }: Translation): Reply {
  const calls: EchoCall[] = [];
  let left = limit;
  let isCut = false;
  for (const { name, parameters } of tools) {
    if (left < 1) isCut = true;
    if (isCut) break;
    const { value, missed } = parameters === undefined ? { value: {}, missed: [] } : sampleOf(parameters, words);
    for (const keyword of missed)
      call.warn(`the parameters of the tool \`${name}\`: an echo cannot see to \`${keyword}\``);
    const tokens = tokensOf(JSON.stringify(value));
    const pieces = tokens.slice(0, left - 1);
    isCut = pieces.length < tokens.length;
    left -= 1 + pieces.length;
    calls.push({ id: `call_${call.id}_${calls.length}`, name, pieces });
  }
  const spent = calls.reduce((sum, { pieces }) => sum + 1 + pieces.length, 0);
  return { text: "", calls, finishReason: isCut ? "length" : "tool_calls", usage: usageOf(request, spent) };
}

function usageOf(request: ChatRequest, completion: number): Usage {
  const prompt = countPrompt(request);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    estimated: true,
  };
}
