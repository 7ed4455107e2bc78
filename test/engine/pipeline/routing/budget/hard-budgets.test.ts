import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../../../adapters/stores/memory/index.ts";
import { tiktoken } from "../../../../../adapters/tokens/tiktoken/index.ts";
import type { ChatChunk, ChatRequest } from "../../../../../src/engine/api/chat.ts";
import type { Rates } from "../../../../../src/engine/api/rates.ts";
import type { Usage } from "../../../../../src/engine/api/usage.ts";
import type { Prices } from "../../../../../src/engine/ports/prices.ts";
import type { Provider } from "../../../../../src/engine/ports/provider.ts";
import type { EngineOptions } from "../../../../../src/index.ts";
import { engineOver } from "../../../support/support.ts";

const plain: Rates = { input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 };

function pricesOf(rates: Rates): Prices {
  const facts = { provider: "a", model: "gpt-4o", rates, max_output_tokens: 4_096 };
  return { version: "test", find: () => facts, list: () => [facts] };
}

/** An engine and a key with a hard budget of so many dollars. */
async function governed(provider: Provider, dollars: number, more: Partial<EngineOptions> & { rates?: Rates } = {}) {
  const { rates = plain, ...options } = more;
  const { engine } = engineOver([provider], { store: memoryStore(), prices: pricesOf(rates), ...options });
  const { key, value } = await engine.keys.create({
    name: "k",
    budgets: [{ max_limit: dollars, reset_duration: "1d", enforcement: "hard" }],
    provider_configs: [{ provider: "a", allowed_models: ["*"] }],
  });
  const standing = async () => (await engine.usage.limits(key.id))[0];
  const attempts = async () => (await engine.usage.entries({ limit: 1 })).entries[0]?.attempts ?? [];
  return { engine, options: { key: value }, standing, attempts };
}

const chunk = { id: "c", object: "chat.completion.chunk", created: 1 };
/** A provider that says a word and then nothing. */
const stalling: Provider = {
  name: "a",
  async *streamChat(_request, { model, signal }): AsyncGenerator<ChatChunk> {
    yield { ...chunk, model, choices: [{ index: 0, finish_reason: null, delta: { content: "Hello" } }] };
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  },
};

type Parts = Exclude<ChatRequest["messages"][number]["content"], string | null | undefined>;
const asking = (parts: Parts): ChatRequest => ({ model: "a/gpt-4o", messages: [{ role: "user", content: parts }] });

describe("a stream that is aborted under a hard budget", () => {
  const data = "A".repeat(4_000_000);
  const media = {
    "an image": [{ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }, 1_445],
    sound: [{ type: "input_audio", input_audio: { data: data.slice(0, 40_000), format: "wav" } }, 1_920],
    "a file": [{ type: "file", file: { file_data: `data:application/pdf;base64,${data}` } }, 16_384],
  } as const satisfies Record<string, readonly [Parts[number], number]>;

  it.each(
    Object.entries(media).flatMap(([name, [part, tokens]]) => [
      { name, counting: "by its bytes", part, tokens, books: {} },
      { name, counting: "by tokens", part, tokens, books: { tokens: tiktoken() } },
    ]),
  )("is billed $name in its prompt as what was reserved for it, counted $counting", async (row) => {
    const { engine, options, attempts, standing } = await governed(stalling, 4, row.books);
    for await (const _ of await engine.streamChat(asking([{ type: "text", text: "what?" }, row.part]), options)) break;
    const [attempt] = await attempts();
    expect(attempt).toMatchObject({ reason: "request_cancelled", is_estimated: true });
    expect(attempt?.prompt_tokens).toBeGreaterThan(row.tokens);
    expect(attempt?.prompt_tokens).toBeLessThan(row.tokens + 50);
    expect(await standing()).toMatchObject({ reserved: 0 });
  });

  it("is never billed more of a prompt than was reserved, however it is counted", async () => {
    const tokens = { countText: () => 1, countChat: () => 1_000_000 };
    const { engine, options, attempts } = await governed(stalling, 4, { tokens });
    for await (const _ of await engine.streamChat(asking([{ type: "text", text: "what?" }]), options)) break;
    expect((await attempts())[0]?.prompt_tokens).toBeLessThan(100);
  });
});

/** A provider that answers with so many tokens, or with as many of a prompt as its JSON has bytes. */
const answering = (usage?: Usage, more: object = {}): Provider => ({
  name: "a",
  async chat(request, { id, model }) {
    const bytes = Buffer.byteLength(JSON.stringify(request));
    const told = usage ?? { prompt_tokens: bytes, completion_tokens: 1, total_tokens: bytes + 1 };
    const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant" as const, content: "ok" } }];
    return { id, object: "chat.completion", created: 1, model, choices, usage: told, ...more };
  },
});

