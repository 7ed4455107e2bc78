import { expect, test } from "vitest";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import type { ChatMessage, Delta } from "../../../../src/engine/api/message.ts";
import type { Usage } from "../../../../src/engine/api/usage.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { writeAnswer } from "../../../../src/http/dialects/anthropic/answer.ts";
import { errorBody } from "../../../../src/http/dialects/anthropic/errors.ts";
import { streamWriter } from "../../../../src/http/dialects/anthropic/stream.ts";
import { newNotes } from "../../../../src/http/dialects/shared/translation-warnings.ts";
import { answerOf, chunksOf } from "../../support/dialects/answers.ts";
import { readEvents } from "../../support/dialects/frames.ts";

const write = (message: Partial<ChatMessage>, finish?: string, usage?: Usage) =>
  writeAnswer(
    { ...answerOf({ role: "assistant", content: null, ...message }, finish), ...(usage ? { usage } : {}) },
    newNotes(),
  );

function eventsOf(chunks: readonly ChatChunk[]) {
  const writer = streamWriter();
  return readEvents(chunks.map((chunk) => writer.write(chunk)).join("") + writer.end());
}
const typesOf = (deltas: Delta[]) =>
  eventsOf(chunksOf(deltas)).map(({ event }) => event?.replace("content_block", "block"));

test("cached reads and writes stand beside input_tokens, thoughts and searches in their details", () => {
  const usage: Usage = {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_read_tokens: 60, cached_write_tokens: 30, cached_write_tokens_1h: 10 },
    completion_tokens_details: { reasoning_tokens: 8, num_search_queries: 2 },
  };
  expect(write({ content: "x" }, "stop", usage).usage).toMatchObject({
    input_tokens: 10,
    output_tokens: 20,
    cache_read_input_tokens: 60,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_1h_input_tokens: 10, ephemeral_5m_input_tokens: 20 },
    output_tokens_details: { thinking_tokens: 8 },
    server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 },
  });
});

test.each([
  ["default", "standard"],
  ["priority", "priority"],
  ["flex", null],
  [undefined, null],
])("the tier %s that answered is %s, whole and streamed", (service_tier, told) => {
  const answer = { ...answerOf({ role: "assistant", content: "x" }), service_tier };
  expect(writeAnswer(answer, newNotes()).usage.service_tier).toBe(told);
  const chunks = chunksOf([{ content: "x" }]).map((chunk) => ({ ...chunk, service_tier }));
  const tiers = eventsOf(chunks).flatMap(({ data }) => readTier(data as Told));
  expect(tiers).toEqual([told, told]);
});

interface Told {
  readonly message?: { readonly usage: { readonly service_tier: string | null } };
  readonly usage?: { readonly service_tier: string | null };
}

/** The tier that an event tells, if it tells usage. */
function readTier({ message, usage = message?.usage }: Told) {
  return usage === undefined ? [] : [usage.service_tier];
}

test.each([
  ["stop", "end_turn"],
  ["length", "max_tokens"],
  ["content_filter", "refusal"],
  ["something new", "end_turn"],
])("%s is %s", (finish, stop_reason) => {
  expect(write({ content: "x" }, finish).stop_reason).toBe(stop_reason);
});

test("a refusal is its text, and explains itself", () => {
  expect(write({ refusal: "I cannot." }, "content_filter")).toMatchObject({
    content: [{ type: "text", text: "I cannot.", citations: null }],
    stop_reason: "refusal",
    stop_details: { type: "refusal", explanation: "I cannot." },
  });
});

test("calls whose arguments are no object are told without, and named", () => {
  const notes = newNotes();
  const calls = [{ id: "c", type: "function", function: { name: "f", arguments: '{"a' } }];
  const answer = writeAnswer(answerOf({ role: "assistant", content: null, tool_calls: calls }), notes);
  expect(answer.content).toEqual([{ type: "tool_use", id: "c", name: "f", input: {}, caller: { type: "direct" } }]);
  expect(notes.warnings).toEqual(["`c` has arguments that are no JSON object; they are left out"]);
});

