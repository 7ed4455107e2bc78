import { ApiError, type Content, FunctionCallingConfigMode, GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { citySchema, modelsOfOthers, pixel, startVendors, type Vendors, wayNames, weatherSchema } from "./vendors.ts";

/** The newest official `@google/genai` SDK against the gateway, whose providers are other vendors. */
let vendors: Vendors;

beforeAll(async () => {
  vendors = await startVendors();
});

afterAll(() => vendors.stop());

const clientOf = (way: (typeof wayNames)[number]) => {
  const { baseUrl, fetch } = vendors.ways[way];
  return new GoogleGenAI({ apiKey: "unused", httpOptions: { baseUrl: `${baseUrl}/genai`, fetch } });
};
const tools = [{ functionDeclarations: [{ name: "weather", parametersJsonSchema: weatherSchema }] }];

describe.each(wayNames)("the Google SDK over %s", (way) => {
  describe.each(modelsOfOthers("gemini"))("%s", (model) => {
    it("text and usage", async () => {
      const answer = await clientOf(way).models.generateContent({ model, contents: "Hello" });
      expect(answer.text).toBe("Hello to you, too.");
      expect(answer.candidates?.[0]?.finishReason).toBe("STOP");
      expect(answer.usageMetadata).toMatchObject({
        promptTokenCount: 11,
        candidatesTokenCount: 5,
        totalTokenCount: 16,
      });
    });
    it("a stream", async () => {
      let text = "";
      let last: { usageMetadata?: unknown; candidates?: { finishReason?: unknown }[] } = {};
      for await (const piece of await clientOf(way).models.generateContentStream({ model, contents: "Hello" })) {
        text += piece.text ?? "";
        last = piece;
      }
      expect(text).toBe("Hello to you, too.");
      expect(last.candidates?.[0]?.finishReason).toBe("STOP");
      expect(last.usageMetadata).toMatchObject({ promptTokenCount: 11, candidatesTokenCount: 5 });
    });
    it("parallel functions, whole, and their results", async () => {
      const question: Content = { role: "user", parts: [{ text: "weather in Rome and Oslo" }] };
      const answer = await clientOf(way).models.generateContent({ model, contents: [question], config: { tools } });
      const calls = answer.functionCalls ?? [];
      expect(calls.map(({ name, args }) => ({ name, args }))).toEqual([
        { name: "weather", args: { city: "Rome" } },
        { name: "weather", args: { city: "Oslo" } },
      ]);
      const results = calls.map(({ id = "", name = "" }) => ({
        functionResponse: { id, name, response: { output: "21 degrees" } },
      }));
      const contents = [question, answer.candidates?.[0]?.content as Content, { role: "user", parts: results }];
      const last = await clientOf(way).models.generateContent({ model, contents, config: { tools } });
      expect(last.text).toBe("Rome is warm, Oslo is cold.");
    });
    it("a chat over a stream keeps its history, functions included", async () => {
      const chat = clientOf(way).chats.create({ model, config: { tools } });
      const calls = [];
      for await (const piece of await chat.sendMessageStream({ message: "weather in Rome and Oslo" })) {
        calls.push(...(piece.functionCalls ?? []));
      }
      expect(calls.map(({ args }) => args)).toEqual([{ city: "Rome" }, { city: "Oslo" }]);
      const message = calls.map(({ id = "", name = "" }) => ({
        functionResponse: { id, name, response: { output: "21 degrees" } },
      }));
      const last = await chat.sendMessage({ message });
      expect(last.text).toBe("Rome is warm, Oslo is cold.");
    });
    it("a forced function and the vendor's own form of a schema are understood", async () => {
      const declared = { name: "weather", parameters: { type: "OBJECT", properties: { city: { type: "STRING" } } } };
      const functionCallingConfig = { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ["weather"] };
      const answer = await clientOf(way).models.generateContent({
        model,
        contents: "weather in Rome and Oslo",
        config: { tools: [{ functionDeclarations: [declared as never] }], toolConfig: { functionCallingConfig } },
      });
      expect(answer.functionCalls?.length).toBe(2);
    });
    it("an image reaches the other vendor", async () => {
      const parts = [{ inlineData: { mimeType: "image/png", data: pixel } }, { text: "what is in the picture" }];
      const answer = await clientOf(way).models.generateContent({ model, contents: [{ role: "user", parts }] });
      expect(answer.text).toBe("One pixel.");
      expect(await vendors.hasSeenPixel()).toBe(true);
    });
    it("structured output", async () => {
      const config = { responseMimeType: "application/json", responseJsonSchema: citySchema };
      const answer = await clientOf(way).models.generateContent({ model, contents: "Rome as JSON", config });
      expect(JSON.parse(answer.text ?? "")).toEqual({ city: "Rome", degrees: 21 });
    });
    it("a cut-off answer says so", async () => {
      const answer = await clientOf(way).models.generateContent({ model, contents: "at length" });
      expect(answer.candidates?.[0]?.finishReason).toBe("MAX_TOKENS");
    });
    it("a stream that breaks is an error, not an end", async () => {
      const pieces = await clientOf(way).models.generateContentStream({ model, contents: "break off" });
      let text = "";
      const read = async () => {
        for await (const piece of pieces) text += piece.text ?? "";
      };
      const error = await read().catch((thrown) => thrown);
      expect(text).toMatch(/^one two/);
      expect(error).toBeInstanceOf(ApiError);
      expect(error.status).toBe(502);
    });
    it("errors are the SDK's own type, with the vendor's words", async () => {
      const limited = await clientOf(way)
        .models.generateContent({ model, contents: "too many" })
        .catch((thrown) => thrown);
      expect(limited).toBeInstanceOf(ApiError);
      expect(limited.status).toBe(429);
      expect(JSON.parse(limited.message).error).toMatchObject({
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "Slow down, please",
      });
    });
  });

  it("thoughts of another vendor are shown when asked for, and come back signed", async () => {
    const model = "anthropic/claude-sonnet-4-5";
    const config = { maxOutputTokens: 4_000, thinkingConfig: { includeThoughts: true, thinkingBudget: 2_000 } };
    const question: Content = { role: "user", parts: [{ text: "think first" }] };
    const answer = await clientOf(way).models.generateContent({ model, contents: [question], config });
    const content = answer.candidates?.[0]?.content as Content;
    expect(content.parts?.[0]).toMatchObject({ thought: true, text: "Six times seven." });
    expect(answer.text).toBe("42");
    const contents = [question, content, { role: "user", parts: [{ text: "think again" }] }];
    const last = await clientOf(way).models.generateContent({ model, contents, config });
    expect(last.text).toBe("Still 42.");
  });
  it("a bound that is passed names the vendor's own field", async () => {
    const config = { temperature: 3 };
    const call = clientOf(way).models.generateContent({ model: "openai/gpt-4o", contents: "Hello", config });
    const error = await call.catch((thrown) => thrown);
    expect(error.status).toBe(400);
    const { status, details } = JSON.parse(error.message).error;
    expect(status).toBe("INVALID_ARGUMENT");
    expect(JSON.stringify(details)).toContain('"field":"generationConfig.temperature"');
  });
  it("embeddings", async () => {
    const answer = await clientOf(way).models.embedContent({
      model: "openai/text-embedding-3-small",
      contents: ["embed me", "embed me too"],
    });
    expect(answer.embeddings?.map(({ values }) => values)).toEqual([
      [0.25, -0.5, 0.125],
      [0.25, -0.5, 0.125],
    ]);
  });
  it("counting tokens", async () => {
    const counted = await clientOf(way).models.countTokens({ model: "openai/gpt-4o", contents: "Hello" });
    expect(counted.totalTokens).toBeGreaterThan(0);
  });
  it("models, page by page", async () => {
    const names: string[] = [];
    for await (const { name = "" } of await clientOf(way).models.list({ config: { pageSize: 2 } })) names.push(name);
    expect(names.length).toBeGreaterThan(2);
    expect(names.every((name) => /^models\/(openai|anthropic|gemini)\//.test(name))).toBe(true);
    const [first = ""] = names;
    expect((await clientOf(way).models.get({ model: first })).name).toBe(first);
  });
  it("an abort ends the stream and the provider's call", async () => {
    const settled = new Promise((resolve) => vendors.engine.on("settled", resolve));
    const controller = new AbortController();
    const read = async () => {
      const config = { abortSignal: controller.signal };
      const model = "openai/gpt-4o";
      for await (const _ of await clientOf(way).models.generateContentStream({ model, contents: "slowly", config })) {
        controller.abort();
      }
    };
    await expect(read()).rejects.toThrow();
    expect(await settled).toMatchObject({ status: 499, reason: "request_cancelled" });
  });
});
