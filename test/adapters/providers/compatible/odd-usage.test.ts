import { describe, expect, it } from "vitest";
import { custom, litellm, moonshot } from "../../../../adapters/providers/compatible/index.ts";
import { memoryStore } from "../../../../adapters/stores/memory/index.ts";
import type { ChatChunk } from "../../../../src/engine/api/chat.ts";
import { createEngine, type Engine } from "../../../../src/index.ts";
import { scriptedWorld } from "../../../../src/testing/index.ts";

const messages = [{ role: "user" as const, content: "go" }];

interface Answer {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
}

/** A `fetch` that answers like this and keeps what it was sent. */
function answering({ body, headers = {}, type = "application/json" }: Answer) {
  const asked: unknown[] = [];
  const send: typeof fetch = async (_url, init) => {
    asked.push(JSON.parse(String(init?.body instanceof Uint8Array ? Buffer.from(init.body) : init?.body)));
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return new Response(text, { headers: { ...headers, "content-type": type } });
  };
  return { asked, fetch: send };
}

const whole = (usage: object) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "hello" } }],
  usage,
});

const event = (choice: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: {}, ...choice }], ...more })}\n\n`;

async function lastUsage(engine: Engine, model: string) {
  const chunks: ChatChunk[] = [];
  for await (const chunk of await engine.streamChat({ model, messages, stream_options: { include_usage: true } }))
    chunks.push(chunk);
  return chunks.findLast(({ usage }) => usage)?.usage;
}

const kimi = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cached_tokens: 80 };

describe("Kimi's cached tokens", () => {
  const read = { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_read_tokens: 80 } };
  it("of a whole answer are reads from the cache", async () => {
    const engine = createEngine({
      ...scriptedWorld(),
      providers: [moonshot({ apiKey: "k", fetch: answering({ body: whole(kimi) }).fetch })],
    });
    const { usage } = await engine.chat({ model: "moonshot/kimi-k2.5", messages });
    expect(usage).toMatchObject(read);
  });
  it.each([
    ["in the choice", event({ finish_reason: "stop", usage: kimi })],
    ["beside it", event({ finish_reason: "stop" }, { usage: kimi })],
  ])("of a stream are so, %s", async (_where, last) => {
    const body = `${event({ delta: { content: "hello" } })}${last}data: [DONE]\n\n`;
    const { fetch } = answering({ body, type: "text/event-stream" });
    const engine = createEngine({ ...scriptedWorld(), providers: [moonshot({ apiKey: "k", fetch })] });
    expect(await lastUsage(engine, "moonshot/kimi-k2.5")).toMatchObject(read);
  });
});

describe("LiteLLM's cost", () => {
  const baseUrl = "http://litellm.example/v1";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const engineOf = (answer: Answer) =>
    createEngine({
      ...scriptedWorld(),
      providers: [litellm({ apiKey: "k", baseUrl, fetch: answering(answer).fetch })],
      store: memoryStore(),
    });
  it.each(["0.0125", "1.25e-2"])("in the header of a whole answer is the bill (%s)", async (cost) => {
    const engine = engineOf({ body: whole(usage), headers: { "x-litellm-response-cost": cost } });
    const answer = await engine.chat({ model: "litellm/any", messages });
    expect(answer.usage?.cost).toMatchObject({ total_cost: 0.0125 });
    await engine.close();
  });
  it.each(["None", "", "-1", "0x10"])("that is no amount is none (%j)", async (cost) => {
    const engine = engineOf({ body: whole(usage), headers: { "x-litellm-response-cost": cost } });
    const answer = await engine.chat({ model: "litellm/any", messages });
    expect(answer.usage?.upstream_cost).toBeUndefined();
    await engine.close();
  });
  const streamed = (stated: object) =>
    `${event({ delta: { content: "hello" }, finish_reason: "stop" }, { usage: { ...usage, ...stated } })}data: [DONE]\n\n`;
  it.each<[string, object, Readonly<Record<string, string>>]>([
    ["in its usage", { cost: 0.0125 }, {}],
    ["in its head", {}, { "x-litellm-response-cost": "0.0125" }],
    ["in both, where the usage counts", { cost: 0.0125 }, { "x-litellm-response-cost": "0.5" }],
  ])("of a stream is the bill: %s", async (_where, stated, headers) => {
    const engine = engineOf({ body: streamed(stated), headers, type: "text/event-stream" });
    expect((await lastUsage(engine, "litellm/any"))?.cost).toMatchObject({ total_cost: 0.0125 });
    await engine.close();
  });
  it("in its own chunk of usage is completed by the head, too", async () => {
    const body = `${event({ delta: { content: "hello" }, finish_reason: "stop" })}data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\ndata: [DONE]\n\n`;
    const engine = engineOf({ body, headers: { "x-litellm-response-cost": "0.0125" }, type: "text/event-stream" });
    expect((await lastUsage(engine, "litellm/any"))?.cost).toMatchObject({ total_cost: 0.0125 });
    await engine.close();
  });
  it.each([false, true])(
    "is the bill where the answer has no usage, with tokens of our count (streamed: %s)",
    async (isStream) => {
      const headers = { "x-litellm-response-cost": "0.0125" };
      const silent = `${event({ delta: { content: "hello" }, finish_reason: "stop" })}data: [DONE]\n\n`;
      const { usage: _none, ...unstated } = whole({});
      const engine = engineOf(
        isStream ? { body: silent, headers, type: "text/event-stream" } : { body: unstated, headers },
      );
      if (isStream) await lastUsage(engine, "litellm/any");
      else await engine.chat({ model: "litellm/any", messages });
      const { entries } = await engine.usage.entries({ limit: 10 });
      expect(entries[0]?.attempts).toMatchObject([
        { cost: 0.0125, is_estimated: true, items: [{ amount: 0.0125, basis: "vendor" }, { basis: "cross-check" }] },
      ]);
      await engine.close();
    },
  );
  it.each(["None", "", "0", "0.0"])("that the head of a stream does not know is none (%j)", async (cost) => {
    const headers = { "x-litellm-response-cost": cost };
    const engine = engineOf({ body: streamed({}), headers, type: "text/event-stream" });
    expect((await lastUsage(engine, "litellm/any"))?.upstream_cost).toBeUndefined();
    await engine.close();
  });
});

describe("a request for a whole answer", () => {
  it("says so, since some servers stream unless they are asked not to", async () => {
    const { asked, fetch } = answering({ body: whole({}) });
    const provider = custom("x", { baseUrl: "http://vendor.example/v1", fetch });
    await createEngine({ ...scriptedWorld(), providers: [provider] }).chat({ model: "x/m", messages });
    expect(asked).toEqual([{ model: "m", messages, stream: false }]);
  });
  it("reads an answer behind a byte-order mark", async () => {
    const { fetch } = answering({ body: `\ufeff${JSON.stringify(whole({}))}` });
    const provider = custom("x", { baseUrl: "http://vendor.example/v1", fetch });
    const answer = await createEngine({ ...scriptedWorld(), providers: [provider] }).chat({ model: "x/m", messages });
    expect(answer.choices[0]?.message.content).toBe("hello");
  });
});
