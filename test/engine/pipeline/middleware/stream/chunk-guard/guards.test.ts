import { describe, expect, it } from "vitest";
import { memoryCache } from "../../../../../../adapters/caches/memory.ts";
import { judge } from "../../../../../../adapters/guards/judge.ts";
import { moderation } from "../../../../../../adapters/guards/moderation.ts";
import { pii } from "../../../../../../adapters/guards/pii/index.ts";
import { schema } from "../../../../../../adapters/guards/schema.ts";
import { words } from "../../../../../../adapters/guards/words.ts";
import type { Provider } from "../../../../../../src/engine/ports/provider.ts";
import { asked, contentOf, read, world } from "../../../../support/world.ts";

const lastContent = (request: unknown) => (request as { messages: { content: string }[] }).messages.at(-1)?.content;

describe("pii", () => {
  const text = "Write to eve@x.example (+49 30 1234 5678), not eve@x.example but 4111 1111 1111 1111 at 10.0.0.1.";
  it("sends placeholders, the same for the same, and puts them back in answers, whole and streamed", async () => {
    const { engine, state } = world([pii()]);
    state.deltas = ["To [EMA", "IL_1]: [CARD_1]. ", "New: bob@y.example"].map((content) => ({ content }));
    const { choices } = await engine.chat(asked(text));
    expect(lastContent(state.sent[0])).toBe("Write to [EMAIL_1] ([PHONE_1]), not [EMAIL_1] but [CARD_1] at [IP_1].");
    const expected = "To eve@x.example: 4111 1111 1111 1111. New: [EMAIL]";
    expect(choices[0]?.message.content).toBe(expected);
    expect(contentOf((await read(await engine.streamChat(asked(text)))).chunks)).toBe(expected);
  });
  it("gives no caller what another caller's placeholder stands for", async () => {
    const { engine, state } = world([pii()], { cache: { answers: memoryCache() } });
    state.deltas = [{ content: "Hello [EMAIL_1]" }];
    const say = async (content: string) => (await engine.chat(asked(content))).choices[0]?.message.content;
    expect(await say("I am eve@x.example")).toBe("Hello eve@x.example");
    expect(await say("I am bob@y.example")).toBe("Hello bob@y.example");
    expect(state.sent).toHaveLength(1);
  });
  it("redacts what is embedded and refuses where it says so", async () => {
    const { engine, state } = world([pii()]);
    await engine.embed({ model: "a/e", input: ["a eve@x.example", "b"] });
    expect(state.sent).toMatchObject([{ input: ["a [EMAIL_1]", "b"] }]);
    const blocking = world([pii({ requests: "block", kinds: ["iban"] })]);
    await blocking.engine.chat(asked("eve@x.example, DE89 3704 0044 0532 0130 01"));
    await expect(blocking.engine.chat(asked("IBAN DE89 3704 0044 0532 0130 00 AND"))).rejects.toMatchObject({
      blocked: { reason: "pii" },
    });
  });
  it.each([
    ["GB82WEST12345698765432", true],
    ["de89370400440532013000", true],
    ["5500-0000-0000-0004", true],
    ["4111 1111 1111 1112", false],
    ["2001:db8::ff00:42:8329", true],
    ["at 12:30:45 on 2026-11-27", false],
    ["+1 (415) 555-0100", true],
    ["415-555-0100", true],
    ["order 1234567890", false],
    ["version 1.2.3", false],
    ["999.1.1.1", false],
  ])("%s is found: %s", async (value, isFound) => {
    const { engine, state } = world([pii()]);
    await engine.chat(asked(`x ${value} y`));
    expect(lastContent(state.sent[0])?.includes(value)).toBe(!isFound);
  });
});

describe("words", () => {
  it.each([
    ["So BAD.", true],
    ["badge", false],
    ["b\u200bad", true],
    ["very\n bad  thing", true],
    ["so 坏人 here", true],
    ["Ｂａｄ", true],
  ])("%j is found: %s", async (text, isFound) => {
    const { engine, state } = world([words({ words: ["bad", "evil plan", "坏人"], action: "mask" })]);
    await engine.chat(asked(text));
    expect(lastContent(state.sent[0])?.includes("***")).toBe(isFound);
  });
  it("a phrase over the end of a sentence is found in streams too", async () => {
    const { engine, state } = world([words({ words: ["Acme Inc. is bad"], requests: false })]);
    state.deltas = ["Acme Inc", ". ", "is ", "bad"].map((content) => ({ content }));
    await expect(engine.streamChat(asked())).rejects.toMatchObject({ blocked: { reason: "words" } });
  });
  it("refuses lists that hold nothing to find", () => {
    expect(() => words({ words: ["--"] })).toThrow("letters or digits");
  });
});

