import { describe, expect, it } from "vitest";
import { tiktoken } from "../../../../adapters/tokens/tiktoken/index.ts";
import type { Tokens } from "../../../../src/engine/ports/tokens.ts";

/** Everything that counts tokens; a new one is one line here. */
const adapters: Readonly<Record<string, () => Tokens>> = { tiktoken: () => tiktoken() };

const models = ["gpt-4o", "gpt-4", "claude-sonnet-5", "some/unknown-model", ""];

describe.each(Object.entries(adapters))("%s", (_, make) => {
  const tokens = make();

  it.each(models)("counts nothing as nothing, and anything as something, for %j", (model) => {
    expect(tokens.countText("", model)).toBe(0);
    for (const text of ["a", " ", "\n", "漢", "\ud800", "\0", "<|endoftext|>"]) {
      const count = tokens.countText(text, model);
      expect(Number.isInteger(count) && count >= 1 && count <= Buffer.byteLength(text)).toBe(true);
    }
  });

  it.each(models)("counts the same every time, for %j", (model) => {
    const text = "The same text, counted again and again: 1,2,3. ".repeat(7);
    expect(new Set([1, 2, 3].map(() => tokens.countText(text, model))).size).toBe(1);
    expect(make().countText(text, model)).toBe(tokens.countText(text, model));
  });

  it.each(models)("counts a longer chat as more, for %j", (model) => {
    const message = { role: "user" as const, content: "hello" };
    const tool = { type: "function" as const, function: { name: "f" } };
    const count = (messages: (typeof message)[]) => tokens.countChat({ messages }, model);
    expect(count([message, message])).toBeGreaterThan(count([message]));
    expect(count([{ ...message, content: "hello hello hello" }])).toBeGreaterThan(count([message]));
    expect(tokens.countChat({ messages: [message], tools: [tool] }, model)).toBeGreaterThan(count([message]));
    expect(tokens.countChat({ messages: [message], tools: [] }, model)).toBe(count([message]));
  });

  it("answers at once", () => {
    expect(tokens.countText("now", "gpt-4o")).toBeTypeOf("number");
  });
});
