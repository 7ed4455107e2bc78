import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { createEngine } from "../../../../../src/index.ts";
import { byToken } from "../../../../engine/support/judges.ts";

const judge = byToken("a", () => 0.5);
const declining: Provider = {
  name: "b",
  decide: async (_request, { id, model }) => ({
    id,
    model,
    answers: [
      { type: "predicate", name: "question_0", probability: 0.8, probabilities: [] },
      { type: "refusal", name: "question_1" },
    ],
    usage: {
      prompt_tokens: 9,
      completion_tokens: 2,
      total_tokens: 11,
      prompt_tokens_details: { cached_read_tokens: 4 },
    },
  }),
};

function clientAt(path: string) {
  const engine = createEngine({ providers: [judge, declining] });
  return new OpenAI({
    apiKey: "x",
    baseURL: `http://engine${path}`,
    fetch: engine.fetch as typeof fetch,
    maxRetries: 0,
  });
}

const two = [
  { type: "predicate" as const, instructions: "x" },
  { type: "predicate" as const, name: "second", instructions: "y" },
];

describe("OpenAI's client of decisions", () => {
  it("reads an answer at /openai/v1: names as it wrote them, usage, refusals", async () => {
    const decision = await clientAt("/openai/v1").decisions.create({
      model: "b/m",
      input: "t",
      questions: [two[0] as (typeof two)[0], { type: "predicate", instructions: "y" }],
    });
    expect(decision.answers).toMatchObject([
      { type: "predicate", name: null, probability: 0.8 },
      { type: "refusal", name: null },
    ]);
    expect(decision.usage).toEqual({
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 11,
    });
    const named = await clientAt("/openai/v1").decisions.create({ model: "a/m", input: "t", questions: two });
    expect(named.answers.map(({ name }) => name)).toEqual([null, "second"]);
  });

  it.each(["/v1", "/openai/v1", "/openai"])("may send every kind of input at %s", async (path) => {
    const { decisions } = clientAt(path);
    const picture = { type: "input_image" as const, image_url: "data:image/png;base64,AAAA", detail: "low" as const };
    const decision = await decisions.create({
      model: "a/m",
      input: [
        { role: "user", content: [{ type: "input_json", data: { a: 1 } }, picture] },
        { role: "assistant", content: [{ type: "output_text", text: "t" }] },
        { type: "function_call", call_id: "1", name: "f", arguments: "{}" },
        { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "42" }] },
        { type: "custom_tool_call", call_id: "2", name: "g", input: "x" },
        { type: "custom_tool_call_output", call_id: "2", output: "y" },
      ],
      questions: [{ type: "predicate", instructions: [{ type: "input_text", text: "Same as this?" }, picture] }],
    });
    expect(decision.answers).toMatchObject([{ type: "predicate", probability: expect.closeTo(0.5, 6) }]);
    expect(decision.usage.input_tokens).toBeGreaterThan(0);
  });
});
