import { describe, expect, it } from "vitest";
import { llamaCpp } from "../../../../adapters/providers/llama-cpp/index.ts";
import type { ChatRequest } from "../../../../src/engine/api/chat.ts";
import { near } from "../../../engine/support/case.ts";
import { engineOver } from "../../../engine/support/support.ts";
import { type Act, fakeLibrary } from "../../support/llama-cpp/fake-library.ts";

function rig(acts: readonly Act[], models: Parameters<typeof llamaCpp>[0]["models"] = { tiny: "/models/tiny.gguf" }) {
  const { library, seen } = fakeLibrary(acts);
  const { engine } = engineOver([llamaCpp({ models, library })], { retry: { retries: 0 } });
  return { engine, seen };
}

const text = (...pieces: string[]) => pieces.map((each) => ({ type: undefined, text: each }));
const hello: ChatRequest = { model: "llama-cpp/tiny", messages: [{ role: "user", content: "Hello" }] };
const weather = {
  type: "function" as const,
  function: {
    name: "weather",
    description: "d",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
};

describe("a chat", () => {
  it("loads the model when it is asked first, once, and goes in the library's history", async () => {
    const { engine, seen } = rig([{ chunks: text("Hi", " there") }]);
    expect(seen.loaded).toEqual([]);
    const answer = await engine.chat({
      ...hello,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "weather?" },
        {
          role: "assistant",
          content: "Let me see.",
          tool_calls: [{ id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } }],
        },
        { role: "tool", tool_call_id: "c1", content: "21" },
      ],
      temperature: 0,
      max_completion_tokens: 9,
      stop: "END",
      seed: 3,
    });
    await engine.chat(hello);
    expect(seen.loaded).toEqual(["/models/tiny.gguf"]);
    expect(seen.histories[0]).toEqual([
      { type: "system", text: "Be brief." },
      { type: "user", text: "weather?" },
      {
        type: "model",
        response: ["Let me see.", { type: "functionCall", name: "weather", params: { city: "Rome" }, result: "21" }],
      },
    ]);
    expect(seen.histories[1]?.at(-1)).toEqual({ type: "model", response: [] });
    expect(seen.options[0]).toMatchObject({ temperature: 0, maxTokens: 9, customStopTriggers: ["END"], seed: 3 });
    expect(answer.choices).toMatchObject([{ finish_reason: "stop", message: { content: "Hi there" } }]);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 3,
      completion_tokens: 2,
      prompt_tokens_details: { cached_read_tokens: 2 },
    });
  });

  it("streams piece by piece, thoughts apart, and is cut where it is", async () => {
    const thought = { type: "segment", segmentType: "thought", text: "Hm." };
    const { engine } = rig([{ chunks: [thought, ...text("a", "b")], stopReason: "maxTokens" }]);
    const stream = await engine.streamChat({ ...hello, stream_options: { include_usage: true } });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices: [choice] }) => choice?.delta)).toEqual([
      { reasoning: "Hm." },
      { content: "a" },
      { content: "b" },
      {},
      undefined,
    ]);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("length");
    expect(chunks.at(-1)?.usage).toMatchObject({ completion_tokens: 3 });
  });

  it.each(["whole", "streamed"])("calls the functions that are offered, %s", async (way) => {
    const calls = [{ functionName: "weather", params: { city: "Rome" } }];
    const { engine, seen } = rig([{ calls }]);
    const request = { ...hello, tools: [weather], parallel_tool_calls: false };
    const told =
      way === "whole"
        ? (await engine.chat(request)).choices[0]?.message.tool_calls
        : await firstCalls(await engine.streamChat(request));
    expect(told).toMatchObject([
      { id: expect.any(String), function: { name: "weather", arguments: '{"city":"Rome"}' } },
    ]);
    expect(seen.options[0]).toMatchObject({
      functions: { weather: { description: "d", params: weather.function.parameters } },
      maxParallelFunctionCalls: 1,
    });
  });

  it("calls the function that it must by a grammar of its arguments", async () => {
    const { engine, seen } = rig([{ chunks: text('{"city":', '"Rome"}') }]);
    const tool_choice = { type: "function" as const, function: { name: "weather" } };
    const { choices } = await engine.chat({ ...hello, tools: [weather], tool_choice });
    expect(choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: { content: null, tool_calls: [{ function: { name: "weather", arguments: '{"city":"Rome"}' } }] },
    });
    expect(seen.grammars).toEqual([weather.function.parameters]);
  });

  it("writes JSON by a grammar", async () => {
    const { engine, seen } = rig([{ chunks: text("{}") }]);
    const schema = { type: "object" };
    await engine.chat({ ...hello, response_format: { type: "json_schema", json_schema: { name: "n", schema } } });
    await engine.chat({ ...hello, response_format: { type: "json_object" } });
    expect(seen.options.map(({ grammar }) => grammar)).toEqual([{ schema }, { kind: "json" }]);
  });

  it("warns of what a model in this process has no use for", async () => {
    const { engine } = rig([{ chunks: text("a") }]);
    const content = [{ type: "image_url" as const, image_url: { url: "https://a.test/cat.png" } }];
    const { extra_fields } = await engine.chat({ ...hello, messages: [{ role: "user", content }], extra: { n: 2 } });
    expect(extra_fields?.warnings).toEqual([
      "`n` is not supported by llama-cpp",
      "parts of the type `image_url` is not supported by llama-cpp",
    ]);
  });
});

async function firstCalls(stream: Awaited<ReturnType<ReturnType<typeof rig>["engine"]["streamChat"]>>) {
  for await (const { choices } of stream) if (choices[0]?.delta.tool_calls) return choices[0].delta.tool_calls;
  return undefined;
}