/** A usage whose price cannot be worked out: a defect. */
function unpriceable(): Usage {
  const details = Object.defineProperty({}, "cached_read_tokens", {
    enumerable: true,
    get() {
      throw new Error("no details");
    },
  });
  return { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, prompt_tokens_details: details };
}

describe("a hard budget", () => {
  it("refuses what fields that nobody here knows could cost over it", async () => {
    const { engine, options, standing } = await governed(answering(), 0.05);
    const functions = [{ name: "f", description: "x".repeat(100_000) }];
    const refused = engine.chat({ ...asking([]), functions } as ChatRequest, options);
    await expect(refused).rejects.toMatchObject({ code: "budget_exceeded" });
    expect(await standing()).toMatchObject({ used: 0, reserved: 0 });
  });

  it("takes details that a vendor writes as null for none", async () => {
    const counts = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
    const usage = { ...counts, prompt_tokens_details: null, completion_tokens_details: null } as never; // as vendors do
    const { engine, options, standing } = await governed(answering(usage), 0.05);
    const { usage: told } = await engine.chat(asking([]), options);
    expect(told?.cost?.total_cost).toBe(0.000014);
    expect(await standing()).toMatchObject({ used_nano: 14_000, reserved: 0 });
  });

  it.each(["chat", "streamChat"] as const)("keeps nothing reserved for what cannot be priced: %s", async (verb) => {
    const defects: unknown[] = [];
    const counts = unpriceable();
    const choices = [{ index: 0, finish_reason: "stop", delta: { content: "ok" } }];
    const provider: Provider = {
      ...answering(counts),
      async *streamChat(_request, { model }) {
        yield { ...chunk, model, choices, usage: counts };
      },
    };
    const { engine, options, standing, attempts } = await governed(provider, 0.05);
    engine.on("defect", ({ error }) => void defects.push(error));
    const answer = await engine[verb](asking([]), options);
    if (Symbol.asyncIterator in answer) for await (const _ of answer);
    expect(defects).toMatchObject([{ message: "no details" }]);
    expect(await standing()).toMatchObject({ used_nano: 8_264_016, reserved: 0 });
    const row = { prompt_tokens: 10, cost_nano: 8_264_016, is_estimated: true, is_unpriced: true, reason: "ok" };
    expect(await attempts()).toMatchObject([row]);
    const [attempt] = await attempts();
    expect(attempt?.time_to_first_token !== undefined).toBe(verb === "streamChat");
    expect(attempt?.items).toMatchObject([
      { unit: "reserved", quantity: 8_264_016, rate: 1e-9, amount_nano: 8_264_016 },
    ]);
    expect(engine.inFlight).toBe(0);
  });

  it("is charged for what cannot be priced what the books say, as every other level and window is", async () => {
    const { engine } = await governed(answering(unpriceable()), 0.05);
    const terms = { max_limit: 0.05, reset_duration: "1d" as const };
    const project = await engine.projects.create({ name: "p", budgets: [{ ...terms, enforcement: "soft" }] });
    const { key, value } = await engine.keys.create({
      name: "k2",
      project_id: project.id,
      budgets: [{ ...terms, enforcement: "hard" }],
      rate_limits: [{ token_max_limit: 10_000, token_reset_duration: "1d" }],
      provider_configs: [{ provider: "a", allowed_models: ["*"] }],
    });
    await engine.chat(asking([]), { key: value });
    const [sums] = await engine.usage.query({ from: 0, to: Number.MAX_SAFE_INTEGER });
    const used = await engine.usage.limits(key.id);
    const charged = used.map(({ level, unit, used, used_nano = used }) => [level, unit, used_nano]).toSorted();
    expect(sums).toMatchObject({ cost_nano: 8_264_016, prompt_tokens: 10, completion_tokens: 2 });
    expect(charged).toEqual([
      ["key", "cost", 8_264_016],
      ["key", "tokens", 12],
      ["project", "cost", 8_264_016],
    ]);
  });

  it.each([{ service_tier: "auto" }, { service_tier: "priority" }])(
    "holds the dearest service tier that a vendor may choose for %j",
    async (wish) => {
      const dearer = { input_cost_per_token_priority: 2e-6, output_cost_per_token_priority: 4e-6 };
      const usage = { prompt_tokens: 10, completion_tokens: 4_096, total_tokens: 4_106 };
      const provider = answering(usage, { service_tier: "priority" });
      const few = await governed(provider, 0.01, { rates: { ...plain, ...dearer } });
      const refused = few.engine.chat({ ...asking([]), ...wish }, few.options);
      await expect(refused).rejects.toMatchObject({ code: "budget_exceeded" });
      const enough = await governed(provider, 0.02, { rates: { ...plain, ...dearer } });
      await enough.engine.chat({ ...asking([]), ...wish }, enough.options);
      expect(await enough.standing()).toMatchObject({ used_nano: 16_404_000, reserved: 0 });
    },
  );
});
