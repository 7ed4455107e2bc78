import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../../src/errors.ts";
import type { Provider } from "../../../src/ports/provider.ts";
import { engineOver } from "./support.ts";

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
  it("a token of a list that has changed is refused, never a silent restart", async () => {
    const { engine } = engineOver([listing("a", ["1", "2", "3"])]);
    const { next_page_token } = await engine.models({ page_size: 2 });
    const changed = engineOver([listing("a", ["0", "1", "2", "3"])]).engine;
    await expect(changed.models({ page_size: 2, page_token: next_page_token })).rejects.toMatchObject({
      code: "invalid_request",
      param: "page_token",
      message: expect.stringContaining("stale"),
    });
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
    expect((await engine.models()).data).toEqual([
      { id: "a/1", max_output_tokens: 4_096, pricing },
      { id: "a/2", max_output_tokens: 7, pricing },
    ]);
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
    const prices = { version: "t", find: () => model, describe: () => ({ rates }), list: () => [model] };
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
