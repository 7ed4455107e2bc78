import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../../../adapters/caches/memory.ts";
import type { Middleware, TextGuard } from "../../../../../../src/index.ts";
import { settled as turn } from "../../../../support/support.ts";
import { asked, contentOf, read, world } from "../../../../support/world.ts";

const guard = (hold: TextGuard["hold"], text: TextGuard["text"] = () => {}): Middleware => ({
  name: "g",
  stream: { hold, text },
});
const pieces = (...texts: string[]) => texts.map((content) => ({ content }));

describe("a guarded stream", () => {
  it("holds back what the guard needs, and no more", async () => {
    const cases = [
      ["chunk", ["a b", "c. ", "d"]],
      ["sentence", ["a bc. ", "d"]],
      ["whole", ["a bc. d"]],
    ] as const;
    for (const [hold, expected] of cases) {
      const seen: string[] = [];
      const { engine, state } = world([guard(hold, (text) => void seen.push(text))]);
      state.deltas = pieces("a b", "c. ", "d");
      const { chunks, error } = await read(await engine.streamChat(asked()));
      expect(error).toBeUndefined();
      expect(chunks.map(({ choices: [choice] }) => choice?.delta.content).filter(Boolean)).toEqual(expected);
      expect(seen).toEqual(expected);
      expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
      expect(chunks.map(({ extra_fields }) => extra_fields?.chunk_index)).toEqual(chunks.map((_, at) => at));
    }
  });
  it("ends at what is refused, with nothing of it sent, and the call is settled so", async () => {
    const no = guard("sentence", (text, context) => (text.includes("bad") ? context.block("word") : undefined));
    const { engine, state, rows } = world([no]);
    state.deltas = pieces("Fine. ", "So b", "ad. ", "Never");
    const { chunks, error } = await read(await engine.streamChat(asked()));
    expect(contentOf(chunks)).toBe("Fine. ");
    expect(error).toMatchObject({ code: "content_blocked", blocked: { middleware: "g", reason: "word" } });
    expect(error?.eventId).toBeDefined();
    expect(await rows()).toMatchObject([{ reason: "content_blocked", status: 400, attempts: [{ model: "a/m" }] }]);
    expect(engine.inFlight).toBe(0);
  });
  it("reads the texts in calls of tools as programs read them, and sends calls whole", async () => {
    const cut = guard("sentence", (text) => text.replaceAll("bad", "***"));
    const { engine, state } = world([cut]);
    const call = (args: string, rest = {}) => ({ tool_calls: [{ index: 0, function: { arguments: args }, ...rest }] });
    state.deltas = [
      call('{"a":"b\\u00', { id: "c", type: "function", function: { name: "bad_f", arguments: '{"a":"b\\u00' } }),
      call('61d", "bad": 1.50, "a":'),
      call('"x"}'),
    ].map((delta, at) => (at === 0 ? { tool_calls: [{ ...delta.tool_calls[0] }] } : delta)) as never;
    const { chunks } = await read(await engine.streamChat(asked()));
    const calls = chunks.flatMap(({ choices: [choice] }) => choice?.delta.tool_calls ?? []);
    expect(calls).toEqual([
      {
        index: 0,
        id: "c",
        type: "function",
        function: { name: "***_f", arguments: '{"a":"***", "***": 1.50, "a":"x"}' },
      },
    ]);
  });
  it("keeps the order of thoughts and text, and joins nothing across them", async () => {
    const no = guard("sentence", (text, context) => (text.includes("bad") ? context.block("word") : undefined));
    const { engine, state } = world([no]);
    state.deltas = [{ reasoning: "Let me" }, { content: "So b" }, { reasoning: " see" }, { content: "ad" }];
    const { chunks, error } = await read(await engine.streamChat(asked()));
    expect(chunks.map(({ choices: [choice] }) => choice?.delta)).toEqual([
      { reasoning: "Let me" },
      { content: "So b" },
      { reasoning: " see" },
    ]);
    expect(error).toMatchObject({ blocked: { reason: "word" } });
    state.deltas = [{ content: "x" }, { reasoning: "y" }, { content: "z" }];
    const cut = await read(
      await engine.streamChat(asked(), {
        middleware: [{ ...guard("sentence", (text) => (text === "xz" ? "q" : undefined)), name: "h" }],
      }),
    );
    expect(cut.error).toMatchObject({ blocked: { reason: "split" } });
    expect(contentOf(cut.chunks)).toBe("x");
  });
  it("sends a signature only with the words that it vouches for", async () => {
    const detail = (more: object) => ({ reasoning_details: [{ type: "reasoning.text" as const, index: 0, ...more }] });
    const deltas = [
      detail({ text: "I think" }),
      detail({ text: " bad." }),
      detail({ signature: "S" }),
      { content: "x" },
    ];
    for (const [text, expected] of [
      [() => undefined, "S"],
      [(one: string) => one.replace("bad", "***"), undefined],
    ] as const) {
      const { engine, state } = world([guard("sentence", text)]);
      state.deltas = deltas;
      const { chunks } = await read(await engine.streamChat(asked()));
      const details = chunks.flatMap(({ choices: [choice] }) => choice?.delta.reasoning_details ?? []);
      expect(details.map(({ signature }) => signature).find(Boolean)).toBe(expected);
      expect(JSON.stringify(chunks).includes("bad")).toBe(expected !== undefined);
    }
  });
  it("leaves out what it cannot read, and says so", async () => {
    const { engine, state } = world([guard("chunk")]);
    state.deltas = [{ content: "a", audio: { data: "x" }, strange: "text" } as never];
    const { chunks } = await read(await engine.streamChat(asked()));
    expect(JSON.stringify(chunks.map(({ choices }) => choices))).not.toMatch(/audio|strange/);
    expect(chunks.flatMap(({ extra_fields }) => extra_fields?.warnings ?? [])).toContain(
      "middleware: `strange` is left out, since it holds text that was not checked",
    );
  });
  it("a stream that nobody reads is settled at its deadline, also a cached one", async () => {
    const { engine, clock, rows } = world([guard("sentence")], { cache: { answers: memoryCache() } });
    await read(await engine.streamChat(asked()));
    await engine.streamChat(asked());
    await engine.streamChat(asked("other"));
    expect(engine.inFlight).toBe(2);
    await clock.advance(600_000);
    for (let turns = 0; turns < 20 && engine.inFlight > 0; turns++) await turn();
    expect(engine.inFlight).toBe(0);
    expect((await rows()).map(({ reason }) => reason).sort()).toEqual(["ok", "ok", "upstream_timeout"]);
  });
  it("a caller who stops reading ends a guard that waits", async () => {
    const { engine, state } = world([guard("chunk", () => new Promise(() => {}))]);
    state.deltas = pieces("a", "b");
    const chunks = (await engine.streamChat(asked()))[Symbol.asyncIterator]();
    const next = chunks.next().catch((thrown: unknown) => thrown);
    await turn();
    await chunks.return?.();
    expect(await next).toMatchObject({ code: "request_cancelled" });
    expect(engine.inFlight).toBe(0);
  });
  it("callers who share a stream have it guarded each by their own", async () => {
    const { engine, state } = world([], { cache: { answers: memoryCache() } });
    state.deltas = pieces("So ", "bad. ", "End");
    const no = guard("sentence", (text, context) => (text.includes("bad") ? context.block("word") : undefined));
    const [blocked, free] = await Promise.all([
      engine.streamChat(asked(), { middleware: [no] }).then(read),
      engine.streamChat(asked()).then(read),
    ]);
    expect(blocked.error).toMatchObject({ code: "content_blocked" });
    expect(contentOf(blocked.chunks)).toBe("");
    expect(contentOf(free.chunks)).toBe("So bad. End");
    expect(state.sent).toHaveLength(1);
    await turn();
    expect(engine.inFlight).toBe(0);
  });
  it("the raw exchange is left out where an answer is read", async () => {
    const { engine } = world([guard("chunk")]);
    const { extra_fields } = await engine.chat(asked(), { raw: true });
    expect(extra_fields).not.toHaveProperty("raw_response");
    expect(extra_fields?.warnings).toEqual(["middleware: `raw_request` and `raw_response` are left out"]);
  });
});
