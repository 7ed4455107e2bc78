import { expect, test } from "vitest";
import { toWire } from "../../../../../adapters/shared/gemini/to-wire.ts";
import type { ChatMessage, ReasoningDetail } from "../../../../../src/engine/api/message.ts";
import { writeAnswer } from "../../../../../src/http/dialects/anthropic/answer.ts";
import { readRequest } from "../../../../../src/http/dialects/anthropic/request.ts";
import { streamWriter } from "../../../../../src/http/dialects/anthropic/stream.ts";
import { packCallId, unpackCallId } from "../../../../../src/http/dialects/anthropic/thoughts.ts";
import { newNotes } from "../../../../../src/http/dialects/shared/translation-warnings.ts";
import { recordedCall } from "../../../../fixtures/native.ts";
import { answerOf, chunksOf } from "../../../support/dialects/answers.ts";
import { readEvents } from "../../../support/dialects/frames.ts";

/** Asks for no thinking, as a plain client does. */
const plain = { model: "gemini/g", max_tokens: 9, messages: [{ role: "user", content: "weather?" }] };
const seal: ReasoningDetail = {
  type: "reasoning.encrypted",
  format: "google-gemini-v1",
  index: 1,
  data: "U0VBTA==",
  id: "call 1",
};
const thought: ReasoningDetail = { type: "reasoning.text", format: "google-gemini-v1", index: 0, text: "hm" };
const call = { id: "call 1", type: "function", function: { name: "w", arguments: '{"c":"Oslo"}' } };
const message: ChatMessage = {
  role: "assistant",
  content: null,
  reasoning: "hm",
  reasoning_details: [thought, seal],
  tool_calls: [call],
};

interface Told {
  readonly type: string;
  readonly id?: string;
}

function wholeBlocks(showsThoughts: boolean): Told[] {
  return [...writeAnswer(answerOf(message, "tool_calls"), newNotes(), { showsThoughts, stops: [] }).content] as Told[];
}

function streamedBlocks(showsThoughts: boolean): Told[] {
  const { role: _role, content: _content, ...deltas } = message;
  const writer = streamWriter({ showsThoughts, stops: [] });
  const chunks = chunksOf([{ ...deltas, tool_calls: [{ ...call, index: 0 }] } as never]);
  const events = readEvents(chunks.map((chunk) => writer.write(chunk)).join("") + writer.end());
  const begun = events.map(({ data }) => data as { content_block?: Told; index: number });
  const blocks = begun.flatMap(({ content_block: block }) => (block ? [block] : []));
  expect(begun.flatMap(({ content_block: block, index }) => (block ? [index] : []))).toEqual([...blocks.keys()]);
  return blocks;
}

const forms = [
  ["whole", wholeBlocks],
  ["streamed", streamedBlocks],
] as const;

test.each(forms)(
  "a client that asked for no thinking is sent none, %s; the seal returns in the id",
  (_form, blocksOf) => {
    const blocks = blocksOf(false);
    expect(blocks.map(({ type }) => type)).toEqual(["tool_use"]);
    const [{ id = "" } = { id: "" }] = blocks;
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    const use = { type: "tool_use", id, name: "w", input: { c: "Oslo" } };
    const result = { type: "tool_result", tool_use_id: id, content: "rain" };
    const messages = [...plain.messages, { role: "assistant", content: [use] }, { role: "user", content: [result] }];
    const { request } = readRequest({ ...plain, messages });
    const wire = toWire(request, {
      provider: "gemini",
      call: recordedCall("gemini-3.8-flash"),
      filesUrl: "https://x/",
    });
    expect(wire.contents[1]?.parts).toEqual([
      { functionCall: { id: "call 1", name: "w", args: { c: "Oslo" } }, thoughtSignature: "U0VBTA==" },
    ]);
    expect(wire.contents[2]?.parts).toMatchObject([{ functionResponse: { id: "call 1" } }]);
  },
);

test.each(forms)("a client that asked for thinking is sent it, %s, and ids as they are", (_form, blocksOf) => {
  const blocks = blocksOf(true);
  expect(blocks.map(({ type }) => type)).toEqual(["thinking", "redacted_thinking", "tool_use"]);
  expect(blocks.at(-1)?.id).toBe("call 1");
});

test.each([
  [undefined, false],
  [{ type: "disabled" }, false],
  [{ type: "enabled", budget_tokens: 2000 }, true],
  [{ type: "adaptive" }, true],
])("`thinking` %j asks for thinking: %s", (thinking, showsThoughts) => {
  expect(readRequest({ ...plain, ...(thinking ? { thinking } : {}) }).form.showsThoughts).toBe(showsThoughts);
});

test("an id that only looks packed stands for itself", () => {
  const mark = packCallId("a", [seal]).slice(0, 12);
  for (const id of ["toolu_1", "", mark, `${mark}AAAA`, `${mark}${Buffer.from("[1]").toString("base64url")}`])
    expect(unpackCallId(id)).toEqual({ id, details: [] });
  expect(unpackCallId(packCallId("é/1", [seal]))).toEqual({ id: "é/1", details: [seal] });
});

test("a client that sends thinking back, and says nothing of it, reads thinking", () => {
  const thinking = { type: "thinking", thinking: "A", signature: "s" };
  const turns = [...plain.messages, { role: "assistant", content: [thinking] }, ...plain.messages];
  expect(readRequest({ ...plain, messages: turns }).form.showsThoughts).toBe(true);
  expect(readRequest({ ...plain, messages: turns, thinking: { type: "disabled" } }).form.showsThoughts).toBe(false);
  expect(readRequest(plain).form.showsThoughts).toBe(false);
});
