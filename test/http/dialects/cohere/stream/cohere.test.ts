import { describe, expect, test } from "vitest";
import type { ChatChunk } from "../../../../../src/engine/api/chat.ts";
import type { ChatMessage, Delta } from "../../../../../src/engine/api/message.ts";
import { writeAnswer } from "../../../../../src/http/dialects/cohere/answer.ts";
import { readRequest } from "../../../../../src/http/dialects/cohere/request.ts";
import { streamWriter } from "../../../../../src/http/dialects/cohere/stream.ts";
import { newNotes } from "../../../../../src/http/dialects/shared/translation-warnings.ts";
import { answerOf, chunksOf } from "../../../support/dialects/answers.ts";
import { readEvents } from "../../../support/dialects/frames.ts";

const read = (body: object) => readRequest({ model: "a/m", messages: [], ...body });
const write = (message: Partial<ChatMessage>, finish?: string) =>
  writeAnswer(answerOf({ role: "assistant", content: null, ...message }, finish), newNotes());

describe("request", () => {
  test("each parameter has its counterpart", () => {
    const asked = {
      max_tokens: 9,
      stop_sequences: ["END"],
      temperature: 0.5,
      seed: 1,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      k: 5,
      p: 0.9,
      logprobs: true,
      thinking: { type: "enabled", token_budget: 50 },
      response_format: { type: "json_object", json_schema: { type: "object" } },
      fallbacks: ["b/n"],
      stream: true,
    };
    expect(read(asked)).toMatchObject({
      isStream: true,
      request: {
        max_completion_tokens: 9,
        stop: ["END"],
        temperature: 0.5,
        seed: 1,
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        top_k: 5,
        top_p: 0.9,
        logprobs: true,
        reasoning: { max_tokens: 50 },
        response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } },
        fallbacks: ["b/n"],
        stream_options: { include_usage: true },
      },
    });
  });
  test("values that ask for nothing ask for nothing", () => {
    expect(
      read({
        k: 0,
        stop_sequences: [],
        tools: [],
        tool_choice: "NONE",
        documents: [],
        response_format: { type: "text" },
      }),
    ).toMatchObject({
      request: { model: "a/m", messages: [] },
      notes: { warnings: [] },
    });
    expect(Object.keys(read({ k: 0, stop_sequences: [] }).request)).toEqual(["model", "messages"]);
    expect(read({ thinking: { type: "disabled" } }).request.reasoning).toEqual({ effort: "none" });
    expect(read({ thinking: { type: "enabled" } }).request.reasoning).toEqual({ enabled: true });
    expect(read({ response_format: { type: "json_object" } }).request.response_format).toEqual({ type: "json_object" });
  });
  test("messages of each role", () => {
    const tool_calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const messages = [
      { role: "system", content: [{ type: "text", text: "s" }] },
      {
        role: "user",
        content: [
          { type: "text", text: "u" },
          { type: "image_url", image_url: { url: "https://x.test", detail: "low" } },
        ],
      },
      { role: "assistant", tool_plan: "first", tool_calls },
      {
        role: "tool",
        tool_call_id: "c",
        content: [
          { type: "document", document: { data: { a: 1 }, id: "d" } },
          { type: "text", text: "t" },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "r" },
    ];
    expect(read({ messages }).request.messages).toEqual([
      { role: "system", content: "s" },
      {
        role: "user",
        content: [
          { type: "text", text: "u" },
          { type: "image_url", image_url: { url: "https://x.test", detail: "low" } },
        ],
      },
      { role: "assistant", content: "first", tool_calls },
      {
        role: "tool",
        tool_call_id: "c",
        content: [
          { type: "text", text: '{"a":1}' },
          { type: "text", text: "t" },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "r" },
    ]);
  });
  test("tools and the choice among them", () => {
    const tools = [{ type: "function", function: { name: "f", description: "F", parameters: { type: "object" } } }];
    expect(read({ tools, strict_tools: true, tool_choice: "REQUIRED" }).request).toMatchObject({
      tools: [
        { type: "function", function: { name: "f", description: "F", parameters: { type: "object" }, strict: true } },
      ],
      tool_choice: "required",
    });
    expect(read({ tools, tool_choice: "NONE" }).request.tool_choice).toBe("none");
  });
  test("what has no counterpart is named", () => {
    expect(read({ safety_mode: "STRICT", citation_options: { mode: "OFF" } }).notes.warnings).toHaveLength(2);
  });
  test.each([
    [{ messages: [{ role: "robot", content: "" }] }, "messages.0.role"],
    [{ messages: [{ role: "user", content: [{ type: "video" }] }] }, "messages.0.content.0.type"],
    [{ documents: ["a"] }, "documents"],
    [{ p: 2 }, "p"],
    [{ max_tokens: 0 }, "max_tokens"],
    [{ tool_choice: "MAYBE" }, "tool_choice"],
  ])("%j is refused and names %s", (body, param) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });
});

