import { expect, test } from "vitest";
import type { ChatMessage, Delta, ReasoningDetail } from "../../../../../../src/engine/api/message.ts";
import { writeAnswer } from "../../../../../../src/http/dialects/genai/response/answer.ts";
import { streamWriter } from "../../../../../../src/http/dialects/genai/response/stream.ts";
import { newNotes } from "../../../../../../src/http/dialects/shared/translation-warnings.ts";
import { toFrame } from "../../../../../../src/http/response/sse.ts";
import { answerOf, chunksOf } from "../../../../support/dialects/answers.ts";
import { readEvents } from "../../../../support/dialects/frames.ts";

type Piece = { candidates: { index: number; content: { parts: object[] }; finishReason?: string }[] };

const write = (message: Partial<ChatMessage>, finish?: string, showsThoughts = true) =>
  writeAnswer(answerOf({ role: "assistant", content: null, ...message }, finish), { notes: newNotes(), showsThoughts });
const partsOf = (message: Partial<ChatMessage>, showsThoughts = true) =>
  write(message, "stop", showsThoughts).candidates[0]?.content?.parts;

function streamed(deltas: readonly Delta[], showsThoughts = true): Piece[] {
  const writer = streamWriter({ frame: toFrame, end: "" }, showsThoughts);
  const text =
    chunksOf(deltas)
      .map((chunk) => writer.write(chunk))
      .join("") + writer.end();
  return readEvents(text).map(({ data }) => data as Piece);
}
const partsIn = (pieces: readonly Piece[]) =>
  pieces.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts));

const format = "google-gemini-v1";
const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: '{"a":1}' } });
const sealed = (tie: Partial<ReasoningDetail>): ReasoningDetail => ({
  type: "reasoning.encrypted",
  format,
  data: "sig",
  ...tie,
});

test("the vendor's own signatures stand on the parts that they came with, byte for byte", () => {
  const message: Partial<ChatMessage> = {
    content: "one two",
    reasoning_details: [
      { type: "reasoning.text", index: 0, format, text: "hm", signature: "s0" },
      sealed({ index: 1, data: "s1", end_index: 3 }),
      sealed({ index: 3, data: "s2", id: "c1" }),
      sealed({ index: 5, data: "s3", id: "image_0" }),
    ],
    tool_calls: [call("c1"), call("c2")],
    images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
  };
  const functionCall = (id: string) => ({ id, name: "f", args: { a: 1 } });
  expect(partsOf(message)).toEqual([
    { text: "hm", thought: true, thoughtSignature: "s0" },
    { text: "one", thoughtSignature: "s1" },
    { text: " two" },
    { functionCall: functionCall("c1"), thoughtSignature: "s2" },
    { functionCall: functionCall("c2") },
    { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s3" },
  ]);
});

test("streamed signatures stand where they came: behind their text, with their call, with their image", () => {
  const deltas: Delta[] = [
    { content: "one", reasoning_details: [sealed({ index: 1, data: "s1", end_index: 3 })] },
    { content: " two" },
    { reasoning_details: [sealed({ index: 3, data: "s2", id: "c1" })], tool_calls: [{ index: 0, ...call("c1") }] },
    {
      reasoning_details: [sealed({ index: 4, data: "s3", id: "image_0" })],
      images: [{ type: "image_url", index: 0, image_url: { url: "data:image/png;base64,AAAA" } }],
    },
  ];
  expect(partsIn(streamed(deltas))).toEqual([
    { text: "one", thoughtSignature: "s1" },
    { text: " two" },
    { functionCall: { id: "c1", name: "f", args: { a: 1 } }, thoughtSignature: "s2" },
    { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "s3" },
  ]);
});

test("a signature whose text ends sooner than it says is not lost", () => {
  const details = [sealed({ index: 1, data: "s1", end_index: 99 })];
  expect(partsOf({ content: "one", reasoning_details: details })).toEqual([
    { text: "one" },
    { text: "", thoughtSignature: "s1" },
  ]);
  expect(partsIn(streamed([{ content: "one", reasoning_details: details }]))).toEqual([
    { text: "one" },
    { text: "", thoughtSignature: "s1" },
  ]);
});

test("thoughts are told only to those who ask; what nobody vouches for is then not told at all", () => {
  const details: ReasoningDetail[] = [{ type: "reasoning.text", index: 0, format, text: "hm" }];
  expect(partsOf({ content: "x", reasoning_details: details }, false)).toEqual([{ text: "x" }]);
  expect(partsOf({ content: "x", reasoning: "hm" })).toEqual([{ text: "hm", thought: true }, { text: "x" }]);
  const pieces = streamed([{ reasoning: "hm" }, { content: "x" }], false);
  expect(JSON.stringify(pieces)).not.toContain("hm");
});

test.each([
  ["stop", "STOP"],
  ["length", "MAX_TOKENS"],
  ["content_filter", "SAFETY"],
  ["error", "OTHER"],
])("%s is %s, whole and at the end of a stream", (finish, reason) => {
  expect(write({ content: "x" }, finish).candidates[0]?.finishReason).toBe(reason);
  const writer = streamWriter({ frame: toFrame, end: "" }, true);
  const text =
    chunksOf([{ content: "x" }], finish)
      .map((chunk) => writer.write(chunk))
      .join("") + writer.end();
  const pieces = readEvents(text).map(({ data }) => data as Piece);
  expect(pieces.map(({ candidates }) => candidates[0]?.finishReason)).toEqual([undefined, reason]);
});

test("every piece has a part, the last one too: clients that keep a history need it", () => {
  for (const { candidates } of streamed([{ content: "a" }, { content: "b" }])) {
    expect(candidates[0]?.content.parts.length).toBeGreaterThan(0);
  }
});

test("thoughts and cached tokens are counted as the vendor counts them", () => {
  const answer = {
    ...answerOf({ role: "assistant", content: "x" }),
    usage: {
      prompt_tokens: 10,
      completion_tokens: 8,
      total_tokens: 18,
      prompt_tokens_details: { cached_read_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 },
    },
  };
  expect(writeAnswer(answer, { notes: newNotes(), showsThoughts: true })).toMatchObject({
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 3,
      cachedContentTokenCount: 4,
      totalTokenCount: 18,
    },
  });
});

