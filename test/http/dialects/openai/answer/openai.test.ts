import { expect, test } from "vitest";
import { writeUsage } from "../../../../../src/engine/dialects/openai/usage.ts";
import { chunkWriter, writeCompletion } from "../../../../../src/http/dialects/openai/answer.ts";
import { answerOf, chunksOf } from "../../../support/dialects/answers.ts";

const logProbs = { content: [{ token: "x", logprob: -0.5 }] };
const writtenLogProbs = { content: [{ token: "x", logprob: -0.5, bytes: null, top_logprobs: [] }], refusal: null };

test("counts have the vendor's names; costs and counts that it has none for stay behind", () => {
  expect(
    writeUsage({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_read_tokens: 4, cached_write_tokens: 2, audio_tokens: 1, text_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 3, citation_tokens: 1, accepted_prediction_tokens: 0 },
      cost: { total_cost: 1 },
    }),
  ).toEqual({
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2, audio_tokens: 1 },
    completion_tokens_details: { reasoning_tokens: 3, accepted_prediction_tokens: 0 },
  });
});

test("a whole answer has logprobs, content and refusal even where they are null, and nothing of the gateway's own", () => {
  const answer = answerOf({ role: "assistant", content: null, reasoning: "hm" }, "eos");
  const [choice] = answer.choices;
  const told = writeCompletion({
    ...answer,
    choices: [{ ...(choice as NonNullable<typeof choice>), log_probs: logProbs }],
    extra_fields: { request_type: "chat_completion" },
  });
  expect(told.choices).toEqual([
    {
      index: 0,
      finish_reason: "stop",
      logprobs: writtenLogProbs,
      message: { role: "assistant", content: null, refusal: null, reasoning: "hm", reasoning_content: "hm" },
    },
  ]);
  expect(told).not.toHaveProperty("extra_fields");
  expect(
    writeCompletion(answerOf({ role: "assistant", content: [{ type: "text", text: "a" }] })).choices[0]?.message
      .content,
  ).toBe("a");
});

test("chunks have the vendor's names, and end calls as the vendor does", () => {
  const write = chunkWriter();
  const call = { index: 0, id: "c", function: { name: "f", arguments: "{}" } };
  const chunks = chunksOf([{ tool_calls: [call] }]).map((chunk) => ({
    ...chunk,
    choices: chunk.choices.map((choice) => ({
      ...choice,
      finish_reason: choice.finish_reason === null ? null : "stop",
      log_probs: logProbs,
    })),
    extra_fields: { request_type: "chat_completion_stream" as const },
  }));
  const told = chunks.map((chunk) => write(chunk));
  expect(told.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, "tool_calls", undefined]);
  expect(told[1]?.choices[0]).toMatchObject({ logprobs: logProbs, delta: { tool_calls: [call] } });
  expect(JSON.stringify(told)).not.toMatch(/log_probs|extra_fields/);
});
