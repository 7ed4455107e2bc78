import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { catalogue } from "../../../../adapters/prices/catalogue/index.ts";
import { GatewayError } from "../../../../src/engine/errors.ts";
import type { Provider } from "../../../../src/engine/ports/provider.ts";
import { engineOver } from "../../support/support.ts";

const listing = (name: string, ids: readonly string[]): Provider => ({
  name,
  listModels: async () => ids.map((id) => ({ id })),
});
const failing = (name: string): Provider => ({
  name,
  listModels: async () => {
    throw new GatewayError("upstream_error", "no", { upstream: { status: 401, message: "no" } });
  },
});

describe("models", () => {
  it("merges all providers, sorted by id, ids as provider/model", async () => {
    const { engine } = engineOver([listing("b", ["y", "x"]), listing("a", ["z"])]);
    const { data, extra_fields, next_page_token } = await engine.models();
    expect(data.map(({ id }) => id)).toEqual(["a/z", "b/x", "b/y"]);
    expect(extra_fields).toMatchObject({ request_type: "list_models" });
    expect(next_page_token).toBeUndefined();
  });
  it("any page size shows every model exactly once, in order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 12 }),
        async (ids, page_size) => {
          const { engine } = engineOver([listing("a", ids)]);
          const whole = (await engine.models()).data.map(({ id }) => id);
          const seen: string[] = [];
          let page_token: string | undefined;
          do {
            const page = await engine.models({ page_size, page_token });
            expect(page.data.length).toBeLessThanOrEqual(page_size);
            seen.push(...page.data.map(({ id }) => id));
            page_token = page.next_page_token;
          } while (page_token);
          expect(seen).toEqual(whole);
        },
      ),
    );
  });
  it("whatever the list has become, the next page has exactly the models behind the last one seen", async () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(ids, ids, fc.integer({ min: 1, max: 5 }), async (before, after, page_size) => {
        const { data, next_page_token: page_token } = await engineOver([listing("a", before)]).engine.models({
          page_size,
        });
        fc.pre(page_token !== undefined);
        const last = data.at(-1)?.id ?? "";
        const next = await engineOver([listing("a", after)]).engine.models({ page_token });
        const left = after.map((id) => `a/${id}`).filter((id) => id > last);
        expect(next.data.map(({ id }) => id)).toEqual(left.sort());
      }),
    );
  });
  it("the pages behind the first one ask no provider again, and none whose models are all before them", async () => {
    const asked: string[] = [];
    const counting = (name: string, models: readonly string[]): Provider => ({
      name,
      listModels: async () => {
        asked.push(name);
        return models.map((id) => ({ id }));
      },
    });
    const providers = [counting("a", ["1", "2"]), counting("b", ["1", "2"]), counting("c", ["1"])];
    const { engine, clock } = engineOver(providers);
    const first = await engine.models({ page_size: 2 });
    const second = await engine.models({ page_size: 2, page_token: first.next_page_token });
    expect(second.data.map(({ id }) => id)).toEqual(["b/1", "b/2"]);
    expect(asked).toEqual(["a", "b", "c"]);
    await clock.advance(300_001); // the lists are forgotten, as another process never had them
    const third = await engine.models({ page_size: 2, page_token: second.next_page_token });
    expect(third.data.map(({ id }) => id)).toEqual(["c/1"]);
    expect(asked).toEqual(["a", "b", "c", "b", "c"]);
  });
  it("a provider that fails between two pages takes nothing from the second one", async () => {
    let isDown = false;
    const moody: Provider = {
      name: "b",
      listModels: async () => {
        if (isDown) throw new GatewayError("upstream_error", "no", { upstream: { status: 503, message: "no" } });
        return [{ id: "1" }, { id: "2" }];
      },
    };
    const { engine } = engineOver([listing("a", ["1"]), moody, listing("c", ["1"])]);
    const first = await engine.models({ page_size: 2 });
    isDown = true;
    const { data, extra_fields } = await engine.models({ page_token: first.next_page_token });
    expect([data.map(({ id }) => id), extra_fields?.warnings]).toEqual([["b/2", "c/1"], undefined]);
  });
  it("a provider that fails before the page was read is named, and the page goes on behind it", async () => {
    const { next_page_token: page_token } = await engineOver([listing("a", ["1", "2"])]).engine.models({
      page_size: 1,
    });
    const { engine } = engineOver([failing("a"), listing("c", ["1"])]);
    const { data, extra_fields } = await engine.models({ page_token });
    expect(data.map(({ id }) => id)).toEqual(["c/1"]);
    expect(extra_fields?.warnings).toEqual([expect.stringContaining("a")]);
  });
  it("any other text is a malformed token", async () => {
    const { engine } = engineOver([listing("a", ["1"])]);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), async (page_token) => {
        await expect(engine.models({ page_token })).rejects.toMatchObject({
          code: "invalid_request",
          param: "page_token",
        });
      }),
    );
  });
  it("shows what the catalogue knows where the provider's own list is silent", async () => {
    const own = { id: "2", max_output_tokens: 7 };
    const { engine } = engineOver([{ name: "a", listModels: async () => [{ id: "1" }, own] }]);
    const pricing = { prompt: "0.000001", completion: "0.000002" };
    const top_provider = { max_completion_tokens: 4_096 };
    expect((await engine.models()).data).toEqual([
      { id: "a/1", canonical_slug: "a/1", max_output_tokens: 4_096, top_provider, pricing },
      { id: "a/2", canonical_slug: "a/2", max_output_tokens: 7, top_provider, pricing },
    ]);
  });
  it("says all that the built-in catalogue knows of a model", async () => {
    const chat = { chat: () => Promise.reject(new Error("not asked")) };
    const { engine } = engineOver([{ ...chat, ...listing("openai", ["gpt-4o-2024-08-06"]) }], { prices: catalogue() });
    expect((await engine.models()).data).toEqual([
      {
        id: "openai/gpt-4o-2024-08-06",
        canonical_slug: "openai/gpt-4o",
        name: "GPT-4o",
        knowledge_cutoff: "2023-09",
        context_length: 128_000,
        max_output_tokens: 16_384,
        architecture: {
          modality: "text+image+file->text",
          input_modalities: ["text", "image", "file"],
          output_modalities: ["text"],
        },
        top_provider: { context_length: 128_000, max_completion_tokens: 16_384 },
        supported_methods: ["chat_completion"],
        supported_parameters: [
          "max_completion_tokens",
          "response_format",
          "structured_outputs",
          "temperature",
          "tool_choice",
          "tools",
          "top_p",
        ],
        pricing: { prompt: "0.0000025", completion: "0.00001", web_search: "0.01", input_cache_read: "0.00000125" },
      },
    ]);
  });
  it("a price that the provider states stands, and the catalogue's beside it only where it states none", async () => {
    const rates = { input_cost_per_token: 1e-6, search_context_cost_per_query: { search_context_size_medium: 0.02 } };
    const model = { provider: "a", model: "1", rates };
    const prices = { version: "t", find: () => model, list: () => [model] };
    const own = async () => [{ id: "1", pricing: { prompt: "0.5" } }];
    const { engine } = engineOver([{ name: "a", listModels: own }], { prices });
    expect((await engine.models()).data[0]?.pricing).toEqual({ prompt: "0.5", web_search: "0.02" });
  });
  it("shows each kind of price that the catalogue knows", async () => {
    const rates = {
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      input_cost_per_request: 0.5,
      input_cost_per_image: 0.25,
      output_cost_per_reasoning_token: 3e-6,
      cache_read_input_token_cost: 1e-7,
      cache_creation_input_token_cost: 1.25e-6,
    };
    const model = { provider: "a", model: "1", rates };
    const prices = { version: "t", find: () => model, list: () => [model] };
    const { engine } = engineOver([listing("a", ["1"])], { prices });
    expect((await engine.models()).data[0]?.pricing).toEqual({
      prompt: "0.000001",
      completion: "0.000002",
      request: "0.5",
      image: "0.25",
      internal_reasoning: "0.000003",
      input_cache_read: "0.0000001",
      input_cache_write: "0.00000125",
    });
  });
  it("one provider alone", async () => {
    const { engine } = engineOver([listing("a", ["1"]), listing("b", ["2"])]);
    expect((await engine.models({ provider: "b" })).data.map(({ id }) => id)).toEqual(["b/2"]);
    await expect(engine.models({ provider: "c" })).rejects.toMatchObject({
      code: "provider_not_found",
      param: "provider",
    });
  });
  it("a provider that fails is named in a warning", async () => {
    const { engine } = engineOver([listing("a", ["1"]), failing("b")]);
    const { data, extra_fields } = await engine.models();
    expect(data.map(({ id }) => id)).toEqual(["a/1"]);
    expect(extra_fields?.warnings).toEqual([expect.stringContaining("b")]);
  });
  it("is an error only when nothing is left and something failed", async () => {
    await expect(engineOver([failing("b"), listing("a", [])]).engine.models()).rejects.toMatchObject({ status: 401 });
    expect((await engineOver([listing("a", [])]).engine.models()).data).toEqual([]);
  });
  it("the caller's signal ends all the asking", async () => {
    const deaf = (name: string): Provider => ({ name, listModels: () => new Promise(() => {}) });
    const { engine, clock } = engineOver([deaf("a"), deaf("b")]);
    const controller = new AbortController();
    const pending = engine.models({}, { signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ code: "request_cancelled" });
    expect([engine.inFlight, clock.pending]).toEqual([0, 0]);
  });
});
