import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventDecoder } from "../../../adapters/shared/anthropic/events.ts";
import { fromWire } from "../../../adapters/shared/anthropic/from-wire.ts";
import { toWire } from "../../../adapters/shared/anthropic/to-wire.ts";
import type { Block } from "../../../adapters/shared/anthropic/wire.ts";
import type { ChatChunk, ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { recordedCall } from "../../fixtures/native.ts";

const context = { provider: "anthropic", call: recordedCall("claude-opus-5-5") };

/** Bytes that no translation may touch: base64 and worse, down to characters that Unicode takes for equal. */
const opaque = fc.oneof(
  fc.base64String({ minLength: 4, maxLength: 80 }),
  fc.string({ unit: "binary", minLength: 1 }),
  fc.constant("e\u0301\ufb01 \u212b "),
);
const input = fc
  .dictionary(fc.string({ minLength: 1, maxLength: 8 }), fc.jsonValue(), { maxKeys: 4 })
  .map((drawn): Record<string, unknown> => JSON.parse(JSON.stringify(drawn)));
const thought = fc.oneof(
  fc.record({ type: fc.constant("thinking" as const), thinking: fc.string({ unit: "grapheme" }), signature: opaque }),
  fc.record({ type: fc.constant("redacted_thinking" as const), data: opaque }),
);
const toolUse = fc.record({
  type: fc.constant("tool_use" as const),
  id: fc.stringMatching(/^[A-Za-z0-9_-]{1,24}$/),
  name: fc.stringMatching(/^[A-Za-z0-9_-]{1,16}$/),
  input,
});
/** The vendor refuses texts of nothing but white space, and writes none. */
const words = fc.string({ unit: "grapheme", minLength: 1 }).filter((written) => written.trim() !== "");
const text = fc.record({ type: fc.constant("text" as const), text: words });

/** A model's turn: text, if any, before the calls; thoughts anywhere among them. */
const turn: fc.Arbitrary<Block[]> = fc
  .record({
    text: fc.array(text, { maxLength: 1 }),
    tools: fc.uniqueArray(toolUse, { maxLength: 4, selector: ({ id }) => id }),
    thoughts: fc.array(fc.tuple(thought, fc.nat(6)), { maxLength: 4 }),
  })
  .map(({ text: said, tools, thoughts }) => {
    const blocks: Block[] = [...said, ...tools];
    for (const [block, at] of thoughts) blocks.splice(at, 0, block);
    return blocks;
  });

function whole(blocks: readonly Block[]): ChatMessage {
  return fromWire({ content: blocks, stop_reason: "end_turn" }, context).choices[0]?.message as ChatMessage;
}

/** The turn as the vendor gets it back when the caller sends the message again. */
function resent(message: ChatMessage): readonly Block[] {
  const messages: ChatMessage[] = [{ role: "user", content: "go" }, message];
  const request: ChatRequest = { model: "anthropic/claude-opus-5-5", messages };
  const { messages: turns } = toWire(request, {
    ...context,
    maxTokens: undefined,
    version: "2023-06-01",
    isStream: false,
  });
  const content = turns[1]?.content ?? [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

interface Piece {
  readonly at: number;
  readonly delta: Record<string, unknown>;
}

/** The deltas of one block, its texts cut at the given places. */
function piecesOf(block: Block, at: number, cuts: readonly number[]): Piece[] {
  const cut = (whole: string, type: string, field: string): Piece[] => {
    const places = [0, ...[...cuts].map((place) => place % (whole.length + 1)).sort((a, b) => a - b), whole.length];
    return places.slice(1).map((end, n) => ({ at, delta: { type, [field]: whole.slice(places[n], end) } }));
  };
  if (block.type === "text") return cut(block.text, "text_delta", "text");
  if (block.type === "tool_use") return cut(JSON.stringify(block.input), "input_json_delta", "partial_json");
  if (block.type !== "thinking") return [];
  return [
    ...cut(block.thinking, "thinking_delta", "thinking"),
    { at, delta: { type: "signature_delta", signature: block.signature } },
  ];
}

function emptied(block: Block): Record<string, unknown> {
  if (block.type === "text") return { type: "text", text: "" };
  if (block.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return block.type === "tool_use" ? { ...block, input: {} } : { ...block };
}

/** Any order of the pieces that keeps the order within each block. */
function interleave(queues: Piece[][], order: readonly number[]): Piece[] {
  const woven: Piece[] = [];
  for (let step = 0; queues.some((queue) => queue.length > 0); step++) {
    const left = queues.filter((queue) => queue.length > 0);
    const next = left[(order[step % order.length] ?? 0) % left.length]?.shift();
    if (next) woven.push(next);
  }
  return woven;
}

type Send = (event: unknown) => boolean;

/** One block after the other, as the vendor sends them. */
function sendInTurn(blocks: readonly Block[], cuts: readonly number[], send: Send): void {
  for (const [index, block] of blocks.entries()) {
    send({ type: "content_block_start", index, content_block: emptied(block) });
    for (const { delta } of piecesOf(block, index, cuts)) send({ type: "content_block_delta", index, delta });
    send({ type: "content_block_stop", index });
  }
}

/** All blocks at once. */
function sendInterleaved(blocks: readonly Block[], pieces: readonly Piece[], send: Send): void {
  for (const [index, block] of blocks.entries())
    send({ type: "content_block_start", index, content_block: emptied(block) });
  for (const { at, delta } of pieces) send({ type: "content_block_delta", index: at, delta });
  for (const index of blocks.keys()) send({ type: "content_block_stop", index });
}

function chunksOf(sendBlocks: (send: Send) => void): ChatChunk[] {
  const decoder = eventDecoder({ ...context, fault: () => new Error("no fault was sent") as never });
  const chunks: ChatChunk[] = [];
  const send: Send = (event) => decoder.read(JSON.stringify(event), chunks);
  send({ type: "message_start", message: { id: "msg_1", model: "claude-opus-5-5" } });
  sendBlocks(send);
  send({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} });
  expect(send({ type: "message_stop" })).toBe(true);
  return chunks;
}

function streamed(sendBlocks: (send: Send) => void): ChatMessage {
  return mergeChunks(chunksOf(sendBlocks)).choices[0]?.message as ChatMessage;
}

const cuts = fc.array(fc.nat(40), { maxLength: 4 });
const order = fc.array(fc.nat(5), { minLength: 1, maxLength: 12 });

describe("a model's turn that the caller sends back", () => {
  it("reaches the vendor with every thought, text and call as it was, in its place (whole answer)", () => {
    fc.assert(
      fc.property(turn, (blocks) => {
        expect(resent(whole(blocks))).toEqual(blocks);
      }),
      { numRuns: 300 },
    );
  });

  it("reaches the vendor with every thought, text and call as it was, in its place (stream)", () => {
    fc.assert(
      fc.property(turn, cuts, (blocks, at) => {
        expect(resent(streamed((send) => sendInTurn(blocks, at, send)))).toEqual(blocks);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps signatures and redacted thoughts byte for byte on the wire in between", () => {
    fc.assert(
      fc.property(turn, (blocks) => {
        const details = whole(blocks).reasoning_details ?? [];
        const sent = blocks.flatMap((block) =>
          block.type === "thinking" ? [block.signature] : block.type === "redacted_thinking" ? [block.data] : [],
        );
        expect(details.map(({ signature, data }) => signature ?? data)).toEqual(sent);
      }),
    );
  });
});

describe("parallel tool calls in a stream", () => {
  it("have indices that count the calls, not the blocks", () => {
    const blocks = fc.tuple(fc.array(text, { maxLength: 1 }), fc.array(toolUse, { minLength: 1, maxLength: 4 }));
    fc.assert(
      fc.property(blocks, ([said, calls]) => {
        const chunks = chunksOf((send) => sendInTurn([...said, ...calls], [], send));
        const deltas = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
        const named = deltas.filter(({ id }) => id !== undefined);
        expect(named.map(({ index, id }) => [index, id])).toEqual(calls.map(({ id }, at) => [at, id]));
        expect(Math.max(...deltas.map(({ index = 0 }) => index))).toBe(calls.length - 1);
      }),
    );
  });

  it("keep index, id, name and arguments in whatever order the pieces of the blocks come", () => {
    const calls = fc.uniqueArray(toolUse, { minLength: 2, maxLength: 5, selector: ({ id }) => id });
    const story = fc.record({ calls, said: fc.array(text, { maxLength: 1 }), cuts, order });
    fc.assert(
      fc.property(story, (drawn) => {
        const blocks: Block[] = [...drawn.said, ...drawn.calls];
        const queues = blocks.map((block, index) => piecesOf(block, index, drawn.cuts));
        const pieces = interleave(queues, drawn.order);
        const { tool_calls = [] } = streamed((send) => sendInterleaved(blocks, pieces, send));
        expect(tool_calls.map(({ id, function: f }) => [id, f?.name, JSON.parse(f?.arguments ?? "")])).toEqual(
          drawn.calls.map(({ id, name, input: given }) => [id, name, JSON.parse(JSON.stringify(given))]),
        );
      }),
      { numRuns: 300 },
    );
  });
});
