import { type Seen, seal, type Turn, type VendorInterface } from "./script.ts";

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly signature?: string;
}

interface MessagesBody {
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string }[];
}

const message = { id: "msg_1", type: "message", role: "assistant", model: "claude", stop_sequence: null };
const usage = { input_tokens: 100, output_tokens: 20 };

/** A block of an answer with the deltas that fill it. */
type Filled = readonly [block: object, ...deltas: object[]];

function blocksOf(turn: Turn): readonly Filled[] {
  if (turn.kind === "text")
    return [
      [
        { type: "text", text: "" },
        { type: "text_delta", text: turn.text },
      ],
    ];
  const written = JSON.stringify(turn.arguments);
  const half = Math.floor(written.length / 2);
  return [
    [
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "A command would do." },
      { type: "signature_delta", signature: seal },
    ],
    [
      { type: "text", text: "" },
      { type: "text_delta", text: "I look. " },
    ],
    [
      { type: "tool_use", id: turn.id, name: turn.tool, input: {} },
      { type: "input_json_delta", partial_json: written.slice(0, half) },
      { type: "input_json_delta", partial_json: written.slice(half) },
    ],
  ];
}

/** Anthropic's messages. */
export const anthropicInterface: VendorInterface = {
  path: /\/v1\/messages$/,
  isStream: ({ stream }) => stream === true,
  read(body) {
    const { messages = [], tools = [] } = body as MessagesBody;
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    const calls = blocks.filter(({ type }) => type === "tool_use");
    const results = blocks.filter(({ type }) => type === "tool_result");
    return {
      tools: tools.map(({ name }) => name),
      calls: calls.map(({ id, name = "" }): Seen => ({ id, text: name })),
      results: results.map(({ tool_use_id: id, content }): Seen => ({ id, text: JSON.stringify(content) })),
      seals: blocks.flatMap(({ signature }) => signature ?? []),
    };
  },
  stream(turn) {
    const filled = blocksOf(turn).flatMap(([content_block, ...deltas], index) => [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]);
    const stop_reason = turn.kind === "call" ? "tool_use" : "end_turn";
    const opened = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
    const closed = { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage };
    return [{ type: "message_start", message: opened }, ...filled, closed, { type: "message_stop" }];
  },
  whole: (text) => ({ ...message, content: [{ type: "text", text }], stop_reason: "end_turn", usage }),
  end: "",
};
