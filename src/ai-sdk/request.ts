import type { LanguageModelV4CallOptions, SharedV4Warning } from "@ai-sdk/provider";
import type { ChatRequest } from "../engine/api/chat.ts";
import type { Tool, ToolChoice } from "../engine/api/tools.ts";
import { toMessages } from "./messages.ts";

/** A request of ours, and what of the AI SDK's call it has no form of. */
export interface SdkRequest {
  readonly request: ChatRequest;
  readonly warnings: SharedV4Warning[];
}

/** A call of the AI SDK as our request; `providerOptions.tollgate` is added as it is: `fallbacks`, `metadata`, `service_tier`, … */
export function toChatRequest(model: string, options: LanguageModelV4CallOptions): SdkRequest {
  const warnings: SharedV4Warning[] = [];
  const warn = (feature: string) => void warnings.push({ type: "unsupported", feature });
  const fields = {
    max_completion_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    seed: options.seed,
    stop: options.stopSequences?.length ? options.stopSequences : undefined,
    response_format: toResponseFormat(options.responseFormat),
    reasoning: toReasoning(options.reasoning, warn),
    ...toTools(options, warn),
  };
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const request = {
    ...Object.fromEntries(known),
    ...options.providerOptions?.tollgate,
    model,
    messages: toMessages(options.prompt, warn),
  };
  return { request: request as ChatRequest, warnings }; // what the options hold beside is for the engine to check
}

function toResponseFormat(format: LanguageModelV4CallOptions["responseFormat"]): ChatRequest["response_format"] {
  if (format?.type !== "json") return undefined;
  const { schema, name = "response", description } = format;
  if (schema === undefined) return { type: "json_object" };
  const described = description === undefined ? {} : { description };
  return { type: "json_schema", json_schema: { name, ...described, schema, strict: true } };
}

function toReasoning(
  effort: LanguageModelV4CallOptions["reasoning"],
  warn: (feature: string) => void,
): ChatRequest["reasoning"] {
  if (effort === undefined || effort === "provider-default") return undefined;
  if (effort !== "max") return { effort };
  warn('reasoning "max": it is "xhigh"');
  return { effort: "xhigh" };
}

function toTools(
  { tools, toolChoice }: LanguageModelV4CallOptions,
  warn: (feature: string) => void,
): { tools?: Tool[]; tool_choice?: ToolChoice } {
  const functions = (tools ?? []).flatMap((tool): Tool[] => {
    if (tool.type === "provider") {
      warn(`provider tool ${tool.id}`);
      return [];
    }
    const { name, description, inputSchema, strict } = tool;
    const described = description === undefined ? {} : { description };
    const bound = strict === undefined ? {} : { strict };
    const parameters = inputSchema as NonNullable<NonNullable<Tool["function"]>["parameters"]>; // JSON Schema is wider
    return [{ type: "function", function: { name, ...described, parameters, ...bound } }];
  });
  if (functions.length === 0) return {};
  const choice = toToolChoice(toolChoice);
  return { tools: functions, ...(choice === undefined ? {} : { tool_choice: choice }) };
}

function toToolChoice(choice: LanguageModelV4CallOptions["toolChoice"]): ToolChoice | undefined {
  if (choice === undefined || choice.type !== "tool") return choice?.type;
  return { type: "function", function: { name: choice.toolName } };
}
