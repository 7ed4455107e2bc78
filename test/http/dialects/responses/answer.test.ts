import { describe, expect, test } from "vitest";
import type { ChatMessage, Delta } from "../../../../src/engine/api/message.ts";
import { writeAnswer } from "../../../../src/http/dialects/responses/answer.ts";
import type { ResponseRequest } from "../../../../src/http/dialects/responses/schema.ts";
import { streamWriter } from "../../../../src/http/dialects/responses/stream.ts";
import { newNotes } from "../../../../src/http/dialects/shared/translation-warnings.ts";
import { answerOf, chunksOf } from "../../support/dialects/answers.ts";
import { readEvents } from "../../support/dialects/frames.ts";

const asked = { model: "a/m", input: "x" };
const write = (message: Partial<ChatMessage>, finish?: string) =>
  writeAnswer(answerOf({ role: "assistant", content: null, ...message }, finish), asked, newNotes());

describe("an answer of the Responses API", () => {
  test("what was asked is repeated, what was used is counted", () => {
    const tools = [{ type: "function", name: "f" }];
    const text = { format: { type: "json_object" as const } };
    const full = {
      ...asked,
      instructions: "i",
      temperature: 0.5,
      tools,
      text,
      metadata: { a: "b" },
      max_output_tokens: 5,
    };
    expect(writeAnswer(answerOf({ role: "assistant", content: "x" }), full, newNotes())).toMatchObject({
      id: "resp_answer-1",
      object: "response",
      created_at: 1_795_000_000,
      status: "completed",
      instructions: "i",
      temperature: 0.5,
      tools,
      text,
      metadata: { a: "b" },
      max_output_tokens: 5,
      store: false,
      previous_response_id: null,
      usage: {
        input_tokens: 7,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 12,
      },
    });
  });
  test("the tier that answered is told, the one that was asked for until then", () => {
    const answer = { ...answerOf({ role: "assistant", content: "x" }), service_tier: "priority" };
    expect(writeAnswer(answer, asked, newNotes()).service_tier).toBe("priority");
    const tiersOf = (asked: ResponseRequest, service_tier?: string) => {
      const writer = streamWriter(asked);
      const chunks = chunksOf([{ content: "x" }]).map((chunk) => ({ ...chunk, service_tier }));
      const told = readEvents(chunks.map((chunk) => writer.write(chunk)).join("") + writer.end());
      const responses = told.flatMap(({ data }) => (data as { response?: { service_tier: unknown } }).response ?? []);
      return responses.map((response) => response.service_tier);
    };
    expect(tiersOf(asked, "default")).toEqual(["auto", "auto", "default"]);
    expect(tiersOf({ ...asked, service_tier: "flex" })).toEqual(["flex", "flex", null]);
  });
  test.each([
    ["stop", { status: "completed", incomplete_details: null, error: null }],
    ["length", { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }],
    ["content_filter", { status: "incomplete", incomplete_details: { reason: "content_filter" } }],
    ["error", { status: "failed", error: { code: "server_error" } }],
  ])("%s is %j", (finish, ending) => {
    expect(write({ content: "x" }, finish)).toMatchObject(ending);
  });
  test("summaries, thoughts, text with its sources, refusals and calls are items of their own", () => {
    const page = { url: "https://x.test", title: "X", start_index: 0, end_index: 1 };
    const { output } = write({
      content: "x",
      refusal: "no",
      reasoning_details: [
        { type: "reasoning.summary", index: 0, summary: "sum" },
        { type: "reasoning.text", index: 1, text: "hm" },
      ],
      annotations: [{ type: "url_citation", url_citation: page }],
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
    });
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ type: "summary_text", text: "sum" }] },
      { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "x", annotations: [{ type: "url_citation", ...page }] }],
      },
      { type: "message", content: [{ type: "refusal", refusal: "no" }] },
      { type: "function_call", call_id: "c", name: "f", arguments: "{}", status: "completed" },
    ]);
    expect(output[1]).not.toHaveProperty("encrypted_content");
    expect(new Set(output.map(({ id }) => id)).size).toBe(5);
  });
  test("a thought's events", () => {
    const typesOf = (delta: Delta) => {
      const writer = streamWriter(asked);
      const text =
        chunksOf([delta])
          .map((chunk) => writer.write(chunk))
          .join("") + writer.end();
      return readEvents(text).flatMap(({ event }) =>
        event?.includes("item") || event?.startsWith("response.c") || event?.startsWith("response.in") ? [] : [event],
      );
    };
    expect(typesOf({ reasoning: "hm" })).toEqual(["response.reasoning_text.delta", "response.reasoning_text.done"]);
    expect(typesOf({ reasoning_details: [{ type: "reasoning.summary", index: 0, summary: "s" }] })).toEqual([
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
    ]);
    expect(typesOf({ reasoning_details: [{ type: "reasoning.encrypted", index: 0, data: "d" }] })).toEqual([]);
  });
  test("log probabilities and sources are told with their text", () => {
    const content = [{ token: "x", logprob: -0.5 }];
    const [begin, first, ...rest] = chunksOf([
      { content: "x" },
      { annotations: [{ type: "url_citation", url_citation: { url: "https://x.test" } }] },
    ]);
    const writer = streamWriter(asked);
    const scored = { ...first, choices: first?.choices.map((choice) => ({ ...choice, log_probs: { content } })) };
    const text = [begin, scored, ...rest].map((chunk) => writer.write(chunk as never)).join("") + writer.end();
    const events = readEvents(text);
    const logprobs = [{ token: "x", logprob: -0.5, bytes: [], top_logprobs: [] }];
    const find = (type: string) => events.find(({ event }) => event === type)?.data;
    expect(find("response.output_text.delta")).toMatchObject({ delta: "x", logprobs });
    expect(find("response.output_text.done")).toMatchObject({ text: "x", logprobs });
    expect(find("response.output_text.annotation.added")).toMatchObject({
      annotation_index: 0,
      annotation: { url: "https://x.test" },
    });
    expect(find("response.completed")).toMatchObject({
      response: { output: [{ content: [{ text: "x", logprobs, annotations: [{ url: "https://x.test" }] }] }] },
    });
  });
});