test("arguments keep the digits of long numbers", () => {
  const calls = [{ id: "c", type: "function", function: { name: "f", arguments: '{"id":12345678901234567890}' } }];
  expect(JSON.stringify(write({ tool_calls: calls }))).toContain('"input":{"id":12345678901234567890}');
});

test("pages that a text rests on are its citations; sound and images are named", () => {
  const page = {
    type: "url_citation",
    url_citation: { url: "https://x.test", title: "X", start_index: 0, end_index: 1 },
  };
  const citation = {
    type: "web_search_result_location",
    url: "https://x.test",
    title: "X",
    cited_text: "",
    encrypted_index: "",
  };
  expect(write({ content: "x", annotations: [page] }).content).toEqual([
    { type: "text", text: "x", citations: [citation] },
  ]);
  const notes = newNotes();
  writeAnswer(answerOf({ role: "assistant", content: "x", audio: { data: "AAAA" }, images: [{}] }), notes);
  expect(notes.warnings).toHaveLength(2);
  const told = eventsOf(chunksOf([{ content: "x" }, { annotations: [page] }]));
  expect(told.map(({ data }) => data)).toContainEqual({
    type: "content_block_delta",
    index: 0,
    delta: { type: "citations_delta", citation },
  });
});

test("sources that come when no text is open are told in a block of their own", () => {
  const page = { type: "url_citation", url_citation: { url: "https://x.test" } };
  const call = { index: 0, id: "c", function: { name: "f", arguments: "{}" } };
  const events = eventsOf(chunksOf([{ content: "x" }, { tool_calls: [call] }, { annotations: [page] }]));
  const starts = events.flatMap(({ event, data }) => (event === "content_block_start" ? [data] : []));
  expect(starts.at(-1)).toMatchObject({
    index: 2,
    content_block: { type: "text", text: "", citations: [{ url: "https://x.test" }] },
  });
});

test("events of a stream are in the vendor's order", () => {
  const call = { index: 0, id: "c", function: { name: "f", arguments: "{}" } };
  const thought = {
    type: "reasoning.text" as const,
    index: 0,
    text: "hm",
    signature: "s",
    format: "anthropic-claude-v1",
  };
  expect(
    typesOf([{ reasoning_details: [thought] }, { content: "a" }, { content: "b" }, { tool_calls: [call] }]),
  ).toEqual([
    "message_start",
    ...["block_start", "block_delta", "block_delta", "block_stop"],
    ...["block_start", "block_delta", "block_delta", "block_stop"],
    ...["block_start", "block_delta", "block_stop"],
    "message_delta",
    "message_stop",
  ]);
});

test("usage is told at the end, and is 0 where nobody counted", () => {
  const [start, ...rest] = eventsOf(chunksOf([{ content: "a" }]));
  expect(start?.data).toMatchObject({ message: { usage: { input_tokens: 0, output_tokens: 0 } } });
  expect(rest.at(-2)?.data).toMatchObject({ type: "message_delta", usage: { input_tokens: 7, output_tokens: 5 } });
  const uncounted = chunksOf([{ content: "a" }]).map(({ usage: _usage, ...chunk }) => chunk as ChatChunk);
  expect(eventsOf(uncounted).at(-2)?.data).toMatchObject({ usage: { input_tokens: 0, output_tokens: 0 } });
});

test("only the first of several choices is told", () => {
  const [begin, first, ...rest] = chunksOf([{ content: "a" }]);
  const second = { ...(first as ChatChunk), choices: [{ index: 1, finish_reason: null, delta: { content: "b" } }] };
  const text = JSON.stringify(eventsOf([begin as ChatChunk, first as ChatChunk, second, ...rest]));
  expect(text).toContain('"text":"a"');
  expect(text).not.toContain('"text":"b"');
});

test.each([
  [413, "invalid_request_error", "invalid_request_error"],
  [429, "api_error", "api_error"],
  [429, "insufficient_quota", "rate_limit_error"],
])("a vendor's %d of type %s is a %s", (status, type, told) => {
  const upstream = { status, type, message: "no" };
  const error = new GatewayError("upstream_error", "no", { upstream });
  expect(errorBody(error, "evt_1")).toMatchObject({ error: { type: told } });
});
