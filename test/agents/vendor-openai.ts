import type { Seen, Turn, VendorInterface } from "./script.ts";

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string };
}

interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content?: unknown;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly ToolCall[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

const head = { id: "chatcmpl-1", created: 1_763_600_000, model: "m" };
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function stepsOf(turn: Turn): readonly object[] {
  if (turn.kind === "text") return [{ content: turn.text }];
  const written = JSON.stringify(turn.arguments);
  const half = Math.floor(written.length / 2);
  const call = { index: 0, id: turn.id, type: "function" };
  return [
    { content: "I look. " },
    { tool_calls: [{ ...call, function: { name: turn.tool, arguments: written.slice(0, half) } }] },
    { tool_calls: [{ index: 0, function: { arguments: written.slice(half) } }] },
  ];
}

function callsOf(turn: Turn): object {
  if (turn.kind === "text") return {};
  const { id, tool: name, arguments: args } = turn;
  return { tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }] };
}

const useResponses =
  "Function tools are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.";

/** OpenAI's chat completions, whose newest model takes no tools there. */
export const openaiInterface: VendorInterface = {
  vendor: "openai",
  path: /\/chat\/completions$/,
  isStream: ({ stream }) => stream === true,
  read(body) {
    const { messages = [], tools = [] } = body as ChatBody;
    const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
    const results = messages.filter(({ role }) => role === "tool");
    return {
      tools: tools.map(({ function: { name } }) => name),
      calls: calls.map(({ id, function: { name } }): Seen => ({ id, text: name })),
      results: results.map(({ tool_call_id: id, content }): Seen => ({ id, text: JSON.stringify(content) })),
      seals: [],
    };
  },
  refusalOf({ model, tools = [] }: ChatBody) {
    return model?.startsWith("gpt-5.6") && tools.length > 0 ? useResponses : undefined;
  },
  stream(turn) {
    const finish = turn.kind === "call" ? "tool_calls" : "stop";
    const steps = [{ role: "assistant", content: "" }, ...stepsOf(turn)];
    const choices = [
      ...steps.map((delta) => ({ index: 0, delta, finish_reason: null })),
      { index: 0, delta: {}, finish_reason: finish },
    ];
    const chunk = { ...head, object: "chat.completion.chunk" };
    return [...choices.map((choice) => ({ ...chunk, choices: [choice] })), { ...chunk, choices: [], usage }];
  },
  whole(turn) {
    const message = { role: "assistant", content: turn.kind === "text" ? turn.text : "I look. ", ...callsOf(turn) };
    const choices = [{ index: 0, message, finish_reason: turn.kind === "call" ? "tool_calls" : "stop" }];
    return { ...head, object: "chat.completion", choices, usage };
  },
  end: "data: [DONE]\n\n",
};
