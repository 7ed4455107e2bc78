import { expect, it } from "vitest";
import type { ChatChunk, ChunkChoice } from "../../../../src/engine/api/chat.ts";
import type { Delta } from "../../../../src/engine/api/message.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";

const chunk = (choices: ChunkChoice[], more: Partial<ChatChunk> = {}): ChatChunk => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices,
  ...more,
});
const delta = (part: Delta, index = 0): ChunkChoice => ({ index, finish_reason: null, delta: part });
const end = (finish_reason: string, index = 0): ChunkChoice => ({ index, finish_reason, delta: {} });

it("joins text, reasoning and refusal per choice, in the order of the choices", () => {
  const whole = mergeChunks([
    chunk([delta({ content: "b1" }, 1)]),
    chunk([delta({ role: "assistant", reasoning: "think" })]),
    chunk([delta({ content: "a" }), delta({ content: "b2" }, 1)]),
    chunk([delta({ refusal: "no" })]),
    chunk([end("stop"), end("length", 1)]),
  ]);
  expect(whole.choices).toEqual([
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: "a", reasoning: "think", refusal: "no" },
    },
    { index: 1, finish_reason: "length", message: { role: "assistant", content: "b1b2" } },
  ]);
});

it("joins the input of a call of a custom tool, whose name is told once", () => {
  const call = (part: object) => delta({ tool_calls: [{ index: 0, function: {}, ...part }] });
  const whole = mergeChunks([
    chunk([call({ id: "t", type: "custom", custom: { name: "shell", input: "" } })]),
    chunk([call({ custom: { input: "ls " } })]),
    chunk([call({ custom: { input: "-l" } })]),
    chunk([end("tool_calls")]),
  ]);
  const custom = { name: "shell", input: "ls -l" };
  expect(whole.choices[0]?.message.tool_calls).toMatchObject([{ id: "t", type: "custom", custom }]);
});

it("assembles parallel tool calls by index however they interleave", () => {
  const call = (index: number, part: object) => delta({ tool_calls: [{ index, ...part } as never] });
  const whole = mergeChunks([
    chunk([call(1, { id: "t1", type: "function", function: { name: "two", arguments: "" } })]),
    chunk([call(0, { id: "t0", type: "function", function: { name: "one", arguments: '{"a"' } })]),
    chunk([call(1, { function: { arguments: "{}" } })]),
    chunk([call(0, { function: { arguments: ":1}" } })]),
    chunk([end("tool_calls")]),
  ]);
  expect(whole.choices[0]?.message).toEqual({
    role: "assistant",
    content: null,
    tool_calls: [
      { id: "t0", type: "function", function: { name: "one", arguments: '{"a":1}' } },
      { id: "t1", type: "function", function: { name: "two", arguments: "{}" } },
    ],
  });
});

it("keeps a reasoning block's signature byte for byte and blocks apart by index", () => {
  const detail = (index: number, part: object) =>
    delta({ reasoning_details: [{ index, type: "reasoning.text", ...part } as never] });
  const whole = mergeChunks([
    chunk([detail(0, { text: "one " })]),
    chunk([detail(0, { text: "two" })]),
    chunk([detail(0, { signature: "+/=sig" })]),
    chunk([detail(2, { text: "later" })]),
    chunk([end("stop")]),
  ]);
  expect(whole.choices[0]?.message.reasoning_details).toEqual([
    { index: 0, type: "reasoning.text", text: "one two", signature: "+/=sig" },
    { index: 2, type: "reasoning.text", text: "later" },
  ]);
});

it("keeps the last usage and what the chunks say beside the choices", () => {
  const usage = (n: number) => ({ prompt_tokens: n, completion_tokens: n, total_tokens: 2 * n });
  const whole = mergeChunks([
    chunk([delta({ content: "x" })], { usage: usage(1) }),
    chunk([end("stop")], { service_tier: "flex" }),
    chunk([], { usage: usage(2), citations: ["u"] }),
  ]);
  expect(whole).toMatchObject({
    id: "c",
    object: "chat.completion",
    usage: usage(2),
    service_tier: "flex",
    citations: ["u"],
  });
});
