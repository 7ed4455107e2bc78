import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ToolCallDelta } from "../../../src/engine/api/message.ts";
import { defineProvider } from "../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../src/index.ts";

const grammar = { syntax: "lark" as const, definition: "start: x" };
const custom = { name: "apply_patch", description: "Edits.", format: { type: "grammar", grammar } };
const plain = { type: "function" as const, function: { name: "look", parameters: { type: "object" } } };
const earlier = { id: "c0", type: "custom", custom: { name: "apply_patch", input: '{"input":"old"}' } };
const request: ChatRequest = {
  model: "lab/m",
  messages: [
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [earlier] },
    { role: "tool", tool_call_id: "c0", content: "done" },
  ],
  tools: [{ type: "custom", custom }, plain],
  tool_choice: { type: "custom", custom: { name: "apply_patch" } },
};

/** A vendor that calls each tool once, as functions and cut into pieces, and what it was sent. */
function lab(input: string, pieces: readonly number[], takesCustomTools = false) {
  const seen: ChatRequest[] = [];
  const written = JSON.stringify({ input });
  const calls = [
    { id: "c1", type: "function" as const, function: { name: "apply_patch", arguments: written } },
    { id: "c2", type: "function" as const, function: { name: "look", arguments: "{}" } },
  ];
  const head = { id: "a", created: 1, model: "m" };
  const provider = defineProvider({
    name: "lab",
    takesCustomTools,
    async chat(asked) {
      seen.push(asked);
      const message = { role: "assistant" as const, content: null, tool_calls: calls };
      return { ...head, object: "chat.completion", choices: [{ index: 0, finish_reason: "tool_calls", message }] };
    },
    async *streamChat(asked) {
      seen.push(asked);
      const chunk = { ...head, object: "chat.completion.chunk" };
      const deltas = calls.flatMap((call, index): ToolCallDelta[] => {
        const { name, arguments: text } = call.function;
        const ends = [...new Set([...pieces.map((at) => at % text.length), text.length])].sort((a, b) => a - b);
        const texts = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
        const first = { index, id: call.id, type: "function", function: { name, arguments: "" } };
        return [first, ...texts.map((piece) => ({ index, function: { arguments: piece } }))];
      });
      for (const delta of deltas)
        yield { ...chunk, choices: [{ index: 0, finish_reason: null, delta: { tool_calls: [delta] } }] };
      yield { ...chunk, choices: [{ index: 0, finish_reason: "tool_calls", delta: {} }] };
    },
  });
  return { engine: createEngine({ providers: [provider] }), seen };
}

const inputs = fc.oneof(
  fc.string(),
  fc.json(),
  fc.string().map((input) => JSON.stringify({ input })),
);

test("a vendor without custom tools is sent functions with one text; its calls come back as the caller's, whole and streamed", async () => {
  await fc.assert(
    fc.asyncProperty(inputs, fc.array(fc.nat(40)), async (input, pieces) => {
      const { engine, seen } = lab(input, pieces);
      const answer = await engine.chat(request);
      const [first, second] = answer.choices[0]?.message.tool_calls ?? [];
      expect(first).toEqual({ id: "c1", type: "custom", custom: { name: "apply_patch", input } });
      expect(second?.function?.name).toBe("look");
      const streamed = { text: "", hasFunction: false };
      for await (const { choices } of await engine.streamChat(request))
        for (const call of choices[0]?.delta.tool_calls ?? []) {
          if (call.index !== 0) continue;
          streamed.text += (call.custom as { input: string }).input;
          streamed.hasFunction ||= call.function !== undefined;
        }
      expect(streamed).toEqual({ text: input, hasFunction: false });
      for (const { tools, messages, tool_choice } of seen) {
        expect(tools?.map((tool) => tool.function?.name)).toEqual(["apply_patch", "look"]);
        expect(tools?.[0]?.function?.description).toContain("lark grammar:\nstart: x");
        const text = JSON.stringify({ input: earlier.custom.input });
        expect(messages[1]?.tool_calls?.[0]?.function).toEqual({ name: "apply_patch", arguments: text });
        expect(tool_choice).toEqual({ type: "function", function: { name: "apply_patch" } });
      }
      await engine.close();
    }),
    { numRuns: 60 },
  );
});

test("a vendor with custom tools gets them as they are", async () => {
  const { engine, seen } = lab("x", [], true);
  await engine.chat(request);
  expect(seen[0]).toMatchObject({ tools: request.tools, messages: request.messages });
  await engine.close();
});
