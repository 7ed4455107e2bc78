import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { local } from "../../../../../adapters/providers/local/index.ts";
import { countTokens } from "../../../../../adapters/providers/local/words.ts";
import { ChatChunk, ChatRequest, ChatResponse } from "../../../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../../../src/engine/errors.ts";
import { mergeChunks } from "../../../../../src/engine/metering/merge-chunks.ts";
import { answer, call, chat, city, failure, provider, say, stream, tools } from "../../../support/local/asking.ts";

const anyRequest = fc.record(
  {
    model: fc.constant("local/echo"),
    messages: fc.array(
      fc.oneof(
        fc.record({
          role: fc.constantFrom("system" as const, "user" as const, "assistant" as const),
          content: fc.lorem({ maxCount: 6 }),
        }),
        fc.constantFrom(
          { role: "user" as const, content: "call get_weather and get time" },
          { role: "tool" as const, tool_call_id: "call_1", content: "21 degrees" },
          {
            role: "user" as const,
            content: [
              { type: "text" as const, text: "look" },
              { type: "image_url" as const, image_url: { url: "data:," } },
            ],
          },
          {
            role: "assistant" as const,
            tool_calls: [{ id: "call_1", type: "function", function: { name: "reset", arguments: "{}" } }],
          },
        ),
      ),
      { maxLength: 5 },
    ),
    max_completion_tokens: fc.integer({ min: 1, max: 12 }),
    stop: fc.array(fc.constantFrom("or", " ", "echo", "m"), { maxLength: 3 }),
    tools: fc.constant(tools),
    tool_choice: fc.constantFrom("none" as const, "auto" as const),
    parallel_tool_calls: fc.boolean(),
    response_format: fc.constantFrom(
      { type: "text" },
      { type: "json_object" },
      { type: "json_schema", json_schema: { name: "x", schema: city } },
    ),
    temperature: fc.constant(0.5),
  },
  { requiredKeys: ["model", "messages"] },
) as fc.Arbitrary<ChatRequest>;

describe("whole and streamed", () => {
  it("are the same message and usage", () =>
    fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const [one, two] = [call(), call()];
        expect(mergeChunks(await stream(request, one))).toEqual(await chat(request, two));
        expect(one.warnings).toEqual(two.warnings);
      }),
    ));

  it("are in the wire's shapes", () =>
    fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        expect(ChatRequest.safeParse(request).error).toBeUndefined();
        expect(ChatResponse.safeParse(await chat(request)).error).toBeUndefined();
        for (const chunk of await stream(request)) expect(ChatChunk.safeParse(chunk).error).toBeUndefined();
      }),
    ));

  it("are the same every time", () =>
    fc.assert(
      fc.asyncProperty(anyRequest, async (request) => void expect(await chat(request)).toEqual(await chat(request))),
    ));

  it("never spend more than `max_completion_tokens`", () =>
    fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const { usage } = await chat(request);
        expect(usage?.completion_tokens).toBeLessThanOrEqual(request.max_completion_tokens ?? Infinity);
        expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
      }),
    ));

  it("come word by word, the finish reason on a chunk of its own, then the usage", async () => {
    const chunks = await stream(say("hi there"));
    const deltas = chunks.map(({ choices }) => choices[0]?.delta);
    expect(deltas.slice(0, 4)).toEqual([
      { role: "assistant" },
      { content: "This" },
      { content: " is" },
      { content: " an" },
    ]);
    expect(chunks.at(-3)?.choices[0]).toMatchObject({ finish_reason: null, delta: { content: " there" } });
    expect(chunks.at(-2)?.choices[0]).toEqual({ index: 0, finish_reason: "stop", delta: {} });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 12, estimated: true } });
  });
});

