import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../../src/engine/errors.ts";
import { event, loss, piece, readStream } from "../../support/shared/openai/setup.ts";

const hello = piece({ role: "assistant", content: "Hel" }) + piece({ content: "lo" });
const stop = piece({}, "stop");
const done = event("[DONE]");
const usage = event({
  id: "c1",
  created: 7,
  model: "m",
  choices: [],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
});
const text = (chunks: readonly { choices: readonly { delta: { content?: string | null | undefined } }[] }[]) =>
  chunks.map((chunk) => chunk.choices.map(({ delta }) => delta.content ?? "").join("")).join("");

describe("a stream of OpenAI's dialect", () => {
  it("is complete with a finish reason, whether or not [DONE] comes", async () => {
    for (const events of [hello + stop + usage + done, hello + stop + usage, hello + stop]) {
      const { chunks, error } = await readStream({ events });
      expect(error).toBeUndefined();
      expect(text(chunks)).toBe("Hello");
    }
  });

  it("is broken without a finish reason, even when [DONE] comes", async () => {
    for (const events of ["", hello, hello + done, done, usage + done]) {
      const { error } = await readStream({ events });
      expect(error).toMatchObject({ code: "upstream_stream_broken", provider: "acme" });
    }
  });

  it("cannot be read where its tool calls are no list, or end without the name of a function", async () => {
    for (const tool_calls of [
      { id: "c", function: { name: "f" } },
      [{ index: 0, id: "c", function: { arguments: "{}" } }],
    ]) {
      const { error } = await readStream({ events: piece({ tool_calls }) + piece({}, "tool_calls") + done });
      expect(error).toMatchObject({ code: "upstream_invalid_response", provider: "acme" });
    }
  });

  it("is broken while one of its choices lacks a finish reason", async () => {
    const other = event({ id: "c1", choices: [{ index: 1, delta: { content: "x" }, finish_reason: null }] });
    expect((await readStream({ events: hello + other + stop + done })).error).toMatchObject({
      code: "upstream_stream_broken",
    });
  });

  it("survives the loss of its connection after the last content, with a warning", async () => {
    for (const ending of [loss, new GatewayError("upstream_timeout", "silent")]) {
      const { chunks, error, call } = await readStream({ events: hello + stop, ending });
      expect(error).toBeUndefined();
      expect(text(chunks)).toBe("Hello");
      expect(call.warnings).toEqual(["the stream of acme broke off after its last content"]);
    }
  });

  it("does not survive its loss before, nor being cancelled after", async () => {
    expect((await readStream({ events: hello, ending: loss })).error).toBe(loss);
    const cancelled = new GatewayError("request_cancelled", "gone");
    expect((await readStream({ events: hello + stop, ending: cancelled })).error).toBe(cancelled);
  });

  it("skips events that cannot be read, with one warning", async () => {
    const events =
      piece({ content: "Hel" }) +
      event("{broken") +
      event("[1]") +
      event({ type: "ping" }) +
      piece({ content: "lo" }) +
      stop;
    const { chunks, error, call } = await readStream({ events });
    expect(error).toBeUndefined();
    expect(text(chunks)).toBe("Hello");
    expect(call.warnings).toEqual(["an event of acme could not be read and was skipped"]);
  });

  it.each([
    ["an error alone", { error: { message: "overloaded", type: "t", code: 503 } }, 503],
    [
      "an error beside a choice",
      {
        id: "c1",
        error: { message: "overloaded", code: "x" },
        choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      },
      502,
    ],
    [
      "an error in the choice",
      {
        id: "c1",
        choices: [{ index: 0, delta: {}, finish_reason: null, error: { message: "overloaded", code: 429 } }],
      },
      429,
    ],
    ["a flat error", { object: "error", message: "overloaded", code: 400 }, 400],
    ["groq's error", { id: "c1", choices: [], x_groq: { error: "overloaded" } }, 502],
  ])("throws the vendor's error inside it, after what came before: %s", async (_name, fault, status) => {
    const { chunks, error } = await readStream({ events: hello + event(fault) + stop + done });
    expect(text(chunks)).toBe("Hello");
    expect(error).toMatchObject({ code: "upstream_error", status, message: "overloaded" });
  });

  it.each(["error", "insufficient_system_resource", "abort"])(
    "throws when a choice breaks off by %s",
    async (reason) => {
      const { error } = await readStream({ events: hello + piece({}, reason) });
      expect(error).toMatchObject({ code: "upstream_error", status: 502 });
    },
  );

  it("tells usage once, on a last chunk without choices, however often the vendor tells it", async () => {
    const count = (completion: number) => ({
      usage: { prompt_tokens: 3, completion_tokens: completion, total_tokens: 3 + completion },
    });
    const events =
      piece({ content: "a" }, null, count(1)) +
      piece({ content: "b" }, "stop", count(2)) +
      event({ id: "c1", choices: [], ...count(2) });
    const { chunks } = await readStream({ events });
    expect(chunks.map((chunk) => chunk.usage?.completion_tokens)).toEqual([undefined, undefined, 2]);
    expect(chunks.at(-1)?.choices).toEqual([]);
  });

  it("invents no usage", async () => {
    const { chunks } = await readStream({
      events: hello + piece({}, "stop", { usage: null }) + event({ id: "c1", choices: [], usage: {} }),
    });
    expect(chunks.some((chunk) => chunk.usage !== undefined)).toBe(false);
  });

  it("gives every chunk one id, time and model, made of the call where the vendor gives none", async () => {
    const bare = (delta: object, finish: string | null) => event({ choices: [{ delta, finish_reason: finish }] });
    const { chunks, call } = await readStream({
      events:
        bare({ content: "a" }, null) +
        bare({ content: "b" }, "stop") +
        event({ choices: [], usage: { prompt_tokens: 1 } }),
    });
    expect(chunks).toHaveLength(3);
    for (const chunk of chunks) {
      expect(chunk).toMatchObject({
        id: call.id,
        created: Math.floor(call.startedAt / 1_000),
        model: "m",
        object: "chat.completion.chunk",
      });
    }
  });

  it("takes an empty finish reason for none, and vendors' spellings for ours", async () => {
    const { chunks } = await readStream({
      events:
        event({ id: "c", choices: [{ index: 0, delta: { content: "a" }, finish_reason: "" }] }) + piece({}, "eos"),
    });
    expect(chunks.map((chunk) => chunk.choices[0]?.finish_reason)).toEqual([null, "stop"]);
  });
});