test.each([
  ["default", "standard"],
  ["flex", "flex"],
  ["priority", "priority"],
  ["scale", undefined],
  [undefined, undefined],
])("the tier %s that answered is %s, whole and streamed", (service_tier, told) => {
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const answer = { ...answerOf({ role: "assistant", content: "x" }), usage, service_tier };
  expect(writeAnswer(answer, { notes: newNotes(), showsThoughts: true }).usageMetadata?.serviceTier).toBe(told);
  const writer = streamWriter({ frame: toFrame, end: "" }, true);
  for (const chunk of chunksOf([{ content: "x" }])) writer.write({ ...chunk, usage, service_tier });
  const [last] = readEvents(writer.end()).map(({ data }) => data as { usageMetadata: { serviceTier?: string } });
  expect(last?.usageMetadata.serviceTier).toBe(told);
});

test("sources stand at their bytes, as the vendor counts places", () => {
  const annotations = [
    { type: "url_citation", url_citation: { url: "https://x.test", title: "X", start_index: 2, end_index: 4 } },
  ];
  const grounding = {
    groundingChunks: [{ web: { uri: "https://x.test", title: "X" } }],
    groundingSupports: [{ segment: { startIndex: 4, endIndex: 7, text: "ßb" }, groundingChunkIndices: [0] }],
  };
  expect(write({ content: "üüßb", annotations }).candidates[0]).toMatchObject({ groundingMetadata: grounding });
  const pieces = streamed([{ content: "üü" }, { content: "ßb" }, { annotations }]);
  expect(pieces.at(-1)?.candidates[0]).toMatchObject({ groundingMetadata: grounding });
});