describe("answer", () => {
  test.each([
    ["stop", "COMPLETE"],
    ["length", "MAX_TOKENS"],
    ["error", "ERROR"],
    ["content_filter", "ERROR"],
  ])("%s is %s", (finish, reason) => {
    expect(write({ content: "x" }, finish).finish_reason).toBe(reason);
  });
  test("text, thoughts, calls and sources", () => {
    const tool_calls = [{ id: "c", type: "function", function: { name: "f", arguments: '{ "a": 1 }' } }];
    const annotations = [
      { type: "url_citation", url_citation: { url: "https://x.test", title: "X", start_index: 0, end_index: 2 } },
    ];
    expect(write({ content: "hi", reasoning: "hm", tool_calls, annotations })).toMatchObject({
      finish_reason: "TOOL_CALL",
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "hi" },
        ],
        tool_calls,
        citations: [
          {
            start: 0,
            end: 2,
            text: "hi",
            sources: [{ type: "document", id: "https://x.test", document: { url: "https://x.test", title: "X" } }],
          },
        ],
      },
      usage: { billed_units: { input_tokens: 7, output_tokens: 5 }, tokens: { input_tokens: 7, output_tokens: 5 } },
    });
  });
  test("what an answer rests on has a place here without an address too: documents, tools, files", () => {
    const tool = { type: "tool", id: "c:0", tool_output: { degrees: "21" } };
    const document = { type: "document", id: "doc:1", document: { title: "Manual", text: "…" } };
    const annotations = [
      { type: "url_citation", url_citation: { start_index: 0, end_index: 2, sources: [tool, document, "odd"] } },
      {
        type: "file_citation",
        file_citation: { document_index: 0, document_title: "a.pdf", cited_text: "hi" },
        start_index: 1,
        end_index: 2,
      },
      { type: "file_citation", file_citation: { file_id: "file-1", filename: "b.pdf" } },
      { type: "container_citation" },
    ];
    const { message } = write({ content: "hi", annotations });
    expect(message.citations).toEqual([
      { start: 0, end: 2, text: "hi", sources: [tool, document] },
      {
        start: 1,
        end: 2,
        text: "i",
        sources: [{ type: "document", id: "0", document: { title: "a.pdf", text: "hi" } }],
      },
      { start: 0, end: 0, text: "", sources: [{ type: "document", id: "file-1", document: { title: "b.pdf" } }] },
    ]);
  });
  test("log probabilities of a stream stand beside the text that they are of", () => {
    const [, chunk] = chunksOf([{ content: "ab" }]);
    const content = ["a", "b"].map((token) => ({ token, logprob: -1 }));
    const choices = chunk?.choices.map((choice) => ({ ...choice, log_probs: { content } })) ?? [];
    const [, , told] = readEvents(streamWriter().write({ ...(chunk as ChatChunk), choices }));
    expect(told?.data).toMatchObject({ logprobs: { text: "ab", token_ids: [], logprobs: [-1, -1] } });
  });
  test("events of a stream are in the vendor's order, contents and calls counted each by itself", () => {
    const call = (index: number) => ({ index, id: `c${index}`, function: { name: "f", arguments: "{}" } });
    const annotations = [{ type: "url_citation", url_citation: { url: "https://x.test" } }];
    const deltas: Delta[] = [
      { reasoning: "hm" },
      { content: "a" },
      { annotations },
      { tool_calls: [call(0), call(1)] },
    ];
    const writer = streamWriter();
    const text =
      chunksOf(deltas)
        .map((chunk) => writer.write(chunk))
        .join("") + writer.end();
    const events = readEvents(text);
    expect(events.map(({ event, data }) => [event, (data as { index?: number }).index])).toEqual([
      ["message-start", undefined],
      ...[0, 1].flatMap((at) => [
        ["content-start", at],
        ["content-delta", at],
        ...(at === 1
          ? [
              ["citation-start", 0],
              ["citation-end", 0],
            ]
          : []),
        ["content-end", at],
      ]),
      ...[0, 1].flatMap((at) => [
        ["tool-call-start", at],
        ["tool-call-delta", at],
        ["tool-call-end", at],
      ]),
      ["message-end", undefined],
      [undefined, undefined],
    ]);
    expect(events.at(-2)?.data).toMatchObject({
      delta: { finish_reason: "TOOL_CALL", usage: { tokens: { input_tokens: 7 } } },
    });
  });
});
