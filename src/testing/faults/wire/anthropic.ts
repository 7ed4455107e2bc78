import {
  countTokens,
  type ErrorAnswer,
  type EventParts,
  type FaultKind,
  readCommon,
  type SpokenAnswer,
  type WireDialect,
} from "./wire.ts";

const id = "msg_fault";

/** Status, type and message of each refusal, as the vendor words them. */
const faults: Readonly<Record<FaultKind, readonly [status: number, type: string, message: string]>> = {
  rate_limited: [429, "rate_limit_error", "This request would exceed your rate limit."],
  server_error: [500, "api_error", "Internal server error"],
  unavailable: [503, "api_error", "The service is temporarily unable to answer."],
  overloaded: [529, "overloaded_error", "Overloaded"],
  unauthorised: [401, "authentication_error", "invalid x-api-key"],
  not_found: [404, "not_found_error", "model: unknown"],
  bad_request: [400, "invalid_request_error", "unknown_field: Extra inputs are not permitted"],
  context_too_long: [400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"],
  content_refused: [400, "invalid_request_error", "Output blocked by content filtering policy"],
  prefill_refused: [400, "invalid_request_error", "This model does not support assistant message prefill."],
};

/** Anthropic's Messages. */
export const anthropicDialect: WireDialect = {
  name: "anthropic",
  path: "/messages",
  read(body) {
    const common = readCommon(body);
    return common && { ...common, wantsUsage: true };
  },
  whole(answer) {
    const text = answer.thoughts
      ? thinkingBlocks(answer)
      : answer.words.length > 0
        ? [textBlock(answer.words.join(""))]
        : [];
    return JSON.stringify({
      ...messageOf(answer),
      content: [...text, ...toolBlock(answer.tool)],
      stop_reason: stopReason(answer),
      usage: { input_tokens: countTokens(answer).prompt, output_tokens: countTokens(answer).completion },
    });
  },
  events(answer) {
    if (answer.thoughts) return thinkingEvents(answer);
    const { words, tool } = answer;
    const start = startOf(answer);
    const textIndex = words.length > 0 ? 0 : -1;
    const opensText = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
    const closesText = textIndex === 0 ? [event({ type: "content_block_stop", index: 0 })] : [];
    const toolIndex = textIndex + 1;
    return {
      opening: [start, ...(textIndex === 0 ? [event(opensText)] : []), event({ type: "ping" })],
      content: [
        ...words.map((text) => delta(0, { type: "text_delta", text })),
        ...(tool ? [...closesText, ...toolEvents(tool, toolIndex)] : []),
      ],
      closing: [...(tool ? [event({ type: "content_block_stop", index: toolIndex })] : closesText), endOf(answer)],
      marker: event({ type: "message_stop" }),
    };
  },
  fault(kind): ErrorAnswer {
    return { status: faults[kind][0], body: JSON.stringify(errorOf(kind)) };
  },
  heartbeat: event({ type: "ping" }),
  faultEvent(kind) {
    return event(errorOf(kind));
  },
};

function messageOf({ model }: SpokenAnswer): object {
  return { id, type: "message", role: "assistant", model, stop_sequence: null };
}

function startOf(answer: SpokenAnswer): string {
  const usage = { input_tokens: countTokens(answer).prompt, output_tokens: 1 };
  return event({ type: "message_start", message: { ...messageOf(answer), content: [], stop_reason: null, usage } });
}

function endOf(answer: SpokenAnswer): string {
  const delta = { stop_reason: stopReason(answer), stop_sequence: null };
  return event({ type: "message_delta", delta, usage: { output_tokens: countTokens(answer).completion } });
}

function textBlock(text: string): SpokenBlock {
  return { type: "text", text };
}

type SpokenBlock = { readonly type: "text"; readonly text: string } | SpokenThought;

interface SpokenThought {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature: string;
}

/** Thoughts and words in turns, a block each. */
function thinkingBlocks({ words, thoughts = [] }: SpokenAnswer): SpokenBlock[] {
  return words.flatMap((word, n): SpokenBlock[] => {
    const thinking = thoughts[n];
    const text = textBlock(word);
    return thinking === undefined ? [text] : [{ type: "thinking", thinking, signature: `signature-${n}` }, text];
  });
}

function thinkingEvents(answer: SpokenAnswer): EventParts {
  return {
    opening: [startOf(answer)],
    content: thinkingBlocks(answer).flatMap(blockEvents),
    closing: [endOf(answer)],
    marker: event({ type: "message_stop" }),
  };
}

function blockEvents(block: SpokenBlock, index: number): string[] {
  const isText = block.type === "text";
  const content_block = isText ? textBlock("") : { type: "thinking", thinking: "", signature: "" };
  const deltas = isText
    ? [{ type: "text_delta", text: block.text }]
    : [
        { type: "thinking_delta", thinking: block.thinking },
        { type: "signature_delta", signature: block.signature },
      ];
  return [
    event({ type: "content_block_start", index, content_block }),
    ...deltas.map((content) => delta(index, content)),
    event({ type: "content_block_stop", index }),
  ];
}

function stopReason({ tool }: SpokenAnswer): string {
  return tool ? "tool_use" : "end_turn";
}

const callId = "toolu_fault";

function toolBlock(tool: SpokenAnswer["tool"]): object[] {
  if (!tool) return [];
  return [{ type: "tool_use", id: callId, name: tool.name, input: JSON.parse(tool.pieces.join("")) }];
}

function toolEvents({ name, pieces }: NonNullable<SpokenAnswer["tool"]>, index: number): string[] {
  const content_block = { type: "tool_use", id: callId, name, input: {} };
  const opening = event({ type: "content_block_start", index, content_block });
  return [opening, ...pieces.map((piece) => delta(index, { type: "input_json_delta", partial_json: piece }))];
}

function delta(index: number, content: object): string {
  return event({ type: "content_block_delta", index, delta: content });
}

function errorOf(kind: FaultKind) {
  const [, type, message] = faults[kind];
  return { type: "error", error: { type, message }, request_id: "req_fault" };
}

function event(value: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`;
}
