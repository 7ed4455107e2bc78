import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatRequest, ChatResponse } from "../../../../src/engine/api/chat.ts";
import { readByEnum } from "../../../../src/engine/decisions/by-enum.ts";
import { readByToken } from "../../../../src/engine/decisions/by-token.ts";
import { readQuestions } from "../../../../src/engine/decisions/question.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { engineOver } from "../../support/support.ts";

interface Token {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs?: readonly { readonly token: string; readonly logprob: number }[];
}

const request = {
  model: "a/m",
  state: { ticket: "Where is my money?" },
  questions: { refund: { kind: "noul" as const } },
};
const usage = { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107 };

function answerOf(content: readonly Token[], tool?: object): ChatResponse {
  const tool_calls = tool && [
    { id: "1", type: "function" as const, function: { name: "answer", arguments: JSON.stringify(tool) } },
  ];
  const message = { role: "assistant" as const, content: null, ...(tool_calls ? { tool_calls } : {}) };
  const choices = [{ index: 0, finish_reason: "stop", message, log_probs: { content } }];
  return { id: "1", object: "chat.completion", created: 1, model: "m", choices, usage } as ChatResponse;
}

const noise = { token: "The", logprob: -0.01 };
const preface = answerOf([{ ...noise, top_logprobs: [noise] }]);
const weighed = (yes: number) => [
  { token: "A", logprob: Math.log(yes) },
  { token: "B", logprob: Math.log(1 - yes) },
];
const structured = (yes: number) =>
  answerOf([
    ...["{", '"answer', '":"'].map((token) => ({ token, logprob: 0 })),
    { token: "A", logprob: Math.log(yes), top_logprobs: weighed(yes) },
    { token: '"}', logprob: 0 },
  ]);

/** A model that begins every free answer with other words. */
function talker(underSchema: (request: ChatRequest, warn: (text: string) => void) => ChatResponse) {
  const asked: string[] = [];
  const provider: Provider = {
    name: "a",
    async chat(each, call) {
      asked.push(each.tools ? "tool" : each.response_format ? "enum" : "token");
      if (each.tools) return answerOf([], { A: 0.7, B: 0.3 });
      return each.response_format ? underSchema(each, call.warn) : preface;
    },
  };
  return { asked, engine: engineOver([provider], { store: memoryStore() }).engine };
}

describe("a model that would begin with other words", () => {
  it("chooses under a schema, by the probabilities of the token that chooses", async () => {
    const schemas: unknown[] = [];
    const { asked, engine } = talker((each) => {
      schemas.push(each.response_format);
      expect([each.logprobs, each.top_logprobs]).toEqual([true, 20]);
      return structured(0.8);
    });
    const { answers } = await engine.decide(request);
    expect(answers).toMatchObject({
      refund: { value: expect.closeTo(0.8, 9), method: "tokens", mass: expect.closeTo(1, 9) },
    });
    expect(asked).toEqual(["token", "enum"]);
    expect(schemas).toMatchObject([
      { type: "json_schema", json_schema: { strict: true, schema: { properties: { answer: { enum: ["A", "B"] } } } } },
    ]);
  });
  it("is asked by tool where the vendor takes no schema, and from then on at once", async () => {
    const refusals = [
      () => {
        const upstream = { status: 400, message: "response_format is not supported by this model" };
        throw new GatewayError("upstream_error", upstream.message, { upstream });
      },
      (_each: ChatRequest, warn: (text: string) => void) => {
        warn("`response_format` is not supported by a");
        return preface;
      },
    ];
    for (const refuse of refusals) {
      const { asked, engine } = talker(refuse);
      expect((await engine.decide(request)).answers).toMatchObject({ refund: { value: 0.7, method: "tool" } });
      await engine.decide(request);
      expect(asked).toEqual(["token", "enum", "tool", "token", "tool"]);
    }
  });
  it("is asked by tool where the schema does not help", async () => {
    const { asked, engine } = talker(() => preface);
    expect((await engine.decide(request)).answers).toMatchObject({ refund: { value: 0.7, method: "tool" } });
    expect(asked).toEqual(["token", "enum", "tool"]);
  });
  it("is asked under a schema, and not by tool, where tokens are the only way", async () => {
    const { asked, engine } = talker(() => preface);
    const refused = { code: "upstream_invalid_response" };
    await expect(engine.decide({ ...request, method: "tokens" })).rejects.toMatchObject(refused);
    expect(asked.slice(0, 2)).toEqual(["token", "enum"]);
    expect(asked).not.toContain("tool");
  });
  it("costs under a hard budget no more than was reserved, and is paid whole", async () => {
    const { engine } = talker(() => structured(0.8));
    const { key, value } = await engine.keys.create({
      name: "k",
      budgets: [{ max_limit: 1, reset_duration: "1d", enforcement: "hard" }],
      provider_configs: [{ provider: "*", allowed_models: ["*"] }],
    });
    await engine.decide(request, { key: value });
    const [limit] = await engine.usage.limits(key.id);
    expect(limit).toMatchObject({ used_nano: 2 * (100 * 1_000 + 7 * 2_000), reserved_nano: 0 });
  });
});

describe("the token that chooses", () => {
  const questions = readQuestions({
    ...request,
    questions: { q: { kind: "choice", criteria: { x: null, y: null, z: null } } },
  } as never);
  const [question] = questions.questions;
  const form = { order: [2, 0, 1], labels: "letters" as const };
  it("is found however a tokenizer cuts the answer", () => {
    fc.assert(
      fc.property(
        fc.constantFrom('{"answer":"', '{"answer": "', ' {\n "answer" : "'),
        fc.uniqueArray(fc.nat(14), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 3, maxLength: 3 }),
        fc.constantFrom("", '"', '"}'),
        (...[before, cuts, weights, behind]) => {
          const sum = weights.reduce((total, weight) => total + weight, 0);
          const labels = ["A", "B", "C"].map((token, at) => ({
            token,
            logprob: Math.log((weights[at] as number) / sum),
          }));
          const ends = [...cuts.filter((cut) => cut > 0 && cut < before.length), before.length].toSorted(
            (a, b) => a - b,
          );
          // The last piece may run into the label, as tokenizers join quotes and letters.
          const pieces = ends.map((end, at) => before.slice(at === 0 ? 0 : ends[at - 1], end));
          const isJoined = cuts.length % 2 === 1;
          const joined = isJoined ? (pieces.pop() ?? "") : "";
          const listed = labels.map(({ token, logprob }) => ({ token: joined + token + behind, logprob }));
          const other = joined === "" ? [] : [{ token: `${"?".repeat(joined.length)}A`, logprob: -1 }]; // of no label
          const content = [
            ...pieces.map((token) => ({ token, logprob: 0 })),
            { ...(listed[0] as Token), top_logprobs: [...listed, ...other] },
            { token: '"}'.slice(behind.length), logprob: 0 },
          ];
          const read = readByEnum(question as never, answerOf(content), form);
          const plain = readByToken(
            question as never,
            answerOf([{ ...(labels[0] as Token), top_logprobs: labels }]),
            form,
          );
          expect(read?.distribution).toEqual(plain?.distribution);
          expect(read?.mass).toBeCloseTo(1, 9);
        },
      ),
    );
  });
  it("is not there in an answer that is no such object", () => {
    const texts = [["The ", "answer"], ['{"other":"', "A"], ['{"answer":', "1}"], ['{"answer":"'], []];
    for (const text of texts) {
      const content = text.map((token) => ({ token, logprob: -1 }));
      expect(readByEnum(question as never, answerOf(content), form)).toBeUndefined();
    }
  });
});