describe("an answer that was cut short", () => {
  const call = (id: string, text: string) => ({ id, type: "function", function: { name: "f", arguments: text } });
  /** The items of the same answer, whole and streamed, by their status. */
  const statuses = (message: Partial<ChatMessage>, delta: Delta, finish: string) => {
    const answer = answerOf({ role: "assistant", content: null, ...message });
    const choices = answer.choices.map((choice) => ({ ...choice, finish_reason: finish }));
    const whole = writeAnswer({ ...answer, choices }, asked, newNotes()).output.map(({ status }) => status);
    const writer = streamWriter(asked);
    const chunks = chunksOf([delta]).map((chunk) => ({
      ...chunk,
      choices: chunk.choices.map((each) => ({ ...each, finish_reason: each.finish_reason && finish })),
    }));
    const events = readEvents(chunks.map((chunk) => writer.write(chunk)).join("") + writer.end());
    const streamed = events.flatMap(({ event, data }) =>
      event === "response.output_item.done" ? [(data as { item: { status: string } }).item.status] : [],
    );
    expect(streamed).toEqual(whole);
    return streamed;
  };
  test.each(["length", "content_filter", "error"])("%s: its last item says so, and no other", (finish) => {
    const said = { reasoning: "hm", content: "half an ans" };
    expect(statuses(said, said, finish)).toEqual(["completed", "incomplete"]);
    expect(statuses(said, said, "stop")).toEqual(["completed", "completed"]);
    expect(statuses({ reasoning: "hm" }, { reasoning: "hm" }, finish)).toEqual(["incomplete"]);
  });
  test("a call says so whose arguments are not whole, whichever it is", () => {
    const calls = [call("a", '{"x":1}'), call("b", '{"x"')];
    const tool_calls = calls.map((each, index) => ({ ...each, index }));
    expect(statuses({ tool_calls: calls }, { tool_calls }, "length")).toEqual(["completed", "incomplete"]);
  });
  test("a refusal is whole", () => {
    expect(statuses({ refusal: "no" }, { refusal: "no" }, "content_filter")).toEqual(["completed"]);
  });
});
