import fc from "fast-check";
import { expect, it } from "vitest";
import { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ToolCall } from "../../../src/engine/api/message.ts";
import { textOf } from "../../../src/engine/api/sent/text-of.ts";
import { withCompleteCalls } from "../../../src/engine/dialects/openai/complete-calls.ts";
import { scriptedEngine } from "../../../src/testing/engine.ts";

const messages = [{ role: "user" as const, content: "Hi" }];
const engineOf = () => scriptedEngine({ "a/m": [{ kind: "answer", text: "Hello" }] });
const warningsOf = async (fields: object) =>
  (await engineOf().chat({ model: "a/m", messages, ...fields })).extra_fields?.warnings ?? [];

it("a field that is misspelled is named with what was probably meant", async () => {
  expect(await warningsOf({ temprature: 1 })).toEqual([
    "`temprature` is no field of the request: did you mean `temperature`?",
  ]);
  const { extra_fields } = await engineOf()
    .chat({ model: "a/m", messages, ...{ zzzzzz: 1 } })
    .then((answer) => answer);
  expect(extra_fields?.warnings?.[0]).toContain("goes into `extra`");
});

it("what is in `extra`, documented, or a vendor's own is no misspelling", async () => {
  expect(await warningsOf({ extra: { zzzzzz: 1 }, top_k: 3, max_tokens: 9, temperature: 1 })).toEqual([]);
});

it("fields of `extra` are the request's own, and one that the request also has is refused", async () => {
  await expect(engineOf().chat({ model: "a/m", messages, extra: { temperature: 9 } })).rejects.toMatchObject({
    param: "temperature",
  });
  await expect(engineOf().chat({ model: "a/m", messages, extra: { messages: [] } })).rejects.toMatchObject({
    param: "extra.messages",
  });
});

it("every name that is not documented is in the warnings, up to twenty", async () => {
  const name = fc.stringMatching(/^x[a-z]{8,12}q$/).filter((word) => !(word in ChatRequest.shape));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { maxLength: 25 }), async (names) => {
      const warnings = await warningsOf(Object.fromEntries(names.map((word) => [word, 1])));
      expect(warnings).toHaveLength(Math.min(20, names.length));
      for (const [at, warning] of warnings.entries()) expect(warning).toContain(`\`${names[at]}\``);
    }),
    { numRuns: 30 },
  );
});

it("streams and events warn of it, too", async () => {
  const engine = engineOf();
  const settled: unknown[] = [];
  engine.on("settled", ({ warnings }) => settled.push(warnings));
  const seen: string[] = [];
  for await (const chunk of await engine.streamChat({ model: "a/m", messages, ...{ temprature: 1 } }))
    seen.push(...(chunk.extra_fields?.warnings ?? []));
  expect(seen[0]).toContain("temperature");
  expect(settled).toEqual([[expect.stringContaining("temprature")]]);
});

it("calls of a whole answer are complete, whatever a vendor left out", () => {
  const part = fc.option(fc.string(), { nil: undefined });
  const call = fc.record(
    {
      id: part,
      type: fc.constantFrom(undefined, "function", "other"),
      function: fc.record({ name: part, arguments: part }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(call), (calls) => {
      const { tool_calls = [] } = withCompleteCalls({ role: "assistant", tool_calls: calls as ToolCall[] }, "a_0");
      expect(tool_calls).toHaveLength(calls.length);
      const made = tool_calls.filter((_, at) => !calls[at]?.id).map(({ id }) => id);
      expect(new Set(made).size).toBe(made.length);
      for (const { id, type, function: called } of tool_calls) {
        expect(id).not.toBe("");
        expect({ type, name: typeof called?.name, text: typeof called?.arguments }).toEqual({
          type: "function",
          name: "string",
          text: "string",
        });
      }
    }),
  );
});

it("the text of an answer is that of its first choice; a chunk's is its delta's", () => {
  const head = { id: "x", object: "o", created: 1, model: "m" };
  const parts = [
    { type: "text" as const, text: "a" },
    { type: "refusal" as const, refusal: "no" },
    { type: "text" as const, text: "b" },
  ];
  const message = { role: "assistant" as const, content: parts };
  expect(textOf({ ...head, choices: [{ index: 0, finish_reason: "stop", message }] })).toBe("ab");
  expect(textOf({ ...head, choices: [{ index: 0, finish_reason: null, delta: { content: "c" } }] })).toBe("c");
  expect(textOf({ ...head, choices: [] })).toBe("");
});