describe("schema", () => {
  const shape = {
    type: "object",
    properties: { a: { type: "integer" } },
    required: ["a"],
    additionalProperties: false,
  };
  it("has an answer repaired on the same bill, and refuses what stays wrong", async () => {
    const { engine, state, rows } = world([schema({ schema: shape, model: "r/m" })], {});
    state.deltas = [{ content: '{"a":"x"}' }];
    await expect(engine.chat(asked())).rejects.toMatchObject({ blocked: { middleware: "schema", reason: "failed" } });
    const fixed: Provider = {
      name: "r",
      async chat(request, { id }) {
        expect(lastContent(request)).toContain("`a`");
        const message = { role: "assistant" as const, content: '{"a":1}' };
        const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
        return {
          id,
          object: "chat.completion",
          created: 1,
          model: "m",
          choices: [{ index: 0, finish_reason: "stop", message }],
          usage,
        };
      },
    };
    engine.reconfigure({
      providers: [fixed, { name: "a", chat: async () => broken(), async *streamChat() {} }],
      middleware: [schema({ schema: shape, model: "r/m" })],
    });
    expect((await engine.chat(asked())).choices[0]?.message.content).toBe('{"a":1}');
    expect((await rows())[0]?.attempts.map(({ model }) => model)).toEqual(["a/m", "r/m"]);
    engine.reconfigure({
      providers: [{ name: "a", chat: async () => broken() }],
      middleware: [schema({ schema: shape })],
    });
    await expect(engine.chat(asked())).rejects.toMatchObject({ blocked: { reason: "schema" } });
  });
  function broken() {
    const message = { role: "assistant" as const, content: '{"a":"x"}' };
    return {
      id: "x",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, finish_reason: "stop", message }],
    };
  }
  it("reads the schema of the request", async () => {
    const { engine, state } = world([schema({ repairs: 0 })]);
    const format = { type: "json_schema" as const, json_schema: { name: "n", schema: shape } };
    state.deltas = [{ content: '{"a":' }, { content: "1}" }];
    expect(contentOf((await read(await engine.streamChat({ ...asked(), response_format: format }))).chunks)).toBe(
      '{"a":1}',
    );
    state.deltas = [{ content: "no" }];
    await expect(engine.chat({ ...asked(), response_format: format })).rejects.toMatchObject({
      blocked: { reason: "schema" },
    });
    await engine.chat(asked());
  });
});

describe("judge", () => {
  it("refuses at its threshold, with the probability in the event", async () => {
    for (const [yes, isBlocked] of [
      [0.8, true],
      [0.6, false],
    ] as const) {
      const { engine, state, events, rows } = world([judge({ model: "j/m", threshold: 0.7 })]);
      state.yes = yes;
      const answer = await engine.chat(asked()).catch((thrown: unknown) => thrown);
      expect(answer).toMatchObject(isBlocked ? { blocked: { middleware: "judge", reason: "judge" } } : { id: "x" });
      expect(events[0]?.facts?.probability).toBeCloseTo(yes);
      expect((await rows())[0]?.attempts[0]?.model).toBe("j/m");
    }
  });
  it("judges whole streams before they begin", async () => {
    const { engine } = world([judge({ model: "j/m", on: "answer", instructions: "Is `answer` rude?" })]);
    await expect(engine.streamChat(asked())).rejects.toMatchObject({ blocked: { reason: "judge" } });
  });
});

describe("moderation", () => {
  const endpoint = (results: unknown) => {
    const bodies: unknown[] = [];
    const send = async (_url: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(`${init?.body}`));
      return new Response(JSON.stringify({ results }), { headers: { "content-type": "application/json" } });
    };
    return { bodies, fetch: send as typeof fetch };
  };
  it("refuses what the endpoint flags, by verdict or by score", async () => {
    const scores = {
      flagged: false,
      categories: { hate: false, "self-harm": true },
      category_scores: { hate: 0.4, "self-harm": 0.9 },
    };
    const { fetch, bodies } = endpoint([scores]);
    const outcome = async (options: Parameters<typeof moderation>[0]) => {
      const { engine } = world([moderation({ fetch, apiKey: "k", answers: false, ...options })]);
      return engine.chat(asked("hello")).then(
        () => "ok",
        (error: { blocked?: { reason: string } }) => error.blocked?.reason,
      );
    };
    expect(await outcome({})).toBe("self-harm");
    expect(await outcome({ categories: ["hate"] })).toBe("ok");
    expect(await outcome({ categories: ["hate"], threshold: 0.4 })).toBe("hate");
    expect(bodies[0]).toEqual({ model: "omni-moderation-latest", input: ["hello"] });
  });
  it("an endpoint that does not check all texts closes", async () => {
    const { engine } = world([moderation({ fetch: endpoint([]).fetch })]);
    await expect(engine.chat(asked())).rejects.toMatchObject({
      blocked: { middleware: "moderation", reason: "failed" },
    });
  });
});
