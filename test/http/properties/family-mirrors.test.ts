import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toWire as toAnthropic } from "../../../adapters/shared/anthropic/to-wire.ts";
import { toWire as toGemini } from "../../../adapters/shared/gemini/to-wire.ts";
import type { ChatRequest } from "../../../src/engine/api/chat.ts";
import type { ChatMessage, ContentPart, ReasoningDetail } from "../../../src/engine/api/message.ts";
import { readRequest as readAnthropic } from "../../../src/http/dialects/anthropic/request.ts";
import { readRequest as readGenai } from "../../../src/http/dialects/genai/request/request.ts";
import { anyArguments, anyText } from "../support/dialects/answers.ts";

/**
 * The providers write our words as a vendor's, the families read a vendor's as ours: one after the other they change nothing. Each side
 * was written by itself from the vendor's documents; what one of them gets wrong shows here.
 */
const call = { id: "call-1", startedAt: 0 };

const anyMark = fc.option(
  fc.constantFrom<ContentPart["cache_control"]>(
    { type: "ephemeral" },
    { type: "ephemeral", ttl: "5m" },
    { type: "ephemeral", ttl: "1h" },
  ),
  { nil: undefined },
);
const marked = (part: ContentPart, mark: ContentPart["cache_control"]): ContentPart =>
  mark === undefined ? part : { ...part, cache_control: mark };
const anyBase64 = fc.base64String({ minLength: 4, maxLength: 24 });
const anyImageType = fc.constantFrom("image/png", "image/jpeg", "image/webp");

/** Texts of white space alone are nothing to Anthropic, and so are not sent. */
const anyVisibleText = anyText.filter((text) => text.trim() !== "");
const textPart = (text: string): ContentPart => ({ type: "text", text });
const anyImagePart = fc.oneof(
  fc
    .tuple(anyImageType, anyBase64)
    .map(([type, data]): ContentPart => ({ type: "image_url", image_url: { url: `data:${type};base64,${data}` } })),
  fc
    .webPath()
    .map((path): ContentPart => ({ type: "image_url", image_url: { url: `https://example.test${path}.png` } })),
);
const anyFilePart = fc.tuple(anyBase64, fc.option(fc.constant("paper.pdf"), { nil: undefined })).map(
  ([data, filename]): ContentPart => ({
    type: "file",
    file: { file_data: `data:application/pdf;base64,${data}`, ...(filename === undefined ? {} : { filename }) },
  }),
);
const anyAudioPart = anyBase64.map(
  (data): ContentPart => ({ type: "input_audio", input_audio: { data, format: "wav" } }),
);

/** A lone plain text is a string, as both sides have it; texts that follow each other stay apart. */
function contentOf(parts: readonly ContentPart[]): string | ContentPart[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === "text" && !only.cache_control ? only.text : [...parts];
}

interface Cast {
  readonly text: fc.Arbitrary<string>;
  readonly parts: readonly fc.Arbitrary<ContentPart>[];
  readonly hasMarks: boolean;
  readonly details: fc.Arbitrary<ReasoningDetail>;
}

/** One exchange: a question, an answer with thoughts, text and calls, and a result for each call. */
function anyExchange({ text, parts, hasMarks, details }: Cast): fc.Arbitrary<ChatMessage[]> {
  const part = hasMarks
    ? fc.tuple(fc.oneof(...parts), anyMark).map(([one, mark]) => marked(one, mark))
    : fc.oneof(...parts);
  const anyContent = fc.array(part, { minLength: 1, maxLength: 3 }).map(contentOf);
  const thoughts = fc.array(details, { maxLength: 2 });
  const calls = fc.array(fc.tuple(fc.uuid(), anyArguments, text), { minLength: 1, maxLength: 3 });
  return fc.record({ question: anyContent, thoughts, said: text, calls }).map(({ question, thoughts, said, calls }) => {
    const tool_calls = calls.map(([id, args]) => ({
      id: `call_${id}`,
      type: "function",
      function: { name: "f", arguments: JSON.stringify(JSON.parse(args)) },
    }));
    const reasoning_details = thoughts.map((detail, index) => ({ ...detail, index }));
    const reasoning = thoughts.map((detail) => detail.text ?? "").join("");
    const answer: ChatMessage = {
      role: "assistant",
      content: said,
      ...(reasoning === "" ? {} : { reasoning }),
      ...(thoughts.length === 0 ? {} : { reasoning_details }),
      tool_calls,
    };
    const results = calls.map(
      ([id, , result]): ChatMessage => ({ role: "tool", tool_call_id: `call_${id}`, content: result }),
    );
    return [{ role: "user", content: question }, answer, ...results];
  });
}

