import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { guardSignature } from "../../../../src/engine/caching/guard.ts";
import { comparableChat } from "../../../../src/engine/caching/semantic.ts";

describe("similar questions", () => {
  const asking = (content: string, more: object = {}): ChatRequest => ({
    model: "a/m",
    messages: [{ role: "user", content }],
    ...more,
  });
  const compare = (request: ChatRequest) => comparableChat(request, { target: "a/m", embed: "e/m" });
  const spaceOf = (content: string, more?: object) => compare(asking(content, more))?.space;

  it.each([
    ["how far is 10 miles", "how far is 20 miles"],
    ["convert 10 miles to km", "convert 10 km to miles"],
    ["what is 1.5 percent of 200", "what is 15 percent of 200"],
    ["two apples", "three apples"],
    ["is it safe", "is it not safe"],
    ["I can eat this", "I can't eat this"],
    ["with sugar", "without sugar"],
    ["do not open the door, close the window", "open the door, do not close the window"],
    ["ist das erlaubt", "ist das nicht erlaubt"],
    ["это можно", "это не можно"],
    ["可以吃", "不可以吃"],
    ["+5 degrees", "-5 degrees"],
  ])("%s and %s never match", (one, other) => {
    expect(guardSignature(one)).not.toBe(guardSignature(other));
    expect(spaceOf(one)).not.toBe(spaceOf(other));
  });

  it.each([
    ["what is the capital of France", "which city is France's capital"],
    ["how do I sort a list in Python", "sorting lists with Python, how"],
    ["what's 10 miles", "what are 10 miles?"],
    ["I can't sleep", "I cannot sleep"],
  ])("%s and %s may", (one, other) => expect(spaceOf(one)).toBe(spaceOf(other)));

  it("texts that differ in a number never match, wherever it stands", () => {
    const word = fc.constantFrom("sum", "of", "apples", "Berlin", "km");
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1 }),
        fc.nat(),
        fc.tuple(fc.nat(), fc.nat()),
        (words, at, [one, other]) => {
          fc.pre(one !== other);
          const place = at % (words.length + 1);
          const write = (number: number) => [...words.slice(0, place), number, ...words.slice(place)].join(" ");
          expect(spaceOf(write(one))).not.toBe(spaceOf(write(other)));
        },
      ),
    );
  });

  it("are compared only with equal parameters, instructions and roles", () => {
    const base = spaceOf("hello");
    expect(spaceOf("hello", { temperature: 1 })).not.toBe(base);
    const system = (content: string) =>
      compare({
        model: "a/m",
        messages: [
          { role: "system", content },
          { role: "user", content: "hello" },
        ],
      })?.space;
    expect(system("be brief")).not.toBe(system("be long"));
    expect(system("be brief")).not.toBe(base);
    expect(comparableChat(asking("hello"), { target: "b/m", embed: "e/m" })?.space).not.toBe(base);
    expect(comparableChat(asking("hello"), { target: "a/m", embed: "e/n" })?.space).not.toBe(base);
  });

  const user = { role: "user" as const, content: "hi" };
  const bot = { role: "assistant" as const, content: "hello" };
  it.each([
    ["more than three turns", [user, bot, user, bot, user, bot, user]],
    ["an image", [{ role: "user" as const, content: [{ type: "image_url" as const, image_url: { url: "x" } }] }]],
    ["a file", [{ role: "user" as const, content: [{ type: "file" as const, file: { file_id: "x" } }] }]],
    ["the answer of a tool", [user, { role: "tool" as const, tool_call_id: "1", content: "4" }]],
    ["a call of a tool", [user, { role: "assistant" as const, content: "", tool_calls: [{ id: "1" }] }, user]],
    ["a name", [{ ...user, name: "Ann" }]],
    ["nobody asking", [bot]],
  ])("are not looked for with %s", (_what, messages) => {
    expect(compare({ model: "a/m", messages })).toBeUndefined();
  });

  it("are looked for in up to three turns of text, also in parts", () => {
    expect(compare({ model: "a/m", messages: [user, bot, user, bot, user] })?.text).toContain("assistant: hello");
    const parts = [{ type: "text" as const, text: "hi" }];
    expect(compare({ model: "a/m", messages: [{ role: "user", content: parts }] })?.text).toBe("user: hi");
  });
});
