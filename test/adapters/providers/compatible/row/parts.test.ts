import { describe, expect, it } from "vitest";
import { cohere } from "../../../../../adapters/providers/cohere/index.ts";
import {
  type CompatibleName,
  compatible,
  compatibleProviders,
} from "../../../../../adapters/providers/compatible/index.ts";
import type { CompatibleRow } from "../../../../../adapters/providers/compatible/row.ts";
import { gemini } from "../../../../../adapters/providers/gemini/index.ts";
import { openai } from "../../../../../adapters/providers/openai.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import type { WireRequest } from "../../../../../src/engine/ports/transport.ts";
import { recordedCall } from "../../../../fixtures/native.ts";

/** A vendor that embeds whatever list of texts it finds in a body, in the form of each, and ranks by the number in the text. */
function vendor() {
  const sizes: number[] = [];
  const whole = async ({ body }: WireRequest) => {
    const asked = JSON.parse(String(body));
    const texts: string[] = asked.texts ?? asked.requests ?? asked.documents ?? asked.input ?? [asked];
    sizes.push(texts.length);
    const vectors = texts.map((text) => [JSON.stringify(text).length]);
    const data = vectors.map((embedding, index) => ({ object: "embedding", index, embedding }));
    const results = texts.map((text, index) => ({ index, score: Number(/\d+/.exec(JSON.stringify(text))?.[0]) }));
    const used = { prompt_tokens: texts.length, total_tokens: texts.length, promptTokenCount: texts.length };
    const meta = { billed_units: { input_tokens: texts.length } };
    const embeddings = asked.requests || asked.content ? vectors.map((values) => ({ values })) : { float: vectors };
    const answer = asked.query
      ? { results, usage: used }
      : { data, embeddings, usage: used, usageMetadata: used, meta };
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(answer) };
  };
  const transport = { whole, stream: async () => Promise.reject(new Error("no stream")), close: async () => {} };
  return { sizes, transport };
}

type Vendor = ReturnType<typeof vendor>["transport"];
const row = (name: CompatibleName) => (transport: Vendor) =>
  compatible(name, { apiKey: "sk-123456", baseUrl: "https://a.test/v1", transport });

async function embed(make: (transport: Vendor) => Provider, input: string[]) {
  const { sizes, transport } = vendor();
  const request = { model: "x/m", input, input_type: "query" };
  const answer = await make(transport).embed?.(request, recordedCall("m"));
  return { sizes, answer };
}

describe("embeddings of more inputs than a vendor takes", () => {
  it.each([
    ["openai", (transport: Vendor) => openai({ apiKey: "k", transport }), 2048],
    ["gemini", (transport: Vendor) => gemini({ apiKey: "k", transport }), 100],
    ["cohere", (transport: Vendor) => cohere({ apiKey: "k", transport }), 96],
    ["azure", row("azure"), 2048],
    ["mistral", row("mistral"), 512],
    ["deepinfra", row("deepinfra"), 1024],
    ["voyage", row("voyage"), 1000],
    ["jina", row("jina"), 512],
    ["tei", row("tei"), 32],
  ] as const)("are asked of %s in parts and come back in order", async (_name, make, most) => {
    const input = Array.from({ length: 2 * most + 1 }, (_, at) => "x".repeat(at % 7));
    const { sizes, answer } = await embed(make, input);
    expect([...sizes].sort((a, b) => b - a)).toEqual([most, most, 1]);
    expect(answer?.data.map(({ index }) => index)).toEqual(input.map((_, at) => at));
    const lengths = answer?.data.map(({ embedding }) => (embedding as number[])[0]) ?? [];
    const [shortest = 0] = lengths;
    expect(lengths.map((length = 0) => length - shortest)).toEqual(input.map((text) => text.length));
    expect(answer?.usage?.prompt_tokens).toBe(input.length);
  });

  it.each([
    ["openai", (transport: Vendor) => openai({ apiKey: "k", transport }), 300_000],
    ["mistral", row("mistral"), 16_000],
    ["voyage", row("voyage"), 120_000],
  ] as const)("of more tokens than %s takes, too", async (_name, make, most) => {
    const { sizes } = await embed(make, ["a".repeat(most / 2), "b".repeat(most / 2), "c"]);
    expect([...sizes].sort()).toEqual([1, 2]);
  });
});

describe("documents", () => {
  const ranking = (Object.keys(compatibleProviders) as CompatibleName[]).flatMap((name) => {
    const { dialect }: CompatibleRow = compatibleProviders[name];
    return dialect.rerank ? [[name, dialect.rerank.mostDocuments] as const] : [];
  });

  it.each(ranking)("of which there are many are ranked by %s, %s at a time", async (name, most = Infinity) => {
    const { sizes, transport } = vendor();
    const documents = Array.from({ length: 70 }, (_, at) => ({ text: `number ${(at * 37) % 70}` }));
    const request = { model: "x/m", query: "q", documents, top_n: 3, return_documents: true };
    const answer = await row(name)(transport).rerank?.(request, recordedCall("m"));
    expect(answer?.results.map(({ document }) => document?.text)).toEqual(["number 69", "number 68", "number 67"]);
    expect(sizes).toHaveLength(Math.ceil(70 / Math.min(most, 70)));
    expect(answer?.usage?.prompt_tokens).toBe(70);
  });

  it("are ranked by every vendor that is said to rank", () => {
    expect(ranking.map(([name]) => name)).toEqual([
      "openrouter",
      "together",
      "fireworks",
      "siliconflow",
      "litellm",
      "vllm",
      "sglang",
      "llamacpp",
      "voyage",
      "jina",
      "tei",
    ]);
  });
});
