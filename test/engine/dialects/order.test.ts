import { describe, expect, test } from "vitest";
import { fromWire as fromBedrock } from "../../../adapters/providers/bedrock/answer.ts";
import { toWire as toBedrock } from "../../../adapters/providers/bedrock/to-wire.ts";
import { eventDecoder } from "../../../adapters/shared/anthropic/events.ts";
import { fromWire } from "../../../adapters/shared/anthropic/from-wire.ts";
import { toWire } from "../../../adapters/shared/anthropic/to-wire.ts";
import type { ChatChunk, ChatResponse } from "../../../src/engine/api/chat.ts";
import { toChunks } from "../../../src/engine/caching/replay.ts";
import { mergeChunks } from "../../../src/engine/metering/merge-chunks.ts";
import { writeAnswer } from "../../../src/http/dialects/anthropic/answer.ts";
import { readRequest } from "../../../src/http/dialects/anthropic/request.ts";
import { streamWriter } from "../../../src/http/dialects/anthropic/stream.ts";
import { newNotes } from "../../../src/http/dialects/shared/translation-warnings.ts";
import { recordedCall } from "../../fixtures/native.ts";
import { readEvents } from "../../http/support/dialects/frames.ts";

const call = recordedCall("claude-opus-4-8");
const context = { provider: "p", call, fault: () => new Error("none") as never };

interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: object;
}

const think = (thinking: string): ContentBlock => ({ type: "thinking", thinking, signature: `s${thinking}` });
const text = (text: string): ContentBlock => ({ type: "text", text });
const use = (id: string): ContentBlock => ({ type: "tool_use", id, name: "ls", input: {} });

/** Turns as Claude writes them. */
const turns: readonly (readonly [name: string, blocks: readonly ContentBlock[]])[] = [
  ["think use think text use", [think("A"), use("t1"), think("B"), text("mid"), use("t2")]],
  ["think text think text use", [think("A"), text("a"), think("B"), text("b"), use("t1")]],
  ["text use text", [text("a"), use("t1"), text("b")]],
  ["use text", [use("t1"), text("b")]],
  ["think text use use", [think("A"), text("a"), use("t1"), use("t2")]],
  ["think use think use", [think("A"), use("t1"), think("B"), use("t2")]],
];

const order = (blocks: readonly ContentBlock[]): string =>
  blocks.map((block) => `${block.type} ${block.thinking ?? block.text ?? block.id}`).join(", ");

function streamed(blocks: readonly ContentBlock[]): ChatChunk[] {
  const decoder = eventDecoder(context);
  const out: ChatChunk[] = [];
  const events = [
    { type: "message_start", message: { id: "m" } },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ];
  for (const event of events) decoder.read(JSON.stringify(event), out);
  decoder.end(out);
  return out;
}

function blocksOf(chunks: readonly ChatChunk[]): string {
  const writer = streamWriter();
  const events = readEvents(chunks.map((chunk) => writer.write(chunk)).join("") + writer.end());
  const blocks: ContentBlock[] = [];
  for (const { data } of events) {
    const {
      content_block: begun,
      delta,
      index = 0,
    } = data as {
      content_block?: ContentBlock;
      delta?: { text?: string; thinking?: string };
      index?: number;
    };
    if (begun) blocks.push(begun);
    const open = blocks[index];
    if (open && (delta?.text || delta?.thinking)) {
      const { text: more = "", thinking = "" } = delta;
      blocks[index] = more
        ? { ...open, text: `${open.text}${more}` }
        : { ...open, thinking: `${open.thinking}${thinking}` };
    }
  }
  return order(blocks);
}

const writtenOrder = (answer: ChatResponse): string => order(writeAnswer(answer, newNotes()).content as ContentBlock[]);

function historyOf(blocks: readonly ContentBlock[]) {
  const results = blocks
    .filter(({ id }) => id)
    .map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "x" }));
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", content: blocks },
    { role: "user", content: results.length > 0 ? results : "on" },
  ];
  return readRequest({ model: "m", max_tokens: 9, thinking: { type: "adaptive" }, messages }).request;
}

const options = { provider: "anthropic", call, maxTokens: 100, version: "", isStream: false };

/** Blocks of Converse as Anthropic has them. */
function fromConverse(content: readonly unknown[]): string {
  const answer = fromBedrock({ output: { message: { content } }, stopReason: "end_turn" }, context);
  return writtenOrder(answer);
}

describe.each(turns)("%s", (_name, blocks) => {
  const right = order(blocks);

  test("an answer has the vendor's order, whole and streamed, from the cache, and gathered from a stream", () => {
    const whole = fromWire({ content: blocks, stop_reason: "end_turn" }, context);
    const chunks = streamed(blocks);
    expect(writtenOrder(whole)).toBe(right);
    expect(blocksOf(chunks)).toBe(right);
    expect(blocksOf(toChunks(whole))).toBe(right);
    expect(writtenOrder(mergeChunks(chunks))).toBe(right);
    expect(mergeChunks(chunks).choices).toEqual(whole.choices);
    expect(mergeChunks(toChunks(whole)).choices).toEqual(whole.choices);
  });

  test("a history has its order at Anthropic and at Bedrock", () => {
    const request = historyOf(blocks);
    expect(order(toWire(request, options).messages[1]?.content as ContentBlock[])).toBe(right);
    expect(fromConverse(toBedrock(request, { provider: "bedrock", call }).messages[1]?.content ?? [])).toBe(right);
  });

  test("an answer of ours is a history of ours", () => {
    const { message } = fromWire({ content: blocks, stop_reason: "end_turn" }, context)
      .choices[0] as ChatResponse["choices"][0];
    const request = { model: "m", messages: [{ role: "user" as const, content: "go" }, message] };
    expect(order(toWire(request, options).messages[1]?.content as ContentBlock[])).toBe(right);
  });
});

test("white space that is dropped shifts nothing", () => {
  const blocks = [think("A"), text("\n\n"), think("B"), use("t1"), text(" "), think("C"), use("t2")];
  const right = order(blocks.filter(({ text }) => text === undefined));
  expect(order(toWire(historyOf(blocks), options).messages[1]?.content as ContentBlock[])).toBe(right);
});

test("calls whose `index` counts calls, as clients gather it from streams, are no places", () => {
  const { message } = fromWire({ content: turns[5]?.[1], stop_reason: "tool_use" }, context)
    .choices[0] as ChatResponse["choices"][0];
  const gathered = { ...message, tool_calls: message.tool_calls?.map((each, index) => ({ ...each, index })) };
  const request = { model: "m", messages: [{ role: "user" as const, content: "go" }, gathered] };
  expect(order(toWire(request, options).messages[1]?.content as ContentBlock[])).toBe(order(turns[5]?.[1] ?? []));
});
