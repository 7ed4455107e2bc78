import { describe, expect, it } from "vitest";
import { type SystemoneOptions, systemone } from "../../../adapters/providers/systemone.ts";
import type { DecisionRequest } from "../../../src/engine/api/decisions.ts";
import { engineOver } from "../../engine/support/support.ts";

interface Seen {
  readonly url: string;
  readonly authorization: string | null;
  readonly body: Record<string, unknown>;
}

/** An engine over a vendor that answers with this, and what the vendor saw. */
function vendorOf(answer: unknown, options: Partial<SystemoneOptions> = {}, status = 200) {
  const seen: Seen[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const body = init.body ? JSON.parse(await new Response(init.body).text()) : {};
    seen.push({ url: String(input), authorization: headers.get("authorization"), body });
    return Response.json(answer, { status });
  };
  const provider = systemone({ baseUrl: "https://decide.test/v1", apiKey: "key-of-tests", fetch, ...options });
  return { seen, engine: engineOver([provider]).engine };
}

const mapRequest = {
  model: "systemone/solar",
  state: { ticket: "charged twice" },
  questions: {
    refund: { kind: "noul", instructions: "Money back?", criteria: { true: "asks for money" } },
    team: { kind: "choice", criteria: { billing: "charges", other: null } },
    anger: { kind: "score", instructions: { about: "mood" }, criteria: ["calm", "furious"] },
  },
} satisfies DecisionRequest;
const listRequest = {
  model: "systemone/solar",
  input: "charged twice",
  questions: [
    { type: "predicate", name: "refund", instructions: "Money back?", criteria: { true: "asks for money" } },
    { type: "choice", name: "team", choices: [{ value: "billing", description: "charges" }, { value: true }] },
    { type: "score", levels: [{ label: "calm", description: "polite" }, { label: "furious" }] },
  ],
} satisfies DecisionRequest;
const mapAnswer = {
  model: "solar-decide-1",
  answers: {
    refund: { type: "noul", noul: 0.875 },
    team: { type: "choice", choice: "billing", confidence: 0.5, probabilities: { billing: 0.75, other: 0.25 } },
    anger: {
      type: "score",
      score: 0.25,
      confidence: 0.5,
      probabilities: { 0: 0.75, 1: 0.25 },
      legend: { 0: "calm", 1: "furious" },
    },
  },
  usage: { input_tokens: 40, output_tokens: 0 },
};
const listAnswer = {
  model: "gpt-decide",
  answers: [
    { type: "predicate", name: "refund", probability: 0.875 },
    {
      type: "choice",
      name: "team",
      choice: true,
      confidence: 0.5,
      probabilities: [
        { value: "billing", probability: 0.25 },
        { value: true, probability: 0.75 },
      ],
    },
    {
      type: "score",
      name: "question_2",
      score: 0.25,
      confidence: 0.5,
      probabilities: [
        { value: 0, label: "calm", probability: 0.75 },
        { value: 1, label: "furious", probability: 0.25 },
      ],
    },
  ],
  usage: { input_tokens: 40, output_tokens: 2, total_tokens: 42, input_tokens_details: { cached_tokens: 16 } },
};

