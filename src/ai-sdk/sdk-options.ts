import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { ChatRequest } from "../engine/api/chat.ts";
import type { ProviderCall } from "../engine/ports/provider.ts";
import { toPrompt } from "./prompt.ts";

/** Fields of ours that the AI SDK has, under its own names or handled one by one. */
const known = new Set(
  "model messages stream stream_options fallbacks max_completion_tokens temperature top_p top_k presence_penalty frequency_penalty seed stop response_format reasoning tools tool_choice".split(
    " ",
  ),
);

/** Our request as a call of the AI SDK; what it has no form of is named in the warnings. */
export function toSdkOptions(request: ChatRequest, call: ProviderCall, provider: string): LanguageModelV4CallOptions {
  const warn = (what: string) => call.warn(`${what} is not supported by ${provider}`);
  for (const [field, value] of Object.entries(request)) {
    if (!known.has(field) && value !== undefined && value !== null) warn(`\`${field}\``);
  }
  const { stop, seed, temperature, top_p, top_k, presence_penalty, frequency_penalty, reasoning } = request;
  if (reasoning?.max_tokens !== undefined) warn("`reasoning.max_tokens`");
  const options = {
    maxOutputTokens: request.max_completion_tokens,
    temperature,
    seed,
    topP: top_p,
    topK: typeof top_k === "number" ? top_k : undefined,
    presencePenalty: presence_penalty,
    frequencyPenalty: frequency_penalty,
    stopSequences: typeof stop === "string" ? [stop] : stop,
    reasoning: reasoning?.effort,
    responseFormat: toFormat(request.response_format),
    tools: request.tools?.flatMap((tool) => toTool(tool, warn)),
    toolChoice: toChoice(request.tool_choice, warn),
  };
  const provided = Object.entries(options).filter(([, value]) => value !== undefined);
  const prompt = toPrompt(request.messages, warn);
  return { ...Object.fromEntries(provided), prompt, abortSignal: call.signal };
}

type Format = NonNullable<LanguageModelV4CallOptions["responseFormat"]>;

function toFormat(format: ChatRequest["response_format"]): Format | undefined {
  if (format?.type === "json_object") return { type: "json" };
  if (format?.type !== "json_schema") return undefined;
  const { name, description, schema } = (format.json_schema ?? {}) as Omit<Extract<Format, { type: "json" }>, "type">;
  const fields = Object.entries({ name, description, schema }).filter(([, value]) => value !== undefined);
  return { type: "json", ...Object.fromEntries(fields) };
}

type WarnOfOption = (what: string) => void;

function toTool(tool: NonNullable<ChatRequest["tools"]>[number], warn: WarnOfOption): LanguageModelV4FunctionTool[] {
  if (!tool.function) {
    warn("`tools` of the type `custom`");
    return [];
  }
  const { name, description, parameters, strict } = tool.function;
  return [
    {
      type: "function",
      name,
      inputSchema: (parameters ?? { type: "object", properties: {} }) as LanguageModelV4FunctionTool["inputSchema"],
      ...(description === undefined ? {} : { description }),
      ...(typeof strict === "boolean" ? { strict } : {}),
    },
  ];
}

function toChoice(choice: ChatRequest["tool_choice"], warn: WarnOfOption): LanguageModelV4CallOptions["toolChoice"] {
  if (choice === undefined) return undefined;
  if (typeof choice === "string") return { type: choice };
  if (choice.type === "function" && choice.function) return { type: "tool", toolName: choice.function.name };
  if (choice.type === "any" || choice.type === "required") return { type: "required" };
  if (choice.type === "none") return { type: "none" };
  warn(`\`tool_choice\` of the type \`${choice.type}\``);
  return undefined;
}
