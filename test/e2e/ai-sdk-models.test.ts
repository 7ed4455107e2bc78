import { experimental_decide as decide, generateText, rerank, streamText } from "ai";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { fromAiSdk, tollgate } from "../../src/ai-sdk/index.ts";
import { createEngine } from "../../src/index.ts";
import { scriptedPrices } from "../../src/testing/index.ts";
import { belief, near } from "../engine/support/case.ts";
import { byToken } from "../engine/support/judges.ts";
import { talker } from "./talker.ts";

const talk = talker();
const prices = scriptedPrices();
const engine = createEngine({ providers: [talk.provider, byToken("judge", belief)], prices });

beforeEach(() => {
  talk.asked.length = 0;
});
afterAll(() => engine.close());

describe("tollgate/ai-sdk", () => {
  it("takes fields of ours in providerOptions, and says who served and for how much", async () => {
    const answer = await generateText({
      model: tollgate(engine)("nobody/talker"),
      prompt: "Hello",
      providerOptions: { tollgate: { fallbacks: ["a/talker"], metadata: { team: "red" } } },
    });
    expect(answer.providerMetadata?.tollgate).toMatchObject({ provider: "a", model_requested: "nobody/talker" });
    expect(talk.asked[0]).toMatchObject({ metadata: { team: "red" } });
  });

  it("gives thoughts back with their signatures", async () => {
    const model = tollgate(engine)("a/talker");
    for (const first of [await generateText({ model, prompt: "think" }), streamText({ model, prompt: "think" })]) {
      expect(await first.reasoningText).toBe("Hm.");
      const { messages } = await first.response;
      await generateText({
        model,
        messages: [{ role: "user", content: "think" }, ...messages, { role: "user", content: "go on" }],
      });
      expect(talk.asked.at(-1)?.messages[1]).toMatchObject({
        role: "assistant",
        content: "Done.",
        reasoning: "Hm.",
        reasoning_details: [{ type: "reasoning.text", text: "Hm.", signature: "sig-1" }],
      });
    }
  });

  it("names what has no form among the warnings", async () => {
    const answer = await generateText({
      model: tollgate(engine)("a/talker"),
      prompt: "Hello",
      reasoning: "max" as never,
    });
    expect(answer.warnings).toEqual([{ type: "unsupported", feature: 'reasoning "max": it is "xhigh"' }]);
    expect(talk.asked[0]).toMatchObject({ reasoning: { effort: "xhigh" } });
  });

  it("reranks", async () => {
    const { ranking, rerankedDocuments } = await rerank({
      model: tollgate(engine).rerankingModel("a/talker"),
      documents: ["a long document", "short"],
      query: "q",
      topN: 1,
    });
    expect(rerankedDocuments).toEqual(["short"]);
    expect(ranking).toMatchObject([{ originalIndex: 1 }]);
  });

  it("decides", async () => {
    const { answers } = await decide({
      model: tollgate(engine).decisionModel("judge/m"),
      state: "I was charged twice.",
      questions: {
        refund: { type: "boolean", instructions: "Money back?" },
        anger: { type: "score", criteria: ["calm", "annoyed", "furious"] },
        team: { type: "choice", criteria: { billing: "charges and invoices", shipping: null, other: null } },
      },
    });
    expect(answers).toMatchObject({
      refund: { type: "boolean", probability: near(0.9) },
      anger: { type: "score", score: near(1) },
      team: { type: "choice", choice: "billing", probabilities: { billing: near(0.7) } },
    });
  });

  it("calls with the key that it was made with", async () => {
    const failed = generateText({ model: tollgate(engine, { key: "sk-tg-nobody" })("a/talker"), prompt: "Hello" });
    await expect(failed).rejects.toMatchObject({ code: "virtual_key_not_found" });
    expect(() => tollgate(engine).imageModel("a/talker")).toThrow(/makes no images/);
  });
});

it("a reranking model of the AI SDK is a provider, too; one of an older specification is refused by its name", async () => {
  const sdk = { rerankingModel: (model: string) => tollgate(engine).rerankingModel(`a/${model}`) };
  const old = { languageModel: () => ({ specificationVersion: "v2" }) as never };
  const around = createEngine({ providers: [fromAiSdk("sdk", sdk), fromAiSdk("old", old)], prices });
  const documents = [{ text: "a long document" }, { text: "short" }];
  const { results } = await around.rerank({ model: "sdk/talker", query: "q", documents, return_documents: true });
  expect(results).toMatchObject([{ index: 1, document: { text: "short" } }, { index: 0 }]);
  const failed = around.chat({ model: "old/talker", messages: [{ role: "user", content: "Hello" }] });
  await expect(failed).rejects.toMatchObject({ code: "invalid_configuration" });
  await around.close();
});
