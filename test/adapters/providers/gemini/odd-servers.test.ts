import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropic } from "../../../../adapters/providers/anthropic/index.ts";
import { custom } from "../../../../adapters/providers/compatible/index.ts";
import { gemini } from "../../../../adapters/providers/gemini/index.ts";
import type { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { createEngine, type Engine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";

const messages = [{ role: "user" as const, content: "go" }];
type Answer = { readonly status?: number; readonly type?: string; readonly body: unknown; readonly headers?: object };

/** A `fetch` that answers like this, whatever is asked. */
function answering({ status = 200, type = "application/json", body, headers = {} }: Answer): typeof fetch {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return async () => new Response(text, { status, headers: { ...headers, "content-type": type } });
}

const serverOf = (answer: Answer, name = "x") =>
  custom(name, { baseUrl: "http://vendor.example/v1", fetch: answering(answer) });
const engineOf = (...providers: Provider[]): Engine =>
  createEngine({ ...scriptedWorld(), providers, retry: { retries: 0 } });

const whole = (message: object, finish_reason = "stop") => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason, message: { role: "assistant", ...message } }],
});
const event = (delta: object, finish_reason: string | null = null) => {
  const choices = [{ index: 0, delta, finish_reason }];
  return `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices })}\n\n`;
};

async function streamed(engine: Engine, model = "x/m"): Promise<{ text: string; calls: unknown[] }> {
  let text = "";
  const calls: { name?: string; arguments: string }[] = [];
  for await (const { choices } of await engine.streamChat({ model, messages })) {
    expect(choices.length).toBeGreaterThan(0);
    text += choices[0]?.delta.content ?? "";
    for (const { index = 0, function: called } of choices[0]?.delta.tool_calls ?? []) {
      calls[index] ??= { arguments: "" };
      if (called?.name) calls[index].name = called.name;
      calls[index].arguments += called?.arguments ?? "";
    }
  }
  return { text, calls };
}

const failureOf = async (asked: Promise<unknown>) =>
  asked.then(
    () => undefined,
    (error: GatewayError) => error,
  );

describe("a stream", () => {
  const events = event({ role: "assistant", content: "hel" }) + event({ content: "lo" }) + event({}, "stop");

  it.each(["text/plain; charset=utf-8", "application/octet-stream", "application/json", "text/event-stream"])(
    "is read under the content type %s, with a byte-order mark or without",
    async (type) => {
      for (const body of [`${events}data: [DONE]\n\n`, `\ufeff${events}`, `: hello\n\n${events}`]) {
        expect((await streamed(engineOf(serverOf({ type, body })))).text).toBe("hello");
      }
    },
  );
  it("that came as a whole answer is read all the same", async () => {
    expect((await streamed(engineOf(serverOf({ body: whole({ content: "hello" }) })))).text).toBe("hello");
  });
  it("that is a page is none", async () => {
    const error = await failureOf(streamed(engineOf(serverOf({ type: "text/html", body: "<html>data: {}</html>" }))));
    expect(error?.code).toBe("upstream_invalid_response");
  });
  it("leaves an event without choices out, which tells of the prompt only", async () => {
    const first = `data: ${JSON.stringify({ id: "", choices: [], prompt_filter_results: [] })}\n\n`;
    expect((await streamed(engineOf(serverOf({ type: "text/event-stream", body: first + events })))).text).toBe(
      "hello",
    );
  });
  it("is what it was however it comes", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string(), { minLength: 1, maxLength: 5 }), async (words) => {
        const body = words.map((content) => event({ content })).join("") + event({}, "stop");
        const engine = engineOf(serverOf({ type: "text/event-stream", body }));
        expect((await streamed(engine)).text).toBe(words.join(""));
        const { choices } = await engine.chat({ model: "x/m", messages });
        expect(choices[0]?.message.content ?? "").toBe(words.join(""));
      }),
    ));
});

describe("a whole answer that came as a stream", () => {
  it("is the answer that the stream tells", async () => {
    const call = (fields: object) => ({ tool_calls: [{ index: 0, ...fields }] });
    const body =
      event({ role: "assistant", reasoning_content: "hm" }) +
      event({ content: "hello" }) +
      event(call({ id: "c1", type: "function", function: { name: "f", arguments: '{"a"' } })) +
      event(call({ function: { arguments: ":1}" } })) +
      event({}, "tool_calls");
    const answer = await engineOf(serverOf({ type: "text/event-stream", body })).chat({ model: "x/m", messages });
    expect(answer.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: "hello",
        reasoning: "hm",
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
      },
    });
  });
  it("is broken where the stream is", async () => {
    const asked = engineOf(serverOf({ type: "text/event-stream", body: event({ content: "hel" }) })).chat({
      model: "x/m",
      messages,
    });
    expect((await failureOf(asked))?.code).toBe("upstream_stream_broken");
  });
});

