import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { citySchema, modelsOfOthers, pixel, startVendors, type Vendors, wayNames, weatherSchema } from "./vendors.ts";

/** The Responses API of the newest official `openai` SDK against the gateway, whose providers are other vendors. */
let vendors: Vendors;

beforeAll(async () => {
  vendors = await startVendors();
});

afterAll(() => vendors.stop());

const clientOf = (way: (typeof wayNames)[number], base = "/v1") => {
  const { baseUrl, fetch } = vendors.ways[way];
  return new OpenAI({ apiKey: "unused", baseURL: `${baseUrl}${base}`, fetch, maxRetries: 0 });
};
const tools = [{ type: "function" as const, name: "weather", parameters: weatherSchema, strict: false }];
const callsOf = ({ output }: OpenAI.Responses.Response) =>
  output.flatMap((item) => (item.type === "function_call" ? [item] : []));

describe.each(wayNames)("the Responses API of the openai SDK over %s", (way) => {
  describe.each(modelsOfOthers("openai"))("%s", (model) => {
    it("text and usage, in both places", async () => {
      for (const base of ["/v1", "/openai/v1"]) {
        const answer = await clientOf(way, base).responses.create({ model, input: "Hello", instructions: "Be kind." });
        expect(answer.output_text).toBe("Hello to you, too.");
        expect(answer).toMatchObject({
          object: "response",
          status: "completed",
          instructions: "Be kind.",
          error: null,
        });
        expect(answer.usage).toMatchObject({ input_tokens: 11, output_tokens: 5, total_tokens: 16 });
      }
    });
    it("a stream through the SDK's own accumulator, event by event", async () => {
      const stream = clientOf(way).responses.stream({ model, input: "Hello" });
      const types: string[] = [];
      let text = "";
      for await (const event of stream) {
        types.push(event.type);
        if (event.type === "response.output_text.delta") text += event.delta;
      }
      const answer = await stream.finalResponse();
      expect(text).toBe("Hello to you, too.");
      expect(answer.output_text).toBe("Hello to you, too.");
      expect(answer.usage).toMatchObject({ input_tokens: 11, output_tokens: 5 });
      expect([...new Set(types)]).toEqual([
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
      ]);
    });
    it("parallel functions, whole, and their results", async () => {
      const question = { role: "user" as const, content: "weather in Rome and Oslo" };
      const answer = await clientOf(way).responses.create({ model, input: [question], tools });
      const calls = callsOf(answer);
      expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
        ["weather", { city: "Rome" }],
        ["weather", { city: "Oslo" }],
      ]);
      const results = calls.map(({ call_id }) => ({
        type: "function_call_output" as const,
        call_id,
        output: "21 degrees",
      }));
      const input = [question, ...calls, ...results];
      const last = await clientOf(way).responses.create({ model, input, tools });
      expect(last.output_text).toBe("Rome is warm, Oslo is cold.");
    });
    it("parallel functions, streamed", async () => {
      const stream = clientOf(way).responses.stream({ model, input: "weather in Rome and Oslo", tools });
      const answer = await stream.finalResponse();
      expect(callsOf(answer).map((call) => JSON.parse(call.arguments))).toEqual([{ city: "Rome" }, { city: "Oslo" }]);
    });
    it("an image reaches the other vendor", async () => {
      const content = [
        { type: "input_image" as const, image_url: `data:image/png;base64,${pixel}`, detail: "auto" as const },
        { type: "input_text" as const, text: "what is in the picture" },
      ];
      const answer = await clientOf(way).responses.create({ model, input: [{ role: "user", content }] });
      expect(answer.output_text).toBe("One pixel.");
      expect(await vendors.hasSeenPixel()).toBe(true);
    });
    it("structured output", async () => {
      const text = { format: { type: "json_schema" as const, name: "city", strict: true, schema: citySchema } };
      const answer = await clientOf(way).responses.parse({ model, input: "Rome as JSON", text });
      expect(answer.output_parsed).toEqual({ city: "Rome", degrees: 21 });
    });
    it("a cut-off answer is incomplete, streamed too", async () => {
      const whole = await clientOf(way).responses.create({ model, input: "at length" });
      const streamed = await clientOf(way).responses.stream({ model, input: "at length" }).finalResponse();
      for (const answer of [whole, streamed]) {
        expect(answer).toMatchObject({
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
          output_text: "This was going to be",
        });
      }
    });
    it("a stream that breaks is an error, not an end", async () => {
      const stream = await clientOf(way).responses.create({ model, input: "break off", stream: true });
      let text = "";
      const read = async () => {
        for await (const event of stream) if (event.type === "response.output_text.delta") text += event.delta;
      };
      await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
      expect(text).toMatch(/^one two/);
    });
    it("errors are the SDK's own types, with the vendor's words", async () => {
      const limited = await clientOf(way)
        .responses.create({ model, input: "too many" })
        .catch((thrown) => thrown);
      expect(limited).toBeInstanceOf(OpenAI.RateLimitError);
      expect(limited.message).toContain("Slow down, please");
    });
  });

  it("signed reasoning of another vendor goes to the client and back", async () => {
    const request = { model: "anthropic/claude-sonnet-4-5", reasoning: { effort: "medium" as const } };
    const question = { role: "user" as const, content: "think first" };
    const whole = await clientOf(way).responses.create({ ...request, input: [question] });
    const streamed = await clientOf(way)
      .responses.stream({ ...request, input: [question] })
      .finalResponse();
    for (const { output } of [whole, streamed]) {
      expect(output[0]).toMatchObject({
        type: "reasoning",
        content: [{ type: "reasoning_text", text: "Six times seven." }],
      });
      const input = [
        question,
        ...(output as OpenAI.Responses.ResponseInput),
        { role: "user" as const, content: "think again" },
      ];
      expect((await clientOf(way).responses.create({ ...request, input })).output_text).toBe("Still 42.");
    }
  });
  it("what would need something stored is refused in plain words", async () => {
    const { responses } = clientOf(way);
    const model = "anthropic/claude-sonnet-4-5";
    const refused = { status: 400, code: "unsupported_operation" };
    await expect(responses.create({ model, input: "Hello", previous_response_id: "resp_1" })).rejects.toMatchObject({
      ...refused,
      param: "previous_response_id",
    });
    const unknown = { status: 404, code: "not_found" };
    await expect(responses.retrieve("resp_1")).rejects.toMatchObject(unknown);
    await expect(responses.cancel("resp_1")).rejects.toMatchObject(unknown);
    await expect(responses.delete("resp_1")).rejects.toMatchObject(unknown);
    const { data: answer, response } = await responses.create({ model, input: "Hello", store: true }).withResponse();
    expect(answer.output_text).toBe("Hello to you, too.");
    expect(response.headers.get("x-tg-warnings")).toContain("`store`");
  });
  it("a bound that is passed names the vendor's own field", async () => {
    const call = clientOf(way).responses.create({ model: "openai/gpt-4o", input: "Hello", max_output_tokens: 0 });
    await expect(call).rejects.toMatchObject({ status: 400, param: "max_output_tokens" });
  });
});
