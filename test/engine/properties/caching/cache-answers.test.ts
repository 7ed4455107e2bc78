import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatResponse } from "../../../../src/engine/api/chat.ts";
import { isComplete } from "../../../../src/engine/caching/complete.ts";
import { toChunks } from "../../../../src/engine/caching/replay.ts";
import { mergeChunks } from "../../../../src/engine/metering/merge-chunks.ts";

describe("a whole answer as chunks", () => {
  const text = fc.string({ maxLength: 20 });
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const call = fc.record({
    id: text,
    type: fc.constant("function"),
    function: fc.record({ name: text, arguments: text }),
  });
  const detail = fc.record({ type: fc.constant("reasoning.text" as const), text, signature: text });
  const message = fc.record({
    role: fc.constant("assistant" as const),
    content: fc.option(text, { nil: null }),
    reasoning: optional(text),
    refusal: optional(text),
    tool_calls: optional(fc.array(call, { minLength: 1, maxLength: 3 })),
    reasoning_details: optional(fc.array(detail, { minLength: 1, maxLength: 3 })),
    annotations: optional(fc.array(fc.record({ type: text }), { minLength: 1, maxLength: 2 })),
    audio: optional(fc.record({ id: text, data: text, transcript: text })),
  });
  /** Several details have their places, as providers give them. */
  const numbered = ({ reasoning_details: details, ...rest }: { reasoning_details?: object[] | undefined }) =>
    details ? { ...rest, reasoning_details: details.map((one, index) => ({ ...one, index })) } : rest;
  const logProbs = optional(fc.record({ content: fc.array(fc.record({ token: text, logprob: fc.integer() })) }));
  const whole = fc
    .record({
      id: text,
      created: fc.nat(),
      model: text,
      system_fingerprint: optional(text),
      service_tier: optional(text),
      citations: optional(fc.array(text)),
      usage: optional(fc.constant({ prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 })),
      choices: fc.array(
        fc.record({ finish_reason: fc.constantFrom("stop", "tool_calls"), message, log_probs: logProbs }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    })
    .map((answer) => {
      const choices = answer.choices.map((choice, index) => ({ index, ...choice, message: numbered(choice.message) }));
      return JSON.parse(JSON.stringify({ object: "chat.completion", ...answer, choices })) as ChatResponse;
    });

  it("folds to the same whole answer", () => {
    fc.assert(
      fc.property(whole, (answer) => {
        expect(mergeChunks(toChunks(answer))).toEqual(answer);
      }),
    );
  });

  it("keeps details of the reasoning apart although they have no places", () => {
    const details = ["a", "b"].map((text) => ({ type: "reasoning.text" as const, text }));
    const message = { role: "assistant" as const, content: null, reasoning_details: details };
    const answer = { id: "1", object: "chat.completion", created: 1, model: "m" };
    const [choice] = mergeChunks(
      toChunks({ ...answer, choices: [{ index: 0, finish_reason: "stop", message }] }),
    ).choices;
    expect(choice?.message.reasoning_details?.map(({ text }) => text)).toEqual(["a", "b"]);
  });

  it("ends every choice once, after its content, and has usage last", () => {
    fc.assert(
      fc.property(whole, (answer) => {
        const chunks = toChunks(answer);
        for (const { index } of answer.choices) {
          const reasons = chunks.flatMap(({ choices }) => choices.filter((choice) => choice.index === index));
          expect(reasons.map(({ finish_reason }) => finish_reason !== null)).toEqual([false, true]);
        }
        expect(chunks.findIndex(({ usage }) => usage)).toBe(answer.usage ? chunks.length - 1 : -1);
      }),
    );
  });
});

describe("an answer may be kept", () => {
  const choice = (reason: string | null) => ({ finish_reason: reason, message: {} });
  it.each([["stop"], ["tool_calls"]])("when every choice ended with %s", (reason) => {
    expect(isComplete("chat", { choices: [choice(reason), choice("stop")] })).toBe(true);
  });
  it.each([["length"], ["content_filter"], ["error"], [null], ["something"]])(
    "not when one ended with %s",
    (reason) => {
      expect(isComplete("chat", { choices: [choice("stop"), choice(reason)] })).toBe(false);
    },
  );
  it("not when it is empty", () => {
    expect(isComplete("chat", { choices: [] })).toBe(false);
    expect(isComplete("embedding", { data: [] })).toBe(false);
    expect(isComplete("rerank", { results: [] })).toBe(false);
    expect(isComplete("decision", { answers: {} })).toBe(false);
  });
});