describe("a text", () => {
  it("says that it is an echo and what the user said last", async () => {
    const messages: ChatRequest["messages"] = [
      { role: "user", content: "first" },
      { role: "assistant", content: "yes?" },
      { role: "user", content: "second" },
    ];
    const { choices, system_fingerprint } = await chat({ messages });
    expect(choices[0]?.message.content).toBe("This is an echo, no model was asked. You said: second");
    expect(system_fingerprint).toBe("echo-no-model");
  });

  it("ends for `length` at the limit and for `stop` before a stop sequence", async () => {
    expect(await answer(say("a b", { max_completion_tokens: 4 }))).toMatchObject({
      text: "This is an echo,",
      finish: "length",
    });
    expect(await answer(say("a b", { stop: ", no" }))).toMatchObject({ text: "This is an echo", finish: "stop" });
    expect(await answer(say("a b", { stop: [""] }))).toMatchObject({
      finish: "stop",
      usage: { completion_tokens: 12 },
    });
  });

  it("counts every text of the conversation as prompt", async () => {
    const messages: ChatRequest["messages"] = [
      { role: "system", content: "be brief" },
      {
        role: "user",
        content: [
          { type: "text", text: "one two" },
          { type: "image_url", image_url: { url: "data:," } },
        ],
      },
    ];
    expect((await chat({ messages })).usage?.prompt_tokens).toBe(countTokens("be brief") + 3);
  });
});

describe("JSON", () => {
  it("is an object, or what the schema asks for", async () => {
    const { text } = await answer(say("Paris", { response_format: { type: "json_object" } }));
    expect(JSON.parse(text as string)).toEqual({ echo: "Paris", note: "No model was asked." });
    const json_schema = { name: "place", strict: true, schema: city };
    const shaped = await answer(say("Paris", { response_format: { type: "json_schema", json_schema } }));
    expect(shaped.text).toBe('{"city":"Paris"}');
  });

  it("needs its schema", async () => {
    const error = await failure(chat(say("hi", { response_format: { type: "json_schema" } })));
    expect(error).toMatchObject({ code: "invalid_request", param: "response_format.json_schema" });
  });
});

describe("what an echo cannot do", () => {
  it("is named in a warning, known or unknown", async () => {
    const asked = call();
    const custom = { type: "custom" as const, custom: {} };
    const schema = { type: "string", pattern: "(?=a)" };
    const response_format = { type: "json_schema", json_schema: { name: "x", schema } };
    await chat(
      say("hi", { temperature: 1, foo: 1, seed: 7, presence_penalty: 0, tools: [custom], response_format }),
      asked,
    );
    expect(asked.warnings).toEqual([
      "`temperature` is not supported by local",
      "`foo` is not supported by local",
      "`tools.0` of type custom is not supported by local",
      "`response_format.json_schema.schema`: an echo cannot see to `pattern`",
    ]);
  });

  it("is to be another model", async () => {
    const error = await failure(chat(say("hi"), call({ model: "gpt-5" })));
    expect(error).toMatchObject({ code: "upstream_error", status: 404, upstream: { code: "model_not_found" } });
    expect(await provider.listModels!(call())).toContainEqual(expect.objectContaining({ id: "echo" }));
  });
});

describe("an aborted call", () => {
  it("ends before the next word", async () => {
    const controller = new AbortController();
    const told: unknown[] = [];
    const ended = failure(
      (async () => {
        for await (const chunk of provider.streamChat!(say("one two three"), call({ signal: controller.signal }))) {
          told.push(chunk);
          if (told.length === 2) controller.abort();
        }
      })(),
    );
    expect(await ended).toMatchObject({ code: "request_cancelled" });
    expect(told).toHaveLength(2);
  });

  it("ends in the middle of a pause, with the engine's reason", async () => {
    const controller = new AbortController();
    const slow = local({ pauseMs: 60_000 }).streamChat!(say("one"), call({ signal: controller.signal }))[
      Symbol.asyncIterator
    ]();
    await slow.next();
    const next = failure(slow.next());
    controller.abort(new GatewayError("upstream_timeout", "too late"));
    expect(await next).toMatchObject({ code: "upstream_timeout" });
  });

  it("does not begin", async () => {
    expect(await failure(chat(say("hi"), call({ signal: AbortSignal.abort() })))).toMatchObject({
      code: "request_cancelled",
    });
  });
});

it.each([-1, Number.NaN, Infinity, "fast" as never])("refuses a pause of %s by name", (pauseMs) => {
  expect(() => local({ pauseMs })).toThrow(
    expect.objectContaining({ code: "invalid_configuration", param: "pauseMs" }),
  );
});
