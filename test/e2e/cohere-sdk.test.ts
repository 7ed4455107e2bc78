import { LLMock } from "@copilotkit/aimock";
import { type Cohere, CohereClientV2, CohereError } from "cohere-ai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { custom } from "../../adapters/providers/compatible/index.ts";
import { local } from "../../adapters/providers/local/index.ts";
import { citySchema, modelsOfOthers, pixel, startVendors, type Vendors, wayNames, weatherSchema } from "./vendors.ts";

/** The newest official `cohere-ai` SDK against the gateway, whose providers are other vendors. */
let vendors: Vendors;
/** Ranks of a server that one runs oneself; the mock of the vendors, which has a process of its own, is told of none. */
const ranks = new LLMock({ port: 0 });

beforeAll(async () => {
  ranks.onRerank("capital", [
    { index: 0, relevance_score: 0.25 },
    { index: 1, relevance_score: 0.75 },
    { index: 2, relevance_score: 0.5 },
  ]);
  await ranks.start();
  vendors = await startVendors([local(), custom("lab", { baseUrl: `${ranks.url}/v2` })]);
});

afterAll(async () => {
  await vendors.stop();
  await ranks.stop();
});

const clientOf = (way: (typeof wayNames)[number]) => {
  const { baseUrl, fetch } = vendors.ways[way];
  return new CohereClientV2({ token: "unused", baseUrl: `${baseUrl}/cohere`, fetch, maxRetries: 0 });
};
const user = (content: Cohere.UserMessageV2["content"]) => [{ role: "user" as const, content }];
const tools = [{ type: "function" as const, function: { name: "weather", parameters: weatherSchema } }];
const textOf = ({ message }: Cohere.V2ChatResponse) =>
  (message.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
const argumentsOf = (calls: Cohere.ToolCallV2[] = []) =>
  calls.map(({ function: called }) => JSON.parse(called?.arguments ?? ""));

/** A stream as an application gathers it. */
const nothing = () => ({ text: "", calls: [] as string[], finish: "", error: "", usage: {} as Cohere.Usage });

async function gather(stream: AsyncIterable<Cohere.V2ChatStreamResponse>, gathered = nothing()) {
  for await (const event of stream) {
    if (event.type === "content-delta") gathered.text += event.delta?.message?.content?.text ?? "";
    if (event.type === "tool-call-start")
      gathered.calls.push(event.delta?.message?.toolCalls?.function?.arguments ?? "");
    if (event.type === "tool-call-delta") {
      gathered.calls[event.index ?? 0] += event.delta?.message?.toolCalls?.function?.arguments ?? "";
    }
    if (event.type === "message-end") {
      gathered.finish = event.delta?.finishReason ?? "";
      gathered.error = event.delta?.error ?? "";
      gathered.usage = event.delta?.usage ?? {};
    }
  }
  return gathered;
}

describe.each(wayNames)("the Cohere SDK over %s", (way) => {
  describe.each(modelsOfOthers("cohere"))("%s", (model) => {
    it("text and usage", async () => {
      const answer = await clientOf(way).chat({ model, messages: user("Hello") });
      expect(textOf(answer)).toBe("Hello to you, too.");
      expect(answer.finishReason).toBe("COMPLETE");
      expect(answer.usage?.tokens).toEqual({ inputTokens: 11, outputTokens: 5 });
    });
    it("a stream", async () => {
      const gathered = await gather(await clientOf(way).chatStream({ model, messages: user("Hello") }));
      expect(gathered).toMatchObject({ text: "Hello to you, too.", finish: "COMPLETE" });
      expect(gathered.usage.tokens).toEqual({ inputTokens: 11, outputTokens: 5 });
    });
    it("parallel tools, whole, and their results", async () => {
      const messages = user("weather in Rome and Oslo");
      const answer = await clientOf(way).chat({ model, messages, tools });
      expect(answer.finishReason).toBe("TOOL_CALL");
      const calls = answer.message.toolCalls ?? [];
      expect(argumentsOf(calls)).toEqual([{ city: "Rome" }, { city: "Oslo" }]);
      const results = calls.map(({ id }) => ({ role: "tool" as const, toolCallId: id, content: "21 degrees" }));
      const history = [...messages, { role: "assistant" as const, toolCalls: calls }, ...results];
      expect(textOf(await clientOf(way).chat({ model, messages: history, tools }))).toBe("Rome is warm, Oslo is cold.");
    });
    it("parallel tools, streamed", async () => {
      const stream = await clientOf(way).chatStream({ model, messages: user("weather in Rome and Oslo"), tools });
      const { calls, finish } = await gather(stream);
      expect(calls.map((text) => JSON.parse(text))).toEqual([{ city: "Rome" }, { city: "Oslo" }]);
      expect(finish).toBe("TOOL_CALL");
    });
    it("an image reaches the other vendor", async () => {
      const url = `data:image/png;base64,${pixel}`;
      const content = [
        { type: "image_url" as const, imageUrl: { url } },
        { type: "text" as const, text: "what is in the picture" },
      ];
      expect(textOf(await clientOf(way).chat({ model, messages: user(content) }))).toBe("One pixel.");
      expect(await vendors.hasSeenPixel()).toBe(true);
    });
    it("structured output", async () => {
      const responseFormat = { type: "json_object" as const, jsonSchema: citySchema };
      const answer = await clientOf(way).chat({ model, messages: user("Rome as JSON"), responseFormat });
      expect(JSON.parse(textOf(answer))).toEqual({ city: "Rome", degrees: 21 });
    });
    it("a cut-off answer says so", async () => {
      const answer = await clientOf(way).chat({ model, messages: user("at length") });
      expect(answer.finishReason).toBe("MAX_TOKENS");
    });
    it("a stream that breaks ends in the vendor's error", async () => {
      const gathered = nothing();
      const stream = await clientOf(way).chatStream({ model, messages: user("break off") });
      await expect(gather(stream, gathered)).rejects.toThrow(); // the body ends abnormally behind the error
      expect(gathered.text).toMatch(/^one two/);
      expect(gathered.finish).toBe("ERROR");
      expect(gathered.error).not.toBe("");
    });
    it("errors are the SDK's own types, with the vendor's words", async () => {
      const limited = await clientOf(way)
        .chat({ model, messages: user("too many") })
        .catch((thrown) => thrown);
      expect(limited).toBeInstanceOf(CohereError);
      expect(limited).toMatchObject({ statusCode: 429, body: { message: "Slow down, please" } });
      expect((limited as Error).name).toBe("TooManyRequestsError");
    });
  });

  it("reasoning of another vendor comes back signed, through the SDK's own types", async () => {
    const request = { model: "anthropic/claude-sonnet-4-5", maxTokens: 4_000 };
    const thinking = { type: "enabled" as const, tokenBudget: 2_000 };
    const answer = await clientOf(way).chat({ ...request, thinking, messages: user("think first") });
    expect(answer.message.content?.[0]).toMatchObject({ type: "thinking", thinking: "Six times seven." });
    const content = answer.message.content as Cohere.AssistantMessageV2Content;
    const messages = [...user("think first"), { role: "assistant" as const, content }, ...user("think again")];
    expect(textOf(await clientOf(way).chat({ ...request, thinking, messages }))).toBe("Still 42.");
  });
  it("a bound that is passed names the vendor's own field", async () => {
    const call = clientOf(way).chat({ model: "openai/gpt-4o", messages: user("Hello"), p: 2 });
    await expect(call).rejects.toMatchObject({ statusCode: 400, body: { code: "invalid_request", param: "p" } });
  });
  it.each([
    ["openai/text-embedding-3-small", ["embed me", "embed me too"]],
    ["gemini/gemini-embedding-001", ["embed me"]], // the mock has no batches of this vendor
  ])("embeddings of %s, as numbers and as base64", async (model, texts) => {
    const answer = await clientOf(way).embed({
      model,
      texts,
      inputType: "search_document",
      embeddingTypes: ["float", "base64"],
    });
    const vector = [0.25, -0.5, 0.125];
    expect(answer.embeddings.float).toEqual(texts.map(() => vector));
    const [first = ""] = answer.embeddings.base64 ?? [];
    const bytes = Buffer.from(first, "base64");
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual(vector);
    expect(answer.texts).toEqual(texts);
  });
  it.each([
    ["local/bm25", [1, 2]],
    ["lab/any", [1, 2]],
  ])("ranks of %s", async (model, order) => {
    const documents = ["bread and butter", "Paris is the capital of France", "a history of France"];
    const query = "capital of France";
    const answer = await clientOf(way).rerank({ model, query, documents, topN: 2 });
    expect(answer.results.map(({ index }) => index)).toEqual(order);
    const [best = 0, next = 0] = answer.results.map(({ relevanceScore }) => relevanceScore);
    expect(best).toBeGreaterThan(next);
    expect(answer.meta?.apiVersion?.version).toBe("2");
  });
  it("ranks with the units that a vendor charges for", async () => {
    const answer = await clientOf(way).rerank({ model: "lab/any", query: "the capital", documents: ["a", "b", "c"] });
    expect(answer.meta?.billedUnits?.searchUnits).toBe(0);
  });
  it("a refused rerank is the SDK's own error, naming the vendor's field", async () => {
    const asked = clientOf(way).rerank({ model: "local/bm25", query: "", documents: ["a"] });
    await expect(asked).rejects.toMatchObject({ statusCode: 400, body: { param: "query" } });
    const unknown = clientOf(way).rerank({ model: "local/none", query: "q", documents: ["a"] });
    await expect(unknown).rejects.toMatchObject({ statusCode: 404, name: "NotFoundError" });
  });
  it("an abort ends the stream and the provider's call", async () => {
    const settled = new Promise((resolve) => vendors.engine.on("settled", resolve));
    const controller = new AbortController();
    const stream = await clientOf(way).chatStream(
      { model: "openai/gpt-4o", messages: user("slowly") },
      { abortSignal: controller.signal },
    );
    const read = async () => {
      for await (const _event of stream) controller.abort();
    };
    await expect(read()).rejects.toThrow();
    expect(await settled).toMatchObject({ status: 499, reason: "request_cancelled" });
  });
});
