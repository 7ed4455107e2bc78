import type { Seen, Turn, VendorInterface } from "./script.ts";

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string };
}

interface ChatBody {
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

/** OpenAI's chat completions. */
export const openaiInterface: VendorInterface = {
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
  whole(content) {
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    return { ...head, object: "chat.completion", choices, usage };
  },
  end: "data: [DONE]\n\n",
};