describe("sequences", () => {
  it.each([1, 3])("%i at once, the others wait in line", async (sequences) => {
    const { engine, seen } = rig([{ chunks: text("a") }], { tiny: { path: "/models/tiny.gguf", sequences } });
    await Promise.all(Array.from({ length: 7 }, () => engine.chat(hello)));
    expect(seen.options).toHaveLength(7);
    expect(seen.most).toBe(sequences);
  });

  it("are free again when a call is aborted, at work or in line", async () => {
    const { engine, seen } = rig([{ isSilent: true }, { chunks: text("a") }]);
    const [first, second] = [new AbortController(), new AbortController()];
    const atWork = engine.chat(hello, { signal: first.signal });
    const inLine = engine.streamChat(hello, { signal: second.signal });
    while (seen.running === 0) await new Promise((resolve) => setImmediate(resolve));
    second.abort();
    await expect(inLine).rejects.toMatchObject({ code: "request_cancelled" });
    first.abort();
    await expect(atWork).rejects.toMatchObject({ code: "request_cancelled" });
    expect((await engine.chat(hello)).choices[0]?.message.content).toBe("a");
  });

  it("are free again when a stream is not read to its end", async () => {
    const { engine } = rig([{ chunks: text("a", "b", "c") }]);
    for await (const _chunk of await engine.streamChat(hello)) break;
    expect((await engine.chat(hello)).choices[0]?.message.content).toBe("abc");
  });
});

describe("log probabilities", () => {
  it("are the model's own, the likeliest first; a stop sequence ends the text", async () => {
    const { engine } = rig([]);
    const { choices } = await engine.chat({ ...hello, logprobs: true, top_logprobs: 2, stop: ["stop"] });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "AThe" } });
    const [first] = choices[0]?.log_probs?.content ?? [];
    expect(first).toMatchObject({
      token: "A",
      logprob: Math.log(0.5),
      top_logprobs: [
        { token: "A", logprob: Math.log(0.5), bytes: [65] },
        { token: "B", logprob: Math.log(0.2) },
      ],
    });
    expect(choices[0]?.log_probs?.content?.at(-1)).toMatchObject({ token: "stop", logprob: -9_999 });
  });

  it("decide", async () => {
    const { engine, seen } = rig([]);
    const criteria = { first: null, second: null, third: null };
    const { answers } = await engine.decide({
      model: "llama-cpp/tiny",
      questions: { q: { kind: "choice", criteria } },
    });
    expect(answers).toMatchObject({
      q: { value: "first", probabilities: { first: near(0.625), second: near(0.25), third: near(0.125) } },
    });
    expect(seen.options).toEqual([]);
  });

  it("of orders and questions about one state read what is in front of them once, and say so", async () => {
    const { engine, seen } = rig([]);
    const criteria = { first: null, second: null, third: null };
    const ask = (state: string) =>
      engine.decide({
        model: "llama-cpp/tiny",
        state,
        questions: { q: { kind: "choice", criteria }, r: { kind: "choice", criteria } },
        permutations: 2,
      });
    const { usage } = await ask("one\ntwo\nthree");
    const whole = seen.read[0]?.[1] ?? 0;
    const [, ofOrder, ofQuestion] = seen.read;
    expect(seen.read).toHaveLength(4);
    expect(seen.read[0]?.[0]).toBe(0);
    expect(ofOrder?.[0]).toBeGreaterThan(whole / 2);
    for (const [known, read] of seen.read) expect(known + read).toBe(whole);
    expect(ofQuestion?.[0]).toBeGreaterThan(5);
    const cached = seen.read.reduce((sum, [known]) => sum + known, 0);
    expect(usage).toMatchObject({ prompt_tokens: 4 * whole, prompt_tokens_details: { cached_read_tokens: cached } });
    await ask("other");
    expect(seen.read[4]?.[0]).toBeLessThan(ofQuestion?.[0] ?? 0); // another state is read anew, behind the system message
  });
});

describe("else", () => {
  it("embeds, lists its models, and lets go of them when it closes", async () => {
    const { engine, seen } = rig([], { tiny: "/models/tiny.gguf", other: { path: "/models/other.gguf" } });
    const { data, usage } = await engine.embed({ model: "llama-cpp/tiny", input: ["one", "three"] });
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [3, 0.5],
      [5, 0.5],
    ]);
    expect(usage).toMatchObject({ prompt_tokens: 8 });
    expect((await engine.models()).data.map(({ id }) => id)).toEqual(["llama-cpp/other", "llama-cpp/tiny"]);
    await engine.close();
    expect(seen.disposed).toBe(1);
  });

  it("a model that is unknown, or that does not load, is an error that says so; it may be asked again", async () => {
    const { engine, seen } = rig([], { broken: "/models/missing.gguf" });
    await expect(engine.chat(hello)).rejects.toMatchObject({ code: "upstream_error", status: 404 });
    for (let n = 0; n < 2; n++)
      await expect(engine.chat({ ...hello, model: "llama-cpp/broken" })).rejects.toMatchObject({
        code: "upstream_unreachable",
      });
    expect(seen.loaded).toHaveLength(2);
  });

  it("without the library, and without models, it says what is missing", async () => {
    const bare = engineOver([llamaCpp({ models: { tiny: "/models/tiny.gguf" } })], { retry: { retries: 0 } });
    await expect(bare.engine.chat(hello)).rejects.toMatchObject({ code: "upstream_unreachable" });
    expect(() => llamaCpp({ models: {} })).toThrow(expect.objectContaining({ param: "models" }));
  });
});
