import { describe, expect, it } from "vitest";
import { openai } from "../../../adapters/providers/openai.ts";
import { pricesOf } from "../../engine/support/money/world.ts";
import { engineOver } from "../../engine/support/support.ts";
import { vendorDouble } from "./vendor-double.ts";

const request = {
  state: "I was charged twice.",
  questions: {
    refund: { kind: "noul" as const, instructions: "Money back?" },
    team: { kind: "choice" as const, criteria: { billing: "charges", shipping: null } },
  },
};
const usage = { input_tokens: 1_000, output_tokens: 5 };
const listAnswer = {
  model: "gpt-6-luna",
  answers: [
    { type: "predicate", name: "refund", probability: 0.97 },
    { type: "refusal", name: "team" },
  ],
  usage: { ...usage, input_tokens_details: { cached_tokens: 600, cache_write_tokens: 100 } },
};

describe("OpenAI's decider", () => {
  it("is asked in the list form, and a refused question is answered by its refusal", async () => {
    const { seen, options } = vendorDouble(() => listAnswer);
    const { engine } = engineOver([openai(options)]);
    const decided = await engine.decide({
      ...request,
      model: "openai/gpt-6-luna",
      extra: { safety_identifier: "u-1" },
    });
    expect(seen).toMatchObject([
      {
        url: "https://api.openai.com/v1/decisions",
        body: {
          model: "gpt-6-luna",
          input: "I was charged twice.",
          safety_identifier: "u-1",
          questions: [
            { type: "predicate", name: "refund" },
            { type: "choice", name: "team", choices: [{ value: "billing", description: "charges" }, {}] },
          ],
        },
      },
    ]);
    expect(decided.answers).toMatchObject({ refund: { value: 0.97 }, team: { kind: "refusal", method: "native" } });
    const details = { cached_read_tokens: 600, cached_write_tokens: 100 };
    expect(decided.usage).toMatchObject({ prompt_tokens: 1_000, prompt_tokens_details: details });
  });

  it("is billed by the rates of decisions, whose output is free", async () => {
    const { options } = vendorDouble(() => ({ ...listAnswer, usage: { input_tokens: 1_000, output_tokens: 50 } }));
    const prices = pricesOf({
      "openai/gpt-6-luna": {
        input_cost_per_token: 1e-6,
        output_cost_per_token: 6e-6,
        input_cost_per_token_decisions: 1e-7,
        output_cost_per_token_decisions: 0,
      },
    });
    const { engine } = engineOver([openai(options)], { prices });
    const { usage } = await engine.decide({ ...request, model: "openai/gpt-6-luna" });
    expect(usage?.cost?.total_cost).toBeCloseTo(1_000 * 1e-7, 12);
  });

  it("gets pictures as parts, of either form of request", async () => {
    const { seen, options } = vendorDouble(() => listAnswer);
    const { engine } = engineOver([openai(options)]);
    await engine.decide({ ...request, model: "openai/gpt-6-luna", images: ["data:image/png;base64,AAAA"] });
    expect(seen[0]?.body.input).toMatchObject([
      {
        role: "user",
        content: [{ type: "input_text" }, { type: "input_image", image_url: "data:image/png;base64,AAAA" }],
      },
    ]);
  });

  it("is not asked about a choice of one option", async () => {
    const { seen, options } = vendorDouble(() => listAnswer);
    const { engine } = engineOver([openai(options)]);
    const questions = { only: { kind: "choice" as const, criteria: { one: null } } };
    const failed = engine.decide({ model: "openai/gpt-6-luna", questions });
    await expect(failed).rejects.toMatchObject({ code: "unsupported_operation", param: "questions" });
    expect(seen).toEqual([]);
  });

  const letters = [
    { token: "A", logprob: Math.log(0.8) },
    { token: "B", logprob: Math.log(0.2) },
  ];
  const chat = {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "gpt-6-luna",
    choices: [
      {
        index: 0,
        finish_reason: "length",
        message: { role: "assistant", content: "A" },
        logprobs: { content: [{ ...letters[0], top_logprobs: letters }] },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
  };

  it.each([
    [404, "Not found"],
    [400, "The model `gpt-6-luna` does not support decisions."],
  ])("that answers %i is asked by chat, and natively again after ten minutes", async (status, message) => {
    const { seen, options } = vendorDouble(({ url }) =>
      url.endsWith("/decisions") ? Response.json({ error: { message } }, { status }) : chat,
    );
    const { engine, clock } = engineOver([openai(options)]);
    const paths = async () => {
      seen.length = 0;
      const { refund } = request.questions;
      const decided = await engine.decide({ model: "openai/gpt-6-luna", state: "s", questions: { refund } });
      expect(decided.answers).toMatchObject({ refund: { method: "tokens" } });
      return seen.map(({ url }) => url.slice("https://api.openai.com/v1".length));
    };
    expect(await paths()).toEqual(["/decisions", "/chat/completions"]);
    expect(await paths()).toEqual(["/chat/completions"]);
    await clock.advance(600_001);
    expect(await paths()).toEqual(["/decisions", "/chat/completions"]);
  });

  it("can be asked by chat, and another model natively, where the request insists", async () => {
    const { seen, options } = vendorDouble(({ url }) => (url.endsWith("/decisions") ? listAnswer : chat));
    const { engine } = engineOver([openai(options)]);
    const { refund } = request.questions;
    await engine.decide({ model: "openai/gpt-6-luna", method: "tokens", questions: { refund } });
    await engine.decide({ model: "openai/gpt-4o", method: "native", questions: { refund } });
    expect(seen.map(({ url }) => url.split("/v1")[1])).toEqual(["/chat/completions", "/decisions"]);
  });
});
