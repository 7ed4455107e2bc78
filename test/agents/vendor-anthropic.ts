import { type Seen, seals, type Turn, type VendorInterface } from "./script.ts";

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly content?: unknown;
  readonly signature?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Block[];
}

interface MessagesBody {
  readonly messages?: readonly Message[];
  readonly thinking?: { readonly type: string };
  readonly tools?: readonly { readonly name: string }[];
}

const envelope = { id: "msg_1", type: "message", role: "assistant", model: "claude", stop_sequence: null };
const usage = { input_tokens: 100, output_tokens: 20 };

function listBlocks({ content }: Pick<Message, "content">): readonly Block[] {
  return typeof content === "string" ? [] : content;
}

/** What the vendor refuses: signatures of others, calls without results behind them, thinking that is on with a call without a thought. */
function refusalOf({ messages = [], thinking }: MessagesBody): string | undefined {
  for (const [at, message] of messages.entries()) {
    const own = listBlocks(message);
    const forged = own.find(({ type, signature }) => type === "thinking" && signature !== seals.anthropic);
    if (forged) return `messages.${at}: Invalid \`signature\` in \`thinking\` block`;
    const calls = own.filter(({ type }) => type === "tool_use").map(({ id }) => id);
    const results = listBlocks(messages[at + 1] ?? { content: "" }).map(({ tool_use_id: id }) => id);
    if (!calls.every((id) => results.includes(id))) return `messages.${at}: tool_use without tool_result`;
  }
  const last = messages.findLast(({ role }) => role === "assistant");
  const isOn = thinking !== undefined && thinking.type !== "disabled";
  const isOpen = last !== undefined && messages.indexOf(last) === messages.length - 2 && endsInCall(last);
  if (isOn && isOpen && listBlocks(last)[0]?.type !== "thinking") return "Expected `thinking`, but found `tool_use`.";
  return undefined;
}

function endsInCall(message: Message): boolean {
  return listBlocks(message).at(-1)?.type === "tool_use";
}

/** A block of an answer with the deltas that fill it. */
type Filled = readonly [block: object, ...deltas: object[]];

const thought: Filled = [
  { type: "thinking", thinking: "", signature: "" },
  { type: "thinking_delta", thinking: "A command would do." },
  { type: "signature_delta", signature: seals.anthropic },
];

function textOf(text: string): Filled {
  return [
    { type: "text", text: "" },
    { type: "text_delta", text },
  ];
}

function blocksOf(turn: Turn): readonly Filled[] {
  if (turn.kind === "text") return [thought, textOf(turn.text)];
  const written = JSON.stringify(turn.arguments);
  const half = Math.floor(written.length / 2);
  return [
    thought,
    textOf("I look. "),
    [
      { type: "tool_use", id: turn.id, name: turn.tool, input: {} },
      { type: "input_json_delta", partial_json: written.slice(0, half) },
      { type: "input_json_delta", partial_json: written.slice(half) },
    ],
  ];
}

/** A block with what its deltas say. */
function filledOf(block: object, deltas: readonly object[]): object {
  const filled: Record<string, unknown> = { ...block };
  let written = "";
  for (const delta of deltas) {
    const { type: _type, partial_json: json = "", ...texts } = { ...delta } as Record<string, string>;
    Object.assign(filled, texts);
    written += json;
  }
  return written === "" ? filled : { ...filled, input: JSON.parse(written) };
}

/** Anthropic's messages. */
export const anthropicInterface: VendorInterface = {
  vendor: "anthropic",
  refusalOf,
  path: /\/v1\/messages$/,
  isStream: ({ stream }) => stream === true,
  read(body) {
    const { messages = [], tools = [] } = body as MessagesBody;
    const blocks = messages.flatMap(listBlocks);
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
    const opened = { ...envelope, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
    const closed = { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage };
    return [{ type: "message_start", message: opened }, ...filled, closed, { type: "message_stop" }];
  },
  whole(turn) {
    const content = blocksOf(turn).map(([block, ...deltas]) => filledOf(block, deltas));
    return { ...envelope, content, stop_reason: turn.kind === "call" ? "tool_use" : "end_turn", usage };
  },
  end: "",
};
