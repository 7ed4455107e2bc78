import { describe, expect, it } from "vitest";
import { anthropic } from "../../../adapters/providers/anthropic/index.ts";
import { custom, mistral } from "../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../adapters/providers/openai.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { near } from "../../engine/support/case.ts";
import { engineOver } from "../../engine/support/support.ts";

type Body = Record<string, unknown>;

/** A vendor's answers by what it was asked, and the bodies that it saw. */
function vendor(answer: (body: Body) => unknown) {
  const bodies: Body[] = [];
  const fetch = async (_input: string | URL | Request, init: RequestInit = {}) => {
    const body: Body = JSON.parse(await new Response(init.body ?? null).text());
    bodies.push(body);
    const told = answer(body);
    return told instanceof Response ? told : Response.json(told);
  };
  return { bodies, options: { apiKey: "key-of-tests", fetch } };
}

const request = {
  state: "I was charged twice.",
  questions: { refund: { kind: "noul" as const, instructions: "Does the customer ask for money back?" } },
};
const answers = { refund: { kind: "noul", value: near(0.8) } };
const usage = { prompt_tokens: 90, completion_tokens: 1, total_tokens: 91 };
const completion = (choice: object) => ({
  id: "c-1",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "length", message: { role: "assistant", content: "A" }, ...choice }],
  usage,
});
const listed = [
  { token: "A", logprob: Math.log(0.6), bytes: [65] },
  { token: "B", logprob: Math.log(0.15), bytes: [66] },
  { token: "Yes", logprob: Math.log(0.2), bytes: null },
];
const withLogprobs = completion({ logprobs: { content: [{ ...listed[0], top_logprobs: listed }], refusal: null } });
const stated = '{"A":0.8,"B":0.2}';
const withCall = completion({
  finish_reason: "tool_calls",
  message: {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "t", type: "function", function: { name: "answer", arguments: stated } }],
  },
});

/** Decides with the provider; whatever the caller did not write must not come back in a warning. */
async function decideWith(provider: Provider) {
  const { engine } = engineOver([provider]);
  const decided = await engine.decide({ model: `${provider.name}/m`, ...request });
  expect(decided.extra_fields?.warnings).toBeUndefined();
  return decided;
}

describe("a decision on the wire of", () => {
  it("OpenAI asks for the alternatives of one token", async () => {
    const { bodies, options } = vendor(() => withLogprobs);
    const decided = await decideWith(openai(options));
    expect(decided.answers).toMatchObject(answers);
    expect(decided.usage).toMatchObject(usage);
    expect(bodies).toMatchObject([{ model: "m", logprobs: true, top_logprobs: 20, max_completion_tokens: 1 }]);
    expect(JSON.stringify(bodies[0]?.messages)).toContain("I was charged twice.");
  });

  it("OpenAI forces the tool where a model that reasons refuses the other way", async () => {
    const message = "Could not finish the message because max_tokens or model output limit was reached.";
    const refusal = () => Response.json({ error: { message, type: "invalid_request_error" } }, { status: 400 });
    const { bodies, options } = vendor((body) => (body.tools ? withCall : refusal()));
    expect((await decideWith(openai(options))).answers).toMatchObject(answers);
    expect(bodies[1]).toMatchObject({
      tools: [{ type: "function", function: { name: "answer", strict: true, parameters: { required: ["A", "B"] } } }],
      tool_choice: { type: "function", function: { name: "answer" } },
      parallel_tool_calls: false,
    });
  });

  it("a compatible server reads its log probabilities, and of one without them the tool", async () => {
    const { options } = vendor(() => withLogprobs);
    const own = { ...options, baseUrl: "https://own.test/v1" };
    expect((await decideWith(custom("own", own))).answers).toMatchObject(answers);
    const silent = vendor((body) => (body.tools ? withCall : completion({})));
    expect((await decideWith(mistral(silent.options))).answers).toMatchObject(answers);
    expect(silent.bodies.at(-1)).toMatchObject({ max_tokens: expect.any(Number) });
  });

  it("Gemini reads its log probabilities", async () => {
    const candidates = listed.map(({ token, logprob }) => ({ token, logProbability: logprob, tokenId: 1 }));
    const { bodies, options } = vendor(() => ({
      candidates: [
        {
          content: { role: "model", parts: [{ text: "A" }] },
          finishReason: "MAX_TOKENS",
          index: 0,
          logprobsResult: { topCandidates: [{ candidates }], chosenCandidates: [candidates[0]] },
        },
      ],
      usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 1, totalTokenCount: 91 },
      modelVersion: "m",
      responseId: "r",
    }));
    expect((await decideWith(gemini(options))).answers).toMatchObject(answers);
    expect(bodies[0]?.generationConfig).toMatchObject({ responseLogprobs: true, logprobs: 20, maxOutputTokens: 1 });
  });

  it("Anthropic, which has none, is a tool that must be used; nobody is asked in vain", async () => {
    const { bodies, options } = vendor((body) => ({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "m",
      content: body.tools
        ? [{ type: "tool_use", id: "t", name: "answer", input: JSON.parse(stated) }]
        : [{ type: "text", text: "A" }],
      stop_reason: body.tools ? "tool_use" : "max_tokens",
      usage: { input_tokens: 90, output_tokens: 1 },
    }));
    const decided = await decideWith(anthropic(options));
    expect(decided.answers).toMatchObject(answers);
    expect(decided.usage).toMatchObject({ prompt_tokens: 90, completion_tokens: 1 });
    expect(bodies).toMatchObject([{ tool_choice: { type: "tool", name: "answer" } }]);
  });
});