test("a refusal is a text of its own, whose length moves no source", () => {
  const annotations = [
    { type: "url_citation", url_citation: { url: "https://x.test", title: "X", start_index: 0, end_index: 2 } },
  ];
  const segment = { startIndex: 0, endIndex: 2, text: "ab" };
  const grounding = { groundingSupports: [{ segment, groundingChunkIndices: [0] }] };
  const whole = write({ refusal: "No.", content: "ab", annotations }).candidates[0];
  expect(whole).toMatchObject({ groundingMetadata: grounding });
  const pieces = streamed([{ refusal: "No." }, { content: "ab" }, { annotations }]);
  expect(partsIn(pieces)).toEqual([{ text: "No." }, { text: "ab" }, { text: "" }]);
  expect(pieces.at(-1)?.candidates[0]).toMatchObject({ groundingMetadata: grounding });
});

test("a call without an id has one that no other turn has", () => {
  const id = "call_answer-1_0_0";
  expect(partsOf({ tool_calls: [call("")] })).toEqual([{ functionCall: { id, name: "f", args: { a: 1 } } }]);
});

test("log probabilities of the chosen tokens, with the alternatives", () => {
  const content = [{ token: "a", logprob: -0.1, top_logprobs: [{ token: "b", logprob: -2 }] }];
  const answer = answerOf({ role: "assistant", content: "a" });
  const [choice] = answer.choices;
  const told = writeAnswer(
    { ...answer, choices: choice === undefined ? [] : [{ ...choice, log_probs: { content } }] },
    { notes: newNotes(), showsThoughts: true },
  );
  expect(told.candidates[0]).toMatchObject({
    logprobsResult: {
      chosenCandidates: [{ token: "a", logProbability: -0.1 }],
      topCandidates: [{ candidates: [{ token: "b", logProbability: -2 }] }],
    },
  });
});

test("several candidates are told side by side", () => {
  const writer = streamWriter({ frame: toFrame, end: "" }, true);
  const [begin, ...rest] = chunksOf([{ content: "a" }]);
  const both = rest.map((chunk) => ({
    ...chunk,
    choices: chunk.choices.flatMap((choice) => [choice, { ...choice, index: 1 }]),
  }));
  const text = [begin, ...both].map((chunk) => writer.write(chunk as never)).join("") + writer.end();
  const pieces = readEvents(text).map(({ data }) => data as Piece);
  expect(pieces.map(({ candidates }) => candidates.map(({ index }) => index))).toEqual([
    [0, 1],
    [0, 1],
  ]);
});

test.each([
  ["tool_calls", "MALFORMED_FUNCTION_CALL"],
  ["length", "MAX_TOKENS"],
])("a call whose arguments are no object is told without, named, and is no whole answer: %s", (finish, reason) => {
  const broken = { id: "c", type: "function", function: { name: "f", arguments: '{"a' } };
  const notes = newNotes();
  const answer = answerOf({ role: "assistant", content: null, tool_calls: [broken] });
  const choices = answer.choices.map((choice) => ({ ...choice, finish_reason: finish }));
  const { candidates } = writeAnswer({ ...answer, choices }, { notes, showsThoughts: true });
  expect(notes.warnings).toEqual(["`c` has arguments that are no JSON object; they are left out"]);
  expect(candidates[0]?.finishReason).toBe(reason);
});

test("so it is in a stream", () => {
  const pieces = streamed([{ tool_calls: [{ index: 0, id: "c", function: { name: "f", arguments: '{"a' } }] }]);
  expect(pieces.at(-1)?.candidates[0]?.finishReason).toBe("MALFORMED_FUNCTION_CALL");
});

test("a stream tells its usage with the last piece, also where it came before the last chunk", () => {
  const writer = streamWriter({ frame: toFrame, end: "" }, true);
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  const chunks = chunksOf([{ content: "a" }, { content: "b" }]).map(({ usage: _usage, ...chunk }, at) =>
    at === 0 ? { ...chunk, usage } : chunk,
  );
  const text = chunks.map((chunk) => writer.write(chunk)).join("") + writer.end();
  expect(readEvents(text).at(-1)?.data).toMatchObject({ usageMetadata: { promptTokenCount: 3, totalTokenCount: 5 } });
});
