import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cohere } from "../../adapters/providers/cohere/index.ts";
import { custom } from "../../adapters/providers/compatible/index.ts";
import type { Provider } from "../../src/engine/ports/provider.ts";
import { recordedCall } from "../fixtures/native.ts";
import { type Aimock, aimockRules, startAimock } from "./aimock.ts";

let mock: Aimock;
let provider: Provider;

beforeAll(async () => {
  mock = await startAimock();
  provider = cohere({ apiKey: "co-mock-123456", baseUrl: mock.url });
});

afterAll(async () => {
  await provider.close?.();
  await mock.stop();
});

describe("cohere against an independent mock in a process of its own", () => {
  aimockRules({ provider: () => provider, model: "command-a-03-2025", mixesThoughts: true });
});

it("cohere embeds, as numbers and as base64, in parts where there are many texts", async () => {
  const embed = (fields: object) =>
    provider.embed?.(
      { model: "cohere/e", input: "embed this", input_type: "clustering", ...fields },
      recordedCall("e"),
    );
  expect((await embed({}))?.data[0]?.embedding).toEqual([0.25, -0.5, 0.125]);
  expect((await embed({ encoding_format: "base64" }))?.data[0]?.embedding).toBe("AACAPgAAAL8AAAA+");
  const many = await embed({ input: Array.from({ length: 300 }, () => "embed this") });
  expect(many?.data.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, at) => at));
});

describe("ranks of the mock", () => {
  const ranks = new LLMock({ port: 0 });

  beforeAll(async () => {
    ranks.onRerank("capital", [
      { index: 0, relevance_score: 0.25 },
      { index: 2, relevance_score: 0.75 },
      { index: 1, relevance_score: 0.5 },
    ]);
    await ranks.start();
  });
  afterAll(() => ranks.stop());

  it.each([
    ["cohere", () => cohere({ apiKey: "co-mock-123456", baseUrl: ranks.url })],
    ["any server with a /rerank", () => custom("mine", { baseUrl: `${ranks.url}/v2` })],
  ])("are read from %s, the best first", async (_name, make) => {
    const ranker = make();
    const documents = ["a", "b", "c"].map((text) => ({ text }));
    const request = { model: "x/r", query: "the capital", documents, top_n: 2, return_documents: true };
    const answer = await ranker.rerank?.(request, recordedCall("r"));
    expect(answer?.results).toEqual([
      { index: 2, relevance_score: 0.75, document: { text: "c" } },
      { index: 1, relevance_score: 0.5, document: { text: "b" } },
    ]);
    expect(answer?.usage).toMatchObject({ total_tokens: 0, search_units: 0 });
    await ranker.close?.();
  });
});
