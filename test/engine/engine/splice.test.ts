import { describe, expect, it } from "vitest";
import type { ChatChunk } from "../../../src/engine/api/chat.ts";
import { GatewayError } from "../../../src/engine/errors.ts";
import type { Provider } from "../../../src/engine/ports/provider.ts";
import { engineOver, messages, record, textOf } from "../support/support.ts";

type Choice = ChatChunk["choices"][number];
type Delta = Choice["delta"];

const piece = (delta: Delta, rest: Partial<Choice> = {}): Choice => ({ index: 0, finish_reason: null, delta, ...rest });
const end = (finish_reason: "stop" | "tool_calls" = "stop"): Choice => piece({}, { finish_reason });
const call = { index: 0, id: "c", type: "function" as const, function: { name: "f", arguments: "{}" } };

/** A provider that streams these choices, one a chunk, and breaks off unless the last one ends. */
const streamer = (name: string, choices: readonly Choice[]): Provider => ({
  name,
  async *streamChat(_request, { id, model }) {
    for (const choice of choices) yield { id, object: "chat.completion.chunk", created: 1, model, choices: [choice] };
    if (choices.at(-1)?.finish_reason === null) throw new GatewayError("upstream_stream_broken", "broke off");
  },
});

const beside = (delta: Delta, rest: Partial<Choice> = {}): Choice => piece(delta, { index: 1, ...rest });

/** What the caller sees when `first` breaks off and `second` is asked; the code of the error last, if one came. */
async function seen(first: readonly Choice[], second: readonly Choice[]): Promise<unknown[]> {
  const { engine } = engineOver([streamer("a", first), streamer("b", second)]);
  const told: unknown[] = [];
  try {
    for await (const { choices } of await engine.streamChat({ model: "a/m", fallbacks: ["b/m"], messages }))
      told.push(choices[0]);
  } catch (thrown) {
    told.push((thrown as GatewayError).code);
  }
  return told;
}

describe("a stream that another candidate goes on with", () => {
  const hello = piece({ content: "Hello" });

  it.each<[string, Delta]>([
    ["calls a tool", { tool_calls: [call] }],
    ["refuses", { refusal: "no" }],
    ["speaks", { audio: { id: "x", data: "QUFB" } }],
  ])("loses nothing when that one %s right behind the text told", async (_, delta) => {
    expect(await seen([hello], [hello, piece(delta), end()])).toEqual([hello, piece(delta), end()]);
  });
  it("is an error when that one does so before the text is complete", async () => {
    const second = [piece({ content: "Hel" }), piece({ tool_calls: [call] }), end("tool_calls")];
    expect(await seen([hello], second)).toEqual([hello, "upstream_stream_broken"]);
  });
  it("leaves empty fields out where the text was told in full", async () => {
    expect(await seen([hello], [hello, end()])).toEqual([hello, end()]);
  });
});

describe("a stream that nobody can go on with", () => {
  it.each<[string, Choice]>([
    ["sound", piece({ audio: { id: "x", data: "QUFB" } })],
    ["a refusal", piece({ refusal: "I" })],
    ["a choice beside the first", piece({ content: "Hello" }, { index: 1 })],
  ])("holds %s: the break is told, and not hidden behind another one's end", async (_, choice) => {
    expect(await seen([choice], [choice, end()])).toEqual([choice, "upstream_stream_broken"]);
  });
});

describe("a stream of several choices", () => {
  const both = [piece({ content: "whole" }), beside({ content: "cut" }), end()];
  const finished = beside({}, { finish_reason: "stop" });

  /** The indices told, the code of the error last if one came, and what the books say. */
  async function told(choices: readonly Choice[], how: "ends" | "throws"): Promise<unknown[]> {
    const source: Provider = {
      name: "a",
      async *streamChat(_request, { id, model }) {
        for (const choice of choices) yield { id, object: "c", created: 1, model, choices: [choice] };
        if (how === "throws") throw new GatewayError("upstream_stream_broken", "broke off");
      },
    };
    const { engine } = engineOver([source]);
    const settled = record(engine, "settled");
    const text = textOf(await engine.streamChat({ model: "a/m", extra: { n: 2 }, messages }));
    return [await text.then(() => "complete").catch(({ code }) => code), settled[0]?.status];
  }

  it.each(["ends", "throws"] as const)("is cut off when it %s while one of them is open", async (how) => {
    expect(await told(both, how)).toEqual(["upstream_stream_broken", 502]);
  });
  it.each(["ends", "throws"] as const)("is complete when it %s after each has finished", async (how) => {
    expect(await told([...both, finished], how)).toEqual(["complete", 200]);
  });
  it("is complete although more is said of one that has finished", async () => {
    expect(await told([...both, piece({}), finished, piece({}), beside({})], "ends")).toEqual(["complete", 200]);
  });
});
