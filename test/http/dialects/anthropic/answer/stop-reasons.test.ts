import { expect, test } from "vitest";
import { fromWire as fromBedrock } from "../../../../../adapters/providers/bedrock/answer.ts";
import { eventDecoder as bedrockDecoder } from "../../../../../adapters/providers/bedrock/events.ts";
import { toWire as toBedrock } from "../../../../../adapters/providers/bedrock/to-wire.ts";
import { eventDecoder } from "../../../../../adapters/shared/anthropic/events.ts";
import { fromWire } from "../../../../../adapters/shared/anthropic/from-wire.ts";
import { readChat } from "../../../../../adapters/shared/openai-compatible/response/from-wire.ts";
import type { ChatChunk, ChatResponse } from "../../../../../src/engine/api/chat.ts";
import { toChunks } from "../../../../../src/engine/caching/replay.ts";
import { mergeChunks } from "../../../../../src/engine/metering/merge-chunks.ts";
import { writeAnswer } from "../../../../../src/http/dialects/anthropic/answer.ts";
import { readRequest } from "../../../../../src/http/dialects/anthropic/request.ts";
import { streamWriter } from "../../../../../src/http/dialects/anthropic/stream.ts";
import { newNotes } from "../../../../../src/http/dialects/shared/translation-warnings.ts";
import { recordedCall } from "../../../../fixtures/native.ts";
import { readEvents } from "../../../support/dialects/frames.ts";

const call = recordedCall("claude-sonnet-4-5");
const context = { provider: "p", call, http: {} as never, fault: () => new Error("none") as never };
const usage = { input_tokens: 1, output_tokens: 1 };
const text = [{ type: "text", text: "abc" }];

type Stop = readonly [reason: string, sequence: string | null];

/** What each vendor says, whole. */
const whole = {
  anthropic: ([stop_reason, stop_sequence]: Stop) =>
    fromWire({ content: text, stop_reason, stop_sequence, usage }, context),
  bedrock: ([stopReason, stop_sequence]: Stop) =>
    fromBedrock(
      {
        output: { message: { content: [{ text: "abc" }] } },
        stopReason,
        additionalModelResponseFields: stop_sequence === null ? undefined : { stop_sequence },
      },
      context,
    ),
};

function decoded(decoder: ReturnType<typeof eventDecoder>, events: readonly object[]): ChatResponse {
  const out: ChatChunk[] = [];
  for (const event of events) decoder.read(JSON.stringify(event), out);
  decoder.end(out);
  return mergeChunks(out);
}

/** The same, streamed. */
const streamed = {
  anthropic: ([stop_reason, stop_sequence]: Stop) =>
    decoded(eventDecoder(context), [
      { type: "message_start", message: { id: "m", usage } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "abc" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
      { type: "message_stop" },
    ]),
  bedrock: ([stopReason, stop_sequence]: Stop) =>
    decoded(bedrockDecoder(context), [
      { messageStart: { role: "assistant" } },
      { contentBlockDelta: { contentBlockIndex: 0, delta: { text: "abc" } } },
      { contentBlockStop: { contentBlockIndex: 0 } },
      {
        messageStop: {
          stopReason,
          ...(stop_sequence === null ? {} : { additionalModelResponseFields: { stop_sequence } }),
        },
      },
      { metadata: { usage: { inputTokens: 1, outputTokens: 1 } } },
    ]),
};

const vllm = (end: object) =>
  readChat({ id: "c", choices: [{ index: 0, message: { role: "assistant", content: "abc" }, ...end }] }, context);

/** What a client of the dialect is told, whole and streamed. */
function told(answer: ChatResponse, stops: readonly string[]): unknown[] {
  const form = { showsThoughts: false, stops };
  const { stop_reason, stop_sequence } = writeAnswer(answer, newNotes(), form);
  const writer = streamWriter(form);
  const frames =
    toChunks(answer)
      .map((chunk) => writer.write(chunk))
      .join("") + writer.end();
  const last = readEvents(frames).find(({ event }) => event === "message_delta")?.data as { delta: object };
  expect(last.delta).toMatchObject({ stop_reason, stop_sequence });
  return [stop_reason, stop_sequence];
}

const stops: readonly Stop[] = [
  ["stop_sequence", "END"],
  ["end_turn", null],
  ["max_tokens", null],
  ["pause_turn", null],
  ["model_context_window_exceeded", null],
];

for (const vendor of ["anthropic", "bedrock"] as const) {
  test.each(stops)(`${vendor}: %s, %s comes back as it was, whole and streamed`, (...stop) => {
    expect(told(whole[vendor](stop), ["END", "STOP"])).toEqual(stop);
    expect(told(streamed[vendor](stop), ["END", "STOP"])).toEqual(stop);
  });
}

test.each([
  [{ finish_reason: "stop", stop_reason: "END" }, ["END", "B"], ["stop_sequence", "END"]],
  [{ finish_reason: "stop", matched_stop: "END" }, ["END", "B"], ["stop_sequence", "END"]],
  [{ finish_reason: "stop", stop_reason: 128_009 }, ["END"], ["end_turn", null]],
  [{ finish_reason: "stop", stop_reason: null }, ["END"], ["end_turn", null]],
  [{ finish_reason: "stop" }, ["END"], ["end_turn", null]],
  [{ finish_reason: "length", stop_reason: "END" }, ["END"], ["max_tokens", null]],
  [{ finish_reason: "stop_sequence" }, ["END"], ["stop_sequence", "END"]],
  [{ finish_reason: "stop_sequence" }, ["END", "B"], ["stop_sequence", null]],
])("a compatible vendor that says %j of %j is %j", (end, sequences, right) => {
  expect(told(vllm(end), sequences)).toEqual(right);
});

test("the stop sequences of a request are known to its answer, and Converse is asked which it met", () => {
  const { form, request } = readRequest({ model: "m", max_tokens: 9, stop_sequences: ["END"], messages: [] });
  expect(form.stops).toEqual(["END"]);
  expect(toBedrock(request, { provider: "bedrock", call })).toMatchObject({
    additionalModelResponseFieldPaths: ["/stop_sequence"],
  });
  expect(toBedrock({ ...request, stop: [] }, { provider: "bedrock", call }).additionalModelResponseFieldPaths).toBe(
    undefined,
  );
});
