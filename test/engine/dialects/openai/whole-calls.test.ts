import { expect, it } from "vitest";
import { toolCallReader } from "../../../../adapters/shared/openai-compatible/response/tool-calls.ts";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import type { ToolCall } from "../../../../src/engine/api/message.ts";
import { wholeCalls } from "../../../../src/engine/dialects/openai/whole-calls.ts";
import { createListener } from "../../../../src/http/server/node.ts";
import { engineDouble } from "../../../http/support/engine-double.ts";
import { serve, stillClock } from "../../../http/support/server.ts";

const deltas: readonly ToolCall[] = [
  { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } },
  { index: 1, id: "b", type: "function", function: { arguments: "" } },
  { index: 0, function: { arguments: '{"x":' } },
  { index: 1, function: { name: "g", arguments: "{}" } },
  { index: 0, function: { arguments: "1}" } },
];
const whole = [
  { index: 0, id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
  { index: 1, id: "b", type: "function", function: { name: "g", arguments: "{}" } },
];

async function* stream(): AsyncGenerator<ChatChunk> {
  const head = { id: "1", object: "chat.completion.chunk" as const, created: 1, model: "m" };
  yield { ...head, choices: [{ index: 0, finish_reason: null, delta: { role: "assistant", content: "Hm" } }] };
  for (const call of deltas)
    yield { ...head, choices: [{ index: 0, finish_reason: null, delta: { tool_calls: [call] } }] };
  yield { ...head, choices: [{ index: 0, finish_reason: "tool_calls", delta: {} }] };
}

it("each call is whole in one delta, behind the text", async () => {
  const chunks: ChatChunk[] = [];
  for await (const chunk of wholeCalls(stream())) chunks.push(chunk);
  expect(chunks[0]?.choices[0]?.delta.content).toBe("Hm");
  expect(chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])).toEqual(whole);
  expect(chunks.at(-1)?.choices[0]?.delta.tool_calls).toHaveLength(2);
});

it.each([
  ["mistral-client-python/1.9.11", [2]],
  ["OpenAI/Python 2.0.0", [1, 1, 1, 1, 1]],
])("a client that calls itself %s gets its calls in deltas of %j", async (agent, sizes) => {
  const engine = engineDouble({ streamChat: async () => stream() as never });
  await using server = await serve(createListener({ engine, clock: stillClock }));
  const headers = { "content-type": "application/json", "user-agent": agent };
  const body = JSON.stringify({ model: "double/m", stream: true, messages: [{ role: "user", content: "go" }] });
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", headers, body });
  const events = (await response.text()).split("\n\n").filter((frame) => frame.startsWith("data: {"));
  const told = events.flatMap((frame) => JSON.parse(frame.slice("data: ".length)).choices[0]?.delta.tool_calls ?? null);
  const lists = events.map(
    (frame) => JSON.parse(frame.slice("data: ".length)).choices[0]?.delta.tool_calls?.length ?? 0,
  );
  expect(lists.filter((length) => length > 0)).toEqual(sizes);
  expect(told.some((call) => call?.function.name === "g")).toBe(true);
});

it("a name that comes behind its id is its call's, and the id `null` is none", () => {
  const reader = toolCallReader((index) => `made_${index}`);
  const read = [
    [{ id: "a", function: { name: null, arguments: "" } }],
    [{ id: "null", function: { name: "f", arguments: '{"x"' } }],
    [{ id: "null", function: { arguments: ":1}" } }],
  ].map((raw) => reader.read(raw));
  reader.end();
  expect(read.flat()).toEqual([
    { index: 0, id: "a", type: "function", function: { arguments: "" } },
    { index: 0, function: { name: "f", arguments: '{"x"' } },
    { index: 0, function: { arguments: ":1}" } },
  ]);
});
