import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMessages } from "../../../src/ai-sdk/messages.ts";
import { toPrompt } from "../../../src/ai-sdk/prompt.ts";
import { toChatRequest } from "../../../src/ai-sdk/request.ts";
import { toSdkOptions } from "../../../src/ai-sdk/sdk-options.ts";
import { fromSdkFinish, fromSdkUsage, toSdkFinish, toSdkUsage } from "../../../src/ai-sdk/usage.ts";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage } from "../../../src/engine/api/message.ts";
import type { ProviderCall } from "../../../src/engine/ports/provider.ts";

const text = fc.string({ minLength: 1, maxLength: 20 });
const base64 = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("base64"));
const part = fc.oneof(
  text.map((words) => ({ type: "text" as const, text: words })),
  base64.map((bytes) => ({ type: "image_url" as const, image_url: { url: `data:image/png;base64,${bytes}` } })),
  fc.webUrl().map((url) => ({ type: "image_url" as const, image_url: { url: new URL(url).href } })),
  base64.map((data) => ({ type: "input_audio" as const, input_audio: { data, format: "wav" } })),
  base64.map((bytes) => ({
    type: "file" as const,
    file: { file_data: `data:application/pdf;base64,${bytes}`, filename: "a.pdf" },
  })),
);
const call = fc.record({
  id: fc.uuid(),
  type: fc.constant("function"),
  function: fc.record({
    name: text,
    arguments: fc.dictionary(text, fc.jsonValue()).map((each) => JSON.stringify(each)),
  }),
});

/** A turn of the assistant, with the results of all its calls behind it. */
const assistant = fc
  .record({
    content: fc.option(text),
    reasoning: fc.option(text, { nil: undefined }),
    tool_calls: fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id }),
    result: text,
  })
  .map(({ content, reasoning, tool_calls, result }): ChatMessage[] => [
    {
      role: "assistant",
      content,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(tool_calls.length === 0 ? {} : { tool_calls }),
    },
    ...tool_calls.map(({ id }): ChatMessage => ({ role: "tool", tool_call_id: id, content: result })),
  ]);
const user = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((content): ChatMessage[] => [{ role: "user", content }]);
const system = text.map((content): ChatMessage[] => [{ role: "system", content }]);
const conversation = fc
  .array(fc.oneof(user, assistant, system), { minLength: 1, maxLength: 5 })
  .map((turns) => turns.flat());

const refuse = (what: string): never => {
  throw new Error(`warned of ${what}`);
};
const providerCall = { warn: refuse, signal: new AbortController().signal } as unknown as ProviderCall;

describe("ours → the AI SDK's → ours", () => {
  it("keeps every message: texts, pictures, sounds, files, thoughts, calls and their results", () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(toMessages(toPrompt(messages, refuse), refuse)).toEqual(messages);
      }),
    );
  });

  it("keeps every field that both have", () => {
    const fields = fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        top_p: fc.double({ min: 0, max: 1, noNaN: true }),
        top_k: fc.integer({ min: 1, max: 100 }),
        presence_penalty: fc.double({ min: -2, max: 2, noNaN: true }),
        frequency_penalty: fc.double({ min: -2, max: 2, noNaN: true }),
        max_completion_tokens: fc.integer({ min: 1 }),
        seed: fc.integer(),
        stop: fc.array(text, { minLength: 1, maxLength: 4 }),
        reasoning: fc.record({ effort: fc.constantFrom("none", "minimal", "low", "medium", "high", "xhigh") }),
        response_format: fc.constantFrom(
          { type: "json_object" },
          {
            type: "json_schema",
            json_schema: { name: "n", description: "d", schema: { type: "object" }, strict: true },
          },
        ),
      },
      { requiredKeys: [] },
    );
    const tools = fc.record({
      tools: fc.array(
        text.map((name) => ({
          type: "function",
          function: { name, description: "d", parameters: { type: "object", properties: {} }, strict: true },
        })),
        { minLength: 1, maxLength: 3 },
      ),
      tool_choice: fc.constantFrom("auto", "none", "required", { type: "function", function: { name: "n" } }),
    });
    fc.assert(
      fc.property(fields, fc.option(tools, { nil: {} }), conversation, (asked, offered, messages) => {
        const request = { model: "m", ...asked, ...offered, messages } as ChatRequest;
        const { request: back, warnings } = toChatRequest("m", toSdkOptions(request, providerCall, "p"));
        expect(back).toEqual(request);
        expect(warnings).toEqual([]);
      }),
    );
  });

  it("keeps the counts, and says why an answer ended", () => {
    const counts = fc
      .tuple(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), fc.nat(1_000))
      .map(([fresh, read, write, words, thoughts]) => ({
        prompt_tokens: fresh + read + write,
        completion_tokens: words + thoughts,
        total_tokens: fresh + read + write + words + thoughts,
        prompt_tokens_details: { cached_read_tokens: read, cached_write_tokens: write },
        completion_tokens_details: { reasoning_tokens: thoughts },
      }));
    fc.assert(
      fc.property(counts, (usage) => {
        expect(fromSdkUsage(toSdkUsage(usage))).toEqual(usage);
      }),
    );
    expect(fromSdkUsage(toSdkUsage(undefined))).toBeUndefined();
    for (const reason of ["stop", "length", "tool_calls", "content_filter", "of its own"])
      expect(fromSdkFinish(toSdkFinish(reason))).toBe(reason);
  });
});

it("what the AI SDK has no form of is named, field by field", () => {
  const warned: string[] = [];
  const warn = (warning: string) => void warned.push(warning);
  const messages = [{ role: "user" as const, content: [{ type: "refusal" as const, refusal: "no" }] }];
  const request = { model: "m", messages, logprobs: true, n: 2, tools: [{ type: "custom" as const }] };
  toSdkOptions(request, { ...providerCall, warn }, "p");
  expect(warned.toSorted()).toEqual([
    "`logprobs` is not supported by p",
    "`n` is not supported by p",
    "`tools` of the type `custom` is not supported by p",
    "parts of the type `refusal` is not supported by p",
  ]);
});
