import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../../../../src/engine/api/chat.ts";
import type { DecisionRequest } from "../../../../../src/engine/api/decisions.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import { answers, belief, near, questions, request } from "../../../support/case.ts";
import { always, askedQuestion, byToken, byTool } from "../../../support/judges.ts";
import { engineOver } from "../../../support/support.ts";

describe("a chat model with log probabilities", () => {
  it("answers every question by the probabilities of one token, in one call each", async () => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([byToken("a", belief, asked)]);
    const decided = await engine.decide(request);
    expect(decided.answers).toMatchObject(answers);
    expect(asked.map(askedQuestion)).toEqual(["refund", "team", "anger"]);
    for (const each of asked) {
      expect(each).toMatchObject({ max_completion_tokens: 1, logprobs: true });
      expect(each.tools).toBeUndefined();
      expect(JSON.stringify(each.messages)).toContain("I was charged twice.");
    }
    expect(decided.extra_fields).toMatchObject({ request_type: "decision", provider: "a", model_requested: "a/judge" });
  });

  it("is asked all questions at once, but no more than sixteen", async () => {
    let underWay = 0;
    let most = 0;
    const judge = byToken("a", belief);
    const slow: Provider = {
      name: "a",
      async chat(...asked) {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay--;
        return (judge as Required<Provider>).chat(...asked);
      },
    };
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`q${n}`, questions.refund]));
    const { engine } = engineOver([slow]);
    const decided = await engine.decide({ model: "a/judge", questions: many });
    expect(Object.keys(decided.answers)).toHaveLength(40);
    expect(most).toBe(16);
  });

  it("answers the list form in the list form, pictures among the material", async () => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([byToken("a", belief, asked)]);
    const picture = { type: "input_image" as const, image_url: "data:image/png;base64,AAAA" };
    const decided = await engine.decide({
      model: "a/judge",
      input: [{ role: "user", content: [{ type: "input_text", text: "Look." }, picture] }],
      questions: [
        { type: "predicate", name: "refund" },
        { type: "choice", choices: [{ value: true }, { value: "other" }] },
        { type: "score", levels: [{ label: "calm" }, { label: "annoyed" }] },
      ],
    });
    expect(decided.answers).toMatchObject([
      {
        type: "predicate",
        name: "refund",
        probability: near(0.9),
        probabilities: [
          { value: true, probability: near(0.9) },
          { value: false, probability: near(0.1) },
        ],
      },
      {
        type: "choice",
        name: "question_1",
        choice: true,
        confidence: near(7 / 11),
        probabilities: [
          { value: true, probability: near(9 / 11) },
          { value: "other", probability: near(2 / 11) },
        ],
      },
      {
        type: "score",
        name: "question_2",
        score: near(2 / 3),
        confidence: near(1 / 3),
        probabilities: [
          { value: 0, label: "calm", probability: near(1 / 3) },
          { value: 1, label: "annoyed", probability: near(2 / 3) },
        ],
      },
    ]);
    expect(asked[0]?.messages[1]?.content).toContainEqual({
      type: "image_url",
      image_url: { url: "data:image/png;base64,AAAA" },
    });
  });
});

describe("a chat model without log probabilities", () => {
  it("states its probabilities by a tool that it must call, and is remembered as such", async () => {
    const asked: ChatRequest[] = [];
    const { engine } = engineOver([byTool("a", belief, asked)]);
    expect((await engine.decide(request)).answers).toMatchObject(answers);
    expect(asked).toHaveLength(6);
    const forced = asked.filter(({ tools }) => tools);
    for (const { tools, tool_choice } of forced) {
      expect(tools?.[0]?.function).toMatchObject({ strict: true, parameters: { additionalProperties: false } });
      expect(tool_choice).toMatchObject({ type: "function", function: { name: tools?.[0]?.function?.name } });
    }
    await engine.decide(request);
    expect(asked).toHaveLength(9);
  });

  it.each([400, 422])("may refuse the other form with %i, and is remembered by its words", async (status) => {
    const asked: ChatRequest[] = [];
    const judge = byTool("a", belief) as Required<Provider>;
    const refusing: Provider = {
      name: "a",
      async chat(each, call) {
        asked.push(each);
        if (each.tools) return judge.chat(each, call);
        const message = "Unsupported parameter: 'logprobs' is not supported with this model.";
        throw new GatewayError("upstream_error", message, { upstream: { status, message } });
      },
    };
    const { engine } = engineOver([refusing]);
    expect((await engine.decide(request)).answers).toMatchObject(answers);
    await engine.decide(request);
    expect(asked).toHaveLength(9);
  });

  it("is asked by tool where the first token says nothing of the options, as of one that thinks first", async () => {
    const judge = byTool("a", belief) as Required<Provider>;
    const content = [{ token: "<think>", logprob: 0, top_logprobs: [{ token: "<think>", logprob: 0 }] }];
    const thinking = always("a", { log_probs: { content } }) as Required<Provider>;
    const { engine } = engineOver([
      { name: "a", chat: (each, call) => (each.tools ? judge : thinking).chat(each, call) },
    ]);
    expect((await engine.decide(request)).answers).toMatchObject(answers);
  });

  it("names nothing that the caller did not write in its warnings", async () => {
    const judge = byTool("a", belief) as Required<Provider>;
    const warning: Provider = {
      name: "a",
      chat(each, call) {
        if (each.logprobs) call.warn("`logprobs` is not supported by a");
        call.warn("`seed` is not supported by a");
        return judge.chat(each, call);
      },
    };
    const { engine } = engineOver([warning]);
    const decided = await engine.decide({ ...request, seed: 7 } as DecisionRequest);
    expect(decided.extra_fields?.warnings).toEqual(["`seed` is not supported by a"]);
  });
});

it("more than twenty options are weighed by tool, up to 255", async () => {
  const asked: ChatRequest[] = [];
  const names = Array.from({ length: 255 }, (_, n) => `option ${n}`);
  const criteria = Object.fromEntries(names.map((each) => [each, null]));
  const { engine } = engineOver([
    byTool("a", (_question, option) => (option === "option 200" ? 0.5 : 0.5 / 254), asked),
  ]);
  const { answers: told } = await engine.decide({ model: "a/m", questions: { which: { kind: "choice", criteria } } });
  expect(asked).toHaveLength(1);
  expect(told).toMatchObject({ which: { value: "option 200", probabilities: { "option 0": near(0.5 / 254) } } });
});