function anyConversation(cast: Cast): fc.Arbitrary<ChatMessage[]> {
  const system = fc.option(
    cast.text.map((content): ChatMessage => ({ role: "system", content })),
    { nil: undefined },
  );
  return fc
    .tuple(system, fc.array(anyExchange(cast), { minLength: 1, maxLength: 2 }), cast.text)
    .map(([first, exchanges]) => [...(first === undefined ? [] : [first]), ...exchanges.flat()]);
}

const anyTools = (hasMarks: boolean) =>
  fc
    .array(fc.tuple(fc.constantFrom("f", "g"), anyText, hasMarks ? anyMark : fc.constant(undefined)), {
      minLength: 1,
      maxLength: 2,
    })
    .map((tools) =>
      tools.map(([name, description, cache_control]) => ({
        type: "function" as const,
        function: {
          name,
          description,
          parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        },
        ...(cache_control === undefined ? {} : { cache_control }),
      })),
    );
const anyChoice = fc.constantFrom<ChatRequest["tool_choice"]>("auto", "none", "required", {
  type: "function",
  function: { name: "f" },
});

function roundTrip(vendor: "anthropic" | "gemini", request: ChatRequest): { after: ChatRequest; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  if (vendor === "anthropic") {
    const options = { provider: "anthropic", maxTokens: 1_000, version: "2023-06-01", isStream: false };
    const body = toAnthropic(request, { ...options, call: { ...call, model: "claude-sonnet-4-5", warn } });
    return { after: readAnthropic(JSON.parse(JSON.stringify({ ...body, model: request.model }))).request, warnings };
  }
  const filesUrl = "https://files.test/v1beta/";
  const body = toGemini(request, { provider: "gemini", filesUrl, call: { ...call, model: "gemini-2.5-flash", warn } });
  return { after: readGenai(request.model, false, JSON.parse(JSON.stringify(body))).request, warnings };
}

const signed = (format: string) =>
  fc.record({
    type: fc.constant("reasoning.text" as const),
    format: fc.constant(format),
    text: anyText,
    signature: anyBase64,
  });

const casts = {
  anthropic: {
    text: anyVisibleText,
    parts: [anyVisibleText.map(textPart), anyImagePart, anyFilePart],
    hasMarks: true,
    details: fc.oneof<fc.Arbitrary<ReasoningDetail>[]>(
      signed("anthropic-claude-v1"),
      fc.record({
        type: fc.constant("reasoning.encrypted" as const),
        format: fc.constant("anthropic-claude-v1"),
        data: anyBase64,
      }),
    ),
  },
  gemini: {
    text: anyText,
    parts: [anyText.map(textPart), anyImagePart, anyAudioPart],
    hasMarks: false,
    details: signed("google-gemini-v1"),
  },
} satisfies Record<string, Cast>;

describe.each(["anthropic", "gemini"] as const)("ours to %s's and back", (vendor) => {
  const cast = casts[vendor];
  const anyRequest = fc.record({
    model: fc.constant("some/model"),
    messages: anyConversation(cast),
    tools: anyTools(cast.hasMarks),
    tool_choice: anyChoice,
  });
  const check = (rule: (before: ChatRequest, after: ChatRequest, warnings: readonly string[]) => void) =>
    fc.assert(
      fc.property(anyRequest, (before) => {
        const { after, warnings } = roundTrip(vendor, before);
        rule(before, after, warnings);
      }),
      { numRuns: 300 },
    );
  test("messages, their parts and their marks for the cache are the same", () =>
    check(({ messages }, after) => expect(after.messages).toEqual(messages)));
  test("tools and the choice among them are the same", () =>
    check((before, after) => {
      expect(after.tools).toEqual(before.tools);
      expect(after.tool_choice).toEqual(before.tool_choice);
    }));
  test("nothing of these needs a warning", () => check((_before, _after, warnings) => expect(warnings).toEqual([])));
  test("parameters are the same", () => {
    const anyParameters = fc.record(
      {
        max_completion_tokens: fc.integer({ min: 1, max: 4_000 }),
        temperature: fc.constantFrom(0, 0.5, 0.75),
        stop: fc.array(fc.constantFrom("END", "STOP"), { minLength: 1, maxLength: 4 }),
        top_k: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: ["max_completion_tokens"] },
    );
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        const request = { model: "some/model", messages: [{ role: "user" as const, content: "hello" }], ...parameters };
        expect(roundTrip(vendor, request).after).toEqual(request);
      }),
    );
  });
});