describe("calls of a stream that all say index 0", () => {
  const call = (name: string, args: string, id?: string) =>
    event({ tool_calls: [{ index: 0, ...(id === undefined ? {} : { id }), function: { name, arguments: args } }] });
  const callsOf = async (...deltas: string[]) => {
    const body = deltas.join("") + event({}, "tool_calls");
    return (await streamed(engineOf(serverOf({ type: "text/event-stream", body })))).calls;
  };

  it.each([[""], [undefined]])("are several, without identifiers (%j)", async (id) => {
    for (const second of ["time", "weather"]) {
      expect(await callsOf(call("weather", '{"city":"Oslo"}', id), call(second, '{"tz":"UTC"}', id))).toEqual([
        { name: "weather", arguments: '{"city":"Oslo"}' },
        { name: second, arguments: '{"tz":"UTC"}' },
      ]);
    }
  });
  it("are one where the name is repeated with each piece, however the pieces are cut", () =>
    fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.string()), fc.integer({ min: 1, max: 5 }), async (args, size) => {
        const text = JSON.stringify(args);
        const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(await callsOf(...pieces.map((piece) => call("f", piece)))).toEqual([{ name: "f", arguments: text }]);
      }),
    ));
});

describe("an error", () => {
  const error = { code: 400, message: "Function call is missing.", status: "INVALID_ARGUMENT" };

  it("in a list keeps the vendor's words, with 400, with 200 and within a stream", async () => {
    for (const answer of [{ status: 400, body: [{ error }] }, { body: [{ error }] }]) {
      const failed = await failureOf(engineOf(serverOf(answer)).chat({ model: "x/m", messages }));
      expect(failed?.upstream).toMatchObject({ status: 400, code: "400", type: error.status, message: error.message });
    }
    const body = `${event({ content: "he" })}data: ${JSON.stringify([{ error }])}\n\n`;
    const failed = await failureOf(streamed(engineOf(serverOf({ type: "text/event-stream", body }))));
    expect(failed?.upstream).toMatchObject({ status: 400, message: error.message });
  });
  it("with 200 is that error, also of a vendor with an interface of its own, whole and streamed", async () => {
    const fetch = answering({ body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } } });
    const engine = engineOf(anthropic({ apiKey: "k", fetch }));
    for (const ask of [() => engine.chat({ model: "anthropic/m", messages }), () => streamed(engine, "anthropic/m")])
      expect((await failureOf(ask()))?.upstream).toMatchObject({ type: "overloaded_error", message: "Overloaded" });
  });
  it("of the vendor behind a router is told with the router's", async () => {
    const raw = JSON.stringify({ error: { message: "prompt is too long: 9 tokens > 8 maximum" } });
    const body = { error: { code: 400, message: "Provider returned error", metadata: { raw, provider_name: "Acme" } } };
    const engine = engineOf(serverOf({ status: 400, body }), serverOf({ body: whole({ content: "b" }) }, "b"));
    const failed = await failureOf(engine.chat({ model: "x/m", messages }));
    expect(failed?.message).toBe("Provider returned error: prompt is too long: 9 tokens > 8 maximum");
    const answer = await engine.chat({ model: "x/m", messages, fallbacks: ["b/m"] });
    expect(answer.extra_fields?.provider).toBe("b");
  });
  it("names the field that Google's details name", async () => {
    const details = [{ fieldViolations: [{ field: "contents[0].parts", description: "must not be empty" }] }];
    const fetch = answering({ status: 400, body: { error: { ...error, details } } });
    const failed = await failureOf(engineOf(gemini({ apiKey: "k", fetch })).chat({ model: "gemini/m", messages }));
    expect(failed?.upstream?.param).toBe("contents[0].parts");
  });
  it("of a redirect tells its target and the setting to change", async () => {
    const headers = { location: "https://new.example/v1/chat/completions?token=hunter2" };
    const failed = await failureOf(
      engineOf(serverOf({ status: 308, body: "", headers })).chat({ model: "x/m", messages }),
    );
    expect(failed?.message).toContain("https://new.example/v1/chat/completions (status 308): set `baseUrl` of x");
    expect(failed?.message).not.toContain("hunter2");
    const streamed = engineOf(serverOf({ status: 307, body: "", headers })).streamChat({ model: "x/m", messages });
    expect((await failureOf(streamed))?.message).toContain("/completions (status 307): set `baseUrl` of x");
  });
});