describe("System One's interface", () => {
  it("is asked at POST /systemone, with `type` for `kind`, and answers in our names", async () => {
    const { engine, seen } = vendorOf(mapAnswer);
    const decided = await engine.decide({ ...mapRequest, fallbacks: [] });
    expect(seen).toEqual([
      {
        url: "https://decide.test/v1/systemone",
        authorization: "Bearer key-of-tests",
        body: {
          model: "solar",
          state: { ticket: "charged twice" },
          questions: {
            refund: { type: "noul", instructions: "Money back?", criteria: { true: "asks for money", false: null } },
            team: { type: "choice", criteria: { billing: "charges", other: null } },
            anger: { type: "score", instructions: { about: "mood" }, criteria: ["calm", "furious"] },
          },
        },
      },
    ]);
    expect(decided.model).toBe("solar-decide-1");
    expect(decided.usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 0, total_tokens: 40 });
    expect(decided.answers).toMatchObject({
      refund: { kind: "noul", value: 0.875 },
      team: { kind: "choice", value: "billing", confidence: 0.5, probabilities: { billing: 0.75, other: 0.25 } },
      anger: {
        kind: "score",
        value: 0.25,
        confidence: 0.5,
        probabilities: { 0: 0.75, 1: 0.25 },
        legend: { 0: "calm", 1: "furious" },
      },
    });
  });

  it("answers requests in the list form", async () => {
    const { team } = mapAnswer.answers;
    const told = {
      ...mapAnswer,
      answers: {
        ...mapAnswer.answers,
        team: { ...team, choice: "true", probabilities: { billing: 0.25, true: 0.75 } },
        question_2: mapAnswer.answers.anger,
      },
    };
    const { engine, seen } = vendorOf(told);
    const decided = await engine.decide(listRequest);
    expect(seen[0]?.body).toMatchObject({
      state: "charged twice",
      questions: {
        team: { criteria: { billing: "charges", true: null } },
        question_2: { type: "score", criteria: ["calm: polite", "furious"] },
      },
    });
    expect(decided.answers).toMatchObject([
      { type: "predicate", name: "refund", probability: 0.875 },
      { type: "choice", name: "team", choice: true },
      { type: "score", name: "question_2", score: 0.25 },
    ]);
  });

  it("is asked about pictures by their names, which stand in the state", async () => {
    const { engine, seen } = vendorOf({ ...mapAnswer, answers: { q: { type: "noul", noul: 0.5 } } });
    const content = [{ type: "input_image" as const, image_url: "data:image/png;base64,AAAA" }];
    await engine.decide({
      model: "systemone/solar",
      input: [{ role: "user", content }],
      questions: [{ type: "predicate", name: "q" }],
    });
    expect(seen[0]?.body).toMatchObject({
      state: [{ role: "user", content: [{ type: "input_text", text: "image_1" }] }],
      assets: { image_1: { type: "image", format: "png", data_base64: "AAAA" } },
    });
  });

  it("finds places in pictures", async () => {
    const box = { top: 0.1, left: 0.2, bottom: 0.3, right: 0.4 };
    const { engine } = vendorOf({ model: "m", answers: { where: { type: "box", box, confidence: 0.9 } } });
    const assets = { photo: { type: "image" as const, format: "png", data_base64: "AAAA" } };
    const questions = { where: { kind: "box" as const, instructions: "the dog in `photo`" } };
    const decided = await engine.decide({ model: "systemone/solar", state: "photo", assets, questions });
    expect(decided.answers).toEqual({
      where: { kind: "box", type: "box", value: box, box, confidence: 0.9, method: "native" },
    });
  });
});

describe("OpenAI's Decisions interface", () => {
  it("is asked at POST /decisions, and answers as it is", async () => {
    const { engine, seen } = vendorOf(listAnswer, { form: "list" });
    const decided = await engine.decide(listRequest);
    expect(seen[0]).toMatchObject({
      url: "https://decide.test/v1/decisions",
      body: {
        model: "solar",
        input: "charged twice",
        questions: [
          listRequest.questions[0],
          listRequest.questions[1],
          { ...listRequest.questions[2], name: "question_2" },
        ],
      },
    });
    expect(decided.answers).toMatchObject(listAnswer.answers);
    expect(decided.usage).toMatchObject({ prompt_tokens: 40, prompt_tokens_details: { cached_read_tokens: 16 } });
  });

  it("answers requests in the map form, whose state goes as JSON text", async () => {
    const [refund] = listAnswer.answers;
    const { engine, seen } = vendorOf({ ...listAnswer, answers: [{ ...refund, name: null }] }, { form: "list" });
    const { refund: question } = mapRequest.questions;
    const decided = await engine.decide({ ...mapRequest, questions: { refund: question } });
    expect(seen[0]?.body).toMatchObject({
      input: '{"ticket":"charged twice"}',
      questions: [{ type: "predicate", name: "refund" }],
    });
    expect(decided.answers).toMatchObject({ refund: { kind: "noul", value: 0.875 } });
  });

  it("may decline a question: the others are answered", async () => {
    const answers = [{ type: "refusal", name: "refund", refusal: "no" }, ...listAnswer.answers.slice(1)];
    const { engine } = vendorOf({ ...listAnswer, answers }, { form: "list" });
    const decided = await engine.decide(listRequest);
    expect(decided.answers).toMatchObject([{ type: "refusal", name: "refund" }, { type: "choice" }, { type: "score" }]);
  });
});

describe("a vendor of decisions", () => {
  it.each([[null], [{}], [{ answers: "yes" }]])("whose answer is %j is not believed", async (told) => {
    const { engine } = vendorOf(told);
    await expect(engine.decide(mapRequest)).rejects.toMatchObject({ code: "upstream_invalid_response" });
  });

  it("says its own errors", async () => {
    const { engine } = vendorOf({ error: { message: "no such model", code: "model_not_found" } }, {}, 404);
    const upstream = { status: 404, message: "no such model", code: "model_not_found" };
    await expect(engine.decide(mapRequest)).rejects.toMatchObject({ code: "upstream_error", upstream });
  });

  it("lists its models", async () => {
    const { engine } = vendorOf({ data: [{ id: "solar", object: "model" }] });
    expect((await engine.models()).data).toMatchObject([{ id: "systemone/solar" }]);
  });

  it.each([
    ["apiKey", { apiKey: " " }],
    ["baseUrl", { baseUrl: "decide.test" }],
  ])("needs a proper `%s`", (param, options) => {
    expect(() => vendorOf({}, options)).toThrow(expect.objectContaining({ code: "invalid_configuration", param }));
  });
});
