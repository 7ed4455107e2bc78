import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { citySchema, modelsOfOthers, pixel, startVendors, type Vendors, wayNames, weatherSchema } from "./vendors.ts";

/** The newest official `openai` SDK against `/openai/v1`, whose answers have the vendor's own names; providers are other vendors. */
let vendors: Vendors;

beforeAll(async () => {
  vendors = await startVendors();
});

afterAll(() => vendors.stop());

const clientOf = (way: (typeof wayNames)[number]) => {
  const { baseUrl, fetch } = vendors.ways[way];
  return new OpenAI({ apiKey: "unused", baseURL: `${baseUrl}/openai/v1`, fetch, maxRetries: 0 });
};
const user = (content: string) => [{ role: "user" as const, content }];
const tools = [{ type: "function" as const, function: { name: "weather", parameters: weatherSchema } }];

describe.each(wayNames)("the openai SDK over %s and /openai/v1", (way) => {
  describe.each(modelsOfOthers("openai"))("%s", (model) => {
    it("a whole answer holds what the SDK types, and nothing of the gateway's own", async () => {
      const answer = await clientOf(way).chat.completions.create({ model, messages: user("Hello") });
      expect(answer.choices).toEqual([
        {
          index: 0,
          finish_reason: "stop",
          logprobs: null,
          message: { role: "assistant", content: "Hello to you, too.", refusal: null },
        },
      ]);
      expect(answer.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 });
      expect(answer).not.toHaveProperty("extra_fields");
      expect(answer.usage).not.toHaveProperty("cost");
    });
    it("a stream, its tools through the SDK's own accumulator", async () => {
      const messages = user("weather in Rome and Oslo");
      const answer = await clientOf(way).chat.completions.stream({ model, messages, tools }).finalChatCompletion();
      const calls = answer.choices[0]?.message.tool_calls ?? [];
      expect(calls.map((call) => call.type === "function" && JSON.parse(call.function.arguments))).toEqual([
        { city: "Rome" },
        { city: "Oslo" },
      ]);
      expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
    });
    it("an image reaches the other vendor", async () => {
      const content = [
        { type: "image_url" as const, image_url: { url: `data:image/png;base64,${pixel}` } },
        { type: "text" as const, text: "what is in the picture" },
      ];
      const answer = await clientOf(way).chat.completions.create({ model, messages: [{ role: "user", content }] });
      expect(answer.choices[0]?.message.content).toBe("One pixel.");
      expect(await vendors.hasSeenPixel()).toBe(true);
    });
    it("parallel tools, whole, and their results", async () => {
      const messages = user("weather in Rome and Oslo");
      const { choices } = await clientOf(way).chat.completions.create({ model, messages, tools });
      const [choice] = choices;
      const calls = choice?.message.tool_calls ?? [];
      expect(choice?.finish_reason).toBe("tool_calls");
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      const results = calls.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: "21 degrees" }));
      const history = [...messages, choice?.message as OpenAI.ChatCompletionMessage, ...results, ...user("Hello")];
      const answer = await clientOf(way).chat.completions.create({ model, messages: history, tools });
      expect(answer.choices[0]?.message.content).toBe("Hello to you, too.");
    });
    it("structured output", async () => {
      const answer = await clientOf(way).chat.completions.parse({
        model,
        messages: user("Rome as JSON"),
        response_format: { type: "json_schema", json_schema: { name: "city", strict: true, schema: citySchema } },
      });
      expect(answer.choices[0]?.message.parsed).toEqual({ city: "Rome", degrees: 21 });
    });
    it("errors are the SDK's own types, with the vendor's words", async () => {
      const limited = await clientOf(way)
        .chat.completions.create({ model, messages: user("too many") })
        .catch((thrown) => thrown);
      expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
      expect(limited.message).toContain("Slow down, please");
    });
    it("a stream that breaks is an error, not an end", async () => {
      const stream = await clientOf(way).chat.completions.create({ model, messages: user("break off"), stream: true });
      const read = async () => {
        for await (const _chunk of stream);
      };
      await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
    });
  });
  it("embeddings and models", async () => {
    const answer = await clientOf(way).embeddings.create({ model: "openai/text-embedding-3-small", input: "embed me" });
    expect(answer.data[0]?.embedding).toEqual([0.25, -0.5, 0.125]);
    const ids: string[] = [];
    for await (const { id, object } of clientOf(way).models.list()) if (object === "model") ids.push(id);
    const [first = ""] = ids;
    expect((await clientOf(way).models.retrieve(first)).id).toBe(first);
  });
  it("what the SDK calls in_memory is understood", async () => {
    const answer = await clientOf(way).chat.completions.create({
      model: "openai/gpt-4o",
      messages: user("Hello"),
      prompt_cache_retention: "in_memory",
    });
    expect(answer.choices[0]?.message.content).toBe("Hello to you, too.");
  });
});
