import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { citySchema, modelsOfOthers, pixel, startVendors, type Vendors, wayNames, weatherSchema } from "./vendors.ts";

/** The newest official `@anthropic-ai/sdk` against the gateway, whose providers are other vendors. */
let vendors: Vendors;

beforeAll(async () => {
  vendors = await startVendors();
});

afterAll(() => vendors.stop());

const clientOf = (way: (typeof wayNames)[number]) => {
  const { baseUrl, fetch } = vendors.ways[way];
  return new Anthropic({ apiKey: "unused", baseURL: `${baseUrl}/anthropic`, fetch, maxRetries: 0 });
};
const asked = (model: string, content: Anthropic.MessageParam["content"]) => ({
  model,
  max_tokens: 1_000,
  messages: [{ role: "user" as const, content }],
});
const tools = [{ name: "weather", description: "Weather of a city", input_schema: weatherSchema }];
const textOf = (message: Anthropic.Message) =>
  message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
const callsOf = (message: Anthropic.Message) =>
  message.content.flatMap((block) => (block.type === "tool_use" ? [block] : []));

describe.each(wayNames)("the Anthropic SDK over %s", (way) => {
  describe.each(modelsOfOthers("anthropic"))("%s", (model) => {
    it("text and usage", async () => {
      const message = await clientOf(way).messages.create(asked(model, "Hello"));
      expect(textOf(message)).toBe("Hello to you, too.");
      expect(message).toMatchObject({ type: "message", role: "assistant", stop_reason: "end_turn" });
      expect(message.usage).toMatchObject({ input_tokens: 11, output_tokens: 5 });
    });
    it("a stream through the SDK's own accumulator", async () => {
      const stream = clientOf(way).messages.stream(asked(model, "Hello"));
      let text = "";
      for await (const event of stream) {
        if (event.type === "content_block_delta" && event.delta.type === "text_delta") text += event.delta.text;
      }
      expect(text).toBe("Hello to you, too.");
      const message = await stream.finalMessage();
      expect(textOf(message)).toBe("Hello to you, too.");
      expect(message.stop_reason).toBe("end_turn");
      expect(message.usage).toMatchObject({ input_tokens: 11, output_tokens: 5 });
    });
    it("parallel tools, whole, and their results", async () => {
      const request = { ...asked(model, "weather in Rome and Oslo"), tools };
      const message = await clientOf(way).messages.create(request);
      expect(message.stop_reason).toBe("tool_use");
      const calls = callsOf(message);
      expect(calls.map(({ name, input }) => ({ name, input }))).toEqual([
        { name: "weather", input: { city: "Rome" } },
        { name: "weather", input: { city: "Oslo" } },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
      const results = calls.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: "21 degrees" }));
      const history = [
        ...request.messages,
        { role: "assistant" as const, content: message.content },
        { role: "user" as const, content: results },
      ];
      const answer = await clientOf(way).messages.create({ ...request, messages: history });
      expect(textOf(answer)).toBe("Rome is warm, Oslo is cold.");
    });
    it("parallel tools, streamed", async () => {
      const stream = clientOf(way).messages.stream({ ...asked(model, "weather in Rome and Oslo"), tools });
      const message = await stream.finalMessage();
      expect(message.stop_reason).toBe("tool_use");
      expect(callsOf(message).map(({ input }) => input)).toEqual([{ city: "Rome" }, { city: "Oslo" }]);
    });
    it("an image reaches the other vendor", async () => {
      const source = { type: "base64" as const, media_type: "image/png" as const, data: pixel };
      const content = [
        { type: "image" as const, source },
        { type: "text" as const, text: "what is in the picture" },
      ];
      const message = await clientOf(way).messages.create(asked(model, content));
      expect(textOf(message)).toBe("One pixel.");
      expect(await vendors.hasSeenPixel()).toBe(true);
    });
    it("structured output", async () => {
      const output_config = { format: { type: "json_schema" as const, schema: citySchema } };
      const message = await clientOf(way).messages.create({ ...asked(model, "Rome as JSON"), output_config });
      expect(JSON.parse(textOf(message))).toEqual({ city: "Rome", degrees: 21 });
    });
    it("a cut-off answer says so", async () => {
      const message = await clientOf(way).messages.create(asked(model, "at length"));
      expect(message.stop_reason).toBe("max_tokens");
    });
    it("a stream that breaks is an error, not an end", async () => {
      const stream = clientOf(way).messages.stream(asked(model, "break off"));
      let text = "";
      stream.on("text", (piece) => {
        text += piece;
      });
      const error = await stream.finalMessage().catch((thrown) => thrown);
      expect(text).toMatch(/^one two/);
      expect(error).toBeInstanceOf(Anthropic.APIError);
      expect(error.type).toBe("api_error");
    });
    it("errors are the SDK's own types, with the vendor's words", async () => {
      const limited = await clientOf(way)
        .messages.create(asked(model, "too many"))
        .catch((thrown) => thrown);
      expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
      expect(limited).toMatchObject({ status: 429, type: "rate_limit_error", apiMessage: "Slow down, please" });
      const invalid = await clientOf(way)
        .messages.create(asked(model, "not valid"))
        .catch((thrown) => thrown);
      expect(invalid).toBeInstanceOf(Anthropic.BadRequestError);
      expect(invalid).toMatchObject({ status: 400, type: "invalid_request_error", apiMessage: "Bad parameter" });
    });
  });

  it("reasoning with its signature goes to the client and back to its vendor byte for byte", async () => {
    const model = "anthropic/claude-sonnet-4-5";
    const request = { ...asked(model, "think first"), max_tokens: 4_000 };
    const thinking = { type: "enabled" as const, budget_tokens: 2_000 };
    const whole = await clientOf(way).messages.create({ ...request, thinking });
    const streamed = await clientOf(way)
      .messages.stream({ ...request, thinking })
      .finalMessage();
    const signature = "c2lnbmF0dXJlIG9mIGEgdGhvdWdodA==";
    for (const message of [whole, streamed]) {
      expect(message.content[0]).toEqual({ type: "thinking", thinking: "Six times seven.", signature });
      const messages = [
        ...request.messages,
        { role: "assistant" as const, content: message.content },
        { role: "user" as const, content: "think again" },
      ];
      const again = clientOf(way).messages.create({ ...request, thinking, messages });
      const { data: answer, response } = await again.withResponse();
      expect(textOf(answer)).toBe("Still 42.");
      expect(response.headers.get("x-tg-warnings") ?? "").not.toContain("reasoning");
    }
  });
  it("fields that the gateway cannot use are named in a header", async () => {
    const request = { ...asked("openai/gpt-4o", "Hello"), container: "container_1" };
    const { response } = await clientOf(way).messages.create(request).withResponse();
    expect(JSON.parse(response.headers.get("x-tg-warnings") ?? "[]")).toContain(
      "`container` has no counterpart and is left out",
    );
  });
  it("a bound that is passed names the vendor's own field", async () => {
    const call = clientOf(way).messages.create({ ...asked("openai/gpt-4o", "Hello"), max_tokens: 0 });
    const error = await call.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({ errorCode: "invalid_request", details: { param: "max_tokens" } });
    expect(error.requestID).toMatch(/^evt_/);
  });
  it("models, page by page", async () => {
    const ids: string[] = [];
    for await (const model of clientOf(way).models.list({ limit: 2 })) ids.push(model.id);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids).toEqual([...new Set(ids)].sort());
    const [first = ""] = ids;
    expect((await clientOf(way).models.retrieve(first)).id).toBe(first);
  });
  it("counting tokens", async () => {
    const { messages } = asked("", "Hello");
    const counted = await clientOf(way).messages.countTokens({ model: "openai/gpt-4o", messages });
    expect(counted.input_tokens).toBeGreaterThan(0);
  });
  it("an abort ends the stream and the provider's call", async () => {
    const settled = new Promise((resolve) => vendors.engine.on("settled", resolve));
    const stream = clientOf(way).messages.stream(asked("openai/gpt-4o", "slowly"));
    stream.on("text", () => stream.abort());
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    expect(await settled).toMatchObject({ status: 499, reason: "request_cancelled" });
  });
});
