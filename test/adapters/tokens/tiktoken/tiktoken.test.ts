import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodingOf, loadEncoder } from "../../../../adapters/tokens/tiktoken/encodings.ts";
import { countGuarded } from "../../../../adapters/tokens/tiktoken/guard.ts";
import { tiktoken } from "../../../../adapters/tokens/tiktoken/index.ts";

const tokens = tiktoken();
const plain = loadEncoder("o200k_base");

describe("encodings", () => {
  it.each([
    ["gpt-4o-mini", "o200k_base"],
    ["openai/gpt-5.4", "o200k_base"],
    ["o3", "o200k_base"],
    ["ft:gpt-4o-mini-2024-07-18:acme::x", "o200k_base"],
    ["openai/ft:gpt-4.1-2025-04-14:acme::x", "o200k_base"],
    ["ft:gpt-4-0613:acme::x", "cl100k_base"],
    ["davinci-002", "cl100k_base"],
    ["gpt-4-turbo", "cl100k_base"],
    ["gpt-3.5-turbo-0125", "cl100k_base"],
    ["text-embedding-3-small", "cl100k_base"],
    ["text-davinci-003", "p50k_base"],
    ["davinci", "r50k_base"],
    ["claude-sonnet-4-5", "o200k_base"],
  ])("%s is counted in %s", (model, encoding) => expect(encodingOf(model)).toBe(encoding));

  it("are loaded by the first count, not by the import", () => {
    const loaded = Object.keys(createRequire(import.meta.url).cache).filter(
      (path) => path.includes("encoders/r50k_base"), // no other test counts with it in this process
    );
    expect(loaded).toEqual([]);
    expect(tokens.countText("hello world", "davinci")).toBe(2);
  });
});

describe("the count of a text", () => {
  it.each([
    ["hello world", "gpt-4o", 2],
    ["", "gpt-4o", 0],
    ["antidisestablishmentarianism", "gpt-4o", 6],
    ["antidisestablishmentarianism", "gpt-4", 6],
    ["<|endoftext|>", "gpt-4o", 7],
  ])("of %j for %s is %d", (text, model, count) => expect(tokens.countText(text, model)).toBe(count));

  it("is the encoder's own wherever no run is longer than 256", () => {
    const word = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.lorem({ maxCount: 8 }),
      fc.string({ unit: "grapheme", maxLength: 30 }),
    );
    const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, (each) => countGuarded(plain, each) === plain(each)),
      { numRuns: 300 },
    );
  });

  it("differs by at most two tokens a cut where a run is longer", () => {
    const unit = fc.constantFrom("a", "ab", "漢", "é", "!", " ", "\t", "=", "ภ");
    fc.assert(
      fc.property(unit, fc.integer({ min: 257, max: 1_500 }), (piece, length) => {
        const text = piece.repeat(Math.ceil(length / piece.length));
        const cuts = Math.floor(text.length / 256);
        expect(Math.abs(countGuarded(plain, text) - plain(text))).toBeLessThanOrEqual(2 * cuts);
      }),
      { numRuns: 60 },
    );
  });

  it("of a very long text is scaled from samples of it", () => {
    const text = "The quick brown fox jumps over the lazy dog. ".repeat(20_000);
    const exact = plain("The quick brown fox jumps over the lazy dog. ".repeat(1_000)) * 20;
    expect(Math.abs(tokens.countText(text, "gpt-4o") / exact - 1)).toBeLessThan(0.02);
  });

  it.each([
    ["one Chinese character", "漢".repeat(65_536)],
    ["Chinese", Array.from({ length: 65_536 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7) % 20_000))).join("")],
    ["one letter", "a".repeat(65_536)],
    ["spaces", " ".repeat(65_536)],
    ["line ends", "\n".repeat(65_536)],
    ["punctuation", "!".repeat(65_536)],
    ["brackets", '{"a":['.repeat(11_000)],
    ["joined emoji", "👩‍👩‍👧‍👦".repeat(6_000)],
    ["letters with marks", "e\u0301\u0302\u0303".repeat(16_000)],
    ["lone surrogates", "\ud800".repeat(65_536)],
    ["words of 255 letters", `${"abcdefghijklmno".repeat(17)} `.repeat(256)],
    ["ten million characters", "lorem ipsum dolor ".repeat(600_000)],
  ])("takes less than a second whatever the text is: %s", (_, text) => {
    const before = process.cpuUsage();
    expect(tiktoken().countText(text, "gpt-4o")).toBeGreaterThan(0);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });

  it("is remembered within a bound", () => {
    const small = tiktoken({ remembered: 2_000 });
    const counts = Array.from({ length: 200 }, (_, n) => small.countText(`${n} `.repeat(100), "gpt-4o"));
    const again = Array.from({ length: 200 }, (_, n) => small.countText(`${n} `.repeat(100), "gpt-4o"));
    expect(again).toEqual(counts);
  });
});

describe("the count of a chat", () => {
  const count = (request: Parameters<typeof tokens.countChat>[0]) => tokens.countChat(request, "gpt-4o");

  it("adds three for each message, the role, and three for the answer", () => {
    const messages = [
      { role: "system" as const, content: "Answer in one word." },
      { role: "user" as const, content: "hello world" },
    ];
    expect(count({ messages })).toBe(3 + 1 + plain("Answer in one word.") + (3 + 1 + 2) + 3);
  });

  it("adds one for a name", () => {
    const message = { role: "user" as const, content: "hi" };
    expect(count({ messages: [{ ...message, name: "bob" }] })).toBe(count({ messages: [message] }) + 1 + plain("bob"));
  });

  it("counts the text of parts, not images and sound", () => {
    const content = [
      { type: "text" as const, text: "hello world" },
      { type: "image_url" as const, image_url: { url: `data:image/png;base64,${"A".repeat(10_000)}` } },
      { type: "input_audio" as const, input_audio: { data: "AAAA", format: "wav" } },
    ];
    expect(count({ messages: [{ role: "user", content }] })).toBe(3 + 1 + 2 + 3);
  });

  it("counts calls of tools by name and arguments", () => {
    const call = { id: "1", type: "function", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
    const bare = count({ messages: [{ role: "assistant", content: null }] });
    const called = count({ messages: [{ role: "assistant", content: null, tool_calls: [call] }] });
    expect(called - bare).toBe(3 + plain("weather") + plain('{"city":"Oslo"}'));
  });

  it("counts tools as the format declares them", () => {
    const parameters = {
      type: "object",
      properties: {
        city: { type: "string", description: "The city." },
        unit: { type: "string", description: "", enum: ["celsius", "fahrenheit"] },
      },
    };
    const tool = {
      type: "function" as const,
      function: { name: "weather", description: "Reads the weather.", parameters },
    };
    const messages = [{ role: "user" as const, content: "hi" }];
    const declared =
      7 + plain("weather:Reads the weather") + 3 + (3 + plain("city:string:The city")) + (3 + plain("unit:string:"));
    const values = -3 + (3 + plain("celsius")) + (3 + plain("fahrenheit"));
    expect(count({ messages, tools: [tool] }) - count({ messages })).toBe(declared + values + 12);
  });
});
