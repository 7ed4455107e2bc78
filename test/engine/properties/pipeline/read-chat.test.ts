import { deepStrictEqual } from "node:assert";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { readChat } from "../../../../src/engine/api/read-chat.ts";
import { anyChat } from "../../../../src/testing/arbitraries.ts";

const cast = { providers: ["a", "b"] };

/** Values that some field takes, and some that none does. */
const anyValue = fc.oneof(
  fc.constantFrom(null, undefined, true, 0, 1, 2.5, -3, Number.NaN, "", "low", "24h", "text"),
  fc.constantFrom([], {}, ["a"], [1], { type: "text" }, { effort: "low", more: 1 }, { a: 1 }, "x".repeat(3_000)),
  fc.jsonValue({ maxDepth: 2 }),
);
const anyField = fc.oneof(
  fc.constantFrom(...Object.keys(ChatRequest.shape)),
  fc.constantFrom("__proto__", "constructor", "toString", "max_tokens", "reasoning_effort", "own"),
);
const anyMessage = fc.oneof(
  fc.record({ role: fc.constantFrom("system", "user", "assistant", "developer", "tool", "robot"), content: anyValue }),
  fc.record({ role: fc.constant("user"), content: fc.string(), name: anyValue }, { requiredKeys: ["role"] }),
  fc.constantFrom({ role: "user", content: [{ type: "text", text: "a" }] }, { role: "assistant", tool_calls: [{}] }),
  anyValue,
);

/** Requests with any fields, right and wrong, put into one that is right. */
const anyInput = fc
  .tuple(
    anyChat(cast),
    fc.array(fc.tuple(anyField, anyValue), { maxLength: 3 }),
    fc.option(fc.array(anyMessage, { maxLength: 3 }), { nil: undefined }),
    fc.option(anyField, { nil: undefined }),
  )
  .map(([request, fields, messages, missing]) => {
    const input: Record<string, unknown> = { ...request, ...(messages ? { messages } : {}) };
    for (const [name, value] of fields)
      Object.defineProperty(input, name, { value, enumerable: true, configurable: true, writable: true });
    if (missing !== undefined) delete input[missing];
    return input;
  });

test("what is read is what the schema reads", () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const read = readChat(input);
      if (read !== undefined) deepStrictEqual(read, ChatRequest.parse(input));
    }),
    { numRuns: 2_000 },
  );
});

test("usual requests are read", () => {
  fc.assert(
    fc.property(anyChat(cast), (request) => {
      expect(readChat(request)).toStrictEqual(ChatRequest.parse(request));
    }),
  );
});

test("nothing of the caller's that the schema copies is shared", () => {
  fc.assert(
    fc.property(anyChat(cast), (request) => {
      const before = JSON.stringify(request);
      const read = readChat(request) as ChatRequest;
      read.messages.push({ role: "user", content: "more" });
      for (const message of read.messages) message.content = "changed";
      read.fallbacks?.push("a/b");
      read.temperature = 1;
      expect(JSON.stringify(request)).toBe(before);
    }),
  );
});

test("what has a prototype of its own is left to the schema", () => {
  class Request {
    model = "a/b";
    messages = [{ role: "user", content: "Hello" }];
  }
  expect(readChat(new Request())).toBeUndefined();
  expect(readChat(JSON.parse('{"model":"a/b","messages":[],"__proto__":{"stream":true}}'))).toBeUndefined();
  for (const nothing of [null, undefined, "text", 1, [], () => {}]) expect(readChat(nothing)).toBeUndefined();
});
